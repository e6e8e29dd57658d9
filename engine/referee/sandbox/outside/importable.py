"""Choose the installed packages that student code may import: those that students have.

An environment serves graders and developers, too, and holds solvers, browsers and this engine. A
player gets a folder with the chosen packages, and sees nothing else of the environment.
"""

import functools
import os
import stat
import sys
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement

from referee.course import CONFIG, CourseError

PLAYER = ("ipython", "msgspec")  # what a player itself imports
LEFT_OUT = {"__pycache__", "..", "bin", "share", "etc", "include"}
NAMED = "c.Course.packages in nbgrader_config.py names"


class Packages(NamedTuple):
    """Some packages, as lines of requirements name them, and all that they need.

    `places` are the files and folders that they consist of, each with its package and the line;
    `faults` has lines, and what is wrong with them.
    """

    versions: dict[str, str]
    places: dict[Path, tuple[str, str]]
    faults: list[tuple[str, str]]


def package_places(requirements: tuple[str, ...]) -> dict[str, Path]:
    """Return where the parts of some packages lie, and of all that they need, by their names.

    The packages are given as in a file of requirements; one that is not installed is left out.
    """
    places = [place for place in _packages(requirements, _cache_key()).places if place.exists()]
    return {place.name: place for place in reversed(places)}


def versions(requirements: tuple[str, ...]) -> dict[str, str]:
    """Return the installed versions of some packages, and of all that they need, by their names."""
    return _packages(requirements, _cache_key()).versions


def expect(requirements: tuple[str, ...]) -> None:
    """Raise a CourseError unless student code can import some packages, and all that they need.

    What lies in the folder of a package is taken to be as readable as the folder.
    """
    packages = _packages(requirements, _cache_key())
    faults = [fault for line, fault in packages.faults if line in requirements]
    if faults:
        raise CourseError(f"{NAMED} {faults[0]}")
    for path, (name, line) in packages.places.items():
        if line in requirements and not _is_open(path):
            raise CourseError(
                f"{NAMED} {line}, but student code cannot read {path}; let everybody read "
                f"it, or install it again with `pip install --force-reinstall {name}`"
            )


def _is_open(path: Path) -> bool:
    """Return whether student code may read a file, or what is in a folder."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    rights = os.R_OK | os.X_OK if stat.S_ISDIR(mode) else os.R_OK
    if os.geteuid() == 0:  # then student code is run by another user
        return mode & rights == rights
    return os.access(path, rights)


def _cache_key() -> tuple[object, ...]:
    """Return what changes when a package is installed or removed."""
    # Folders of courses hold no package. A folder that may not be entered raises no error here.
    paths = [path for path in sys.path if not os.access(Path(path, CONFIG), os.F_OK)]
    places = [Path(path) for path in paths if path.endswith("-packages")]  # site- or dist-
    sites = [place for place in places if os.access(place, os.F_OK)]
    return (*paths, *(place.stat().st_mtime_ns for place in sites))


@functools.lru_cache(8)
def _packages(requirements: tuple[str, ...], _: tuple[object, ...]) -> Packages:
    packages = Packages({}, {}, [])
    keys: set[tuple[str, ...]] = set()
    stack = [(line, line) for line in (*PLAYER, *requirements)]
    while stack:
        text, line = stack.pop()
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            how = "write it as for pip, such as 'numpy' or 'numpy>=2'"
            packages.faults.append((line, f"{text!r}, which names no package; {how}"))
            continue
        if not (requirement.marker is None or requirement.marker.evaluate()):
            continue
        try:
            distribution = metadata.distribution(requirement.name)
        except metadata.PackageNotFoundError:
            packages.faults.append((line, _fault(line, requirement, "no such package")))
            continue
        name, version = distribution.metadata["Name"], distribution.version
        if text == line and not requirement.specifier.contains(version, prereleases=True):
            packages.faults.append((line, _fault(line, requirement, f"{name} {version}")))
        key = (name, *sorted(requirement.extras))
        if key in keys:
            continue
        keys.add(key)
        packages.versions[name] = version
        packages.places.update(dict.fromkeys(_parts(distribution), (name, line)))
        for other in map(Requirement, distribution.requires or []):
            extras = [{"extra": extra} for extra in ("", *requirement.extras)]
            if other.marker is None or any(map(other.marker.evaluate, extras)):
                other.marker = None
                stack.append((str(other), line))
    return packages


def _fault(line: str, requirement: Requirement, package: str) -> str:
    """Return what to say of a line that asks for a package, where something else is installed."""
    spec = f"{requirement.name}{requirement.specifier}"
    needs = "" if spec == line else f", which needs {spec}"
    return (
        f"{line}{needs}, and {package} is installed in {sys.prefix}; install it with "
        f"`pip install '{spec}'`, or correct the line"
    )


def _parts(distribution: metadata.Distribution) -> list[Path]:
    """Return the files and folders of a distribution that lie beside those of others."""
    site, record = Path(str(distribution.locate_file(""))), distribution.read_text("RECORD")
    if record is None:  # as some systems install it
        names = (distribution.read_text("top_level.txt") or distribution.metadata["Name"]).split()
        places = [site / f"{name}{suffix}" for name in names for suffix in ("", ".py")]
        return [place for place in places if place.exists()]
    tops = {line.partition(",")[0].partition("/")[0] for line in record.splitlines()} - LEFT_OUT
    return [site / top for top in sorted(tops) if not top.endswith(".pth")]
