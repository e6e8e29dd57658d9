"""Choose the installed packages that student code may import: those that students have.

An environment serves graders and developers, too, and holds solvers, browsers and this engine. A
player gets a folder with the chosen packages, and sees nothing else of the environment.
"""

import functools
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

PLAYER = ("ipython", "matplotlib", "msgspec")  # what a player itself imports, and draws with
LEFT_OUT = ("__pycache__", "..", "bin", "share", "etc", "include")


@functools.lru_cache(8)
def chosen(requirements: tuple[str, ...]) -> dict[str, Path]:
    """Return where the parts of some packages lie, and of all that they need, by their names.

    The packages are given as in a file of requirements; one that is not installed is left out.
    """
    places: dict[str, Path] = {}
    for distribution in _needed([*PLAYER, *requirements]):
        for part in _parts(distribution):
            place = Path(str(distribution.locate_file(part)))
            if place.exists():
                places.setdefault(part, place)
    return places


def _needed(requirements: list[str]) -> Iterator[metadata.Distribution]:
    """Yield the distributions of some requirements, and of what these require."""
    seen: set[tuple[str, str]] = set()
    waiting = [*requirements]
    while waiting:
        try:
            requirement = Requirement(waiting.pop())
            distribution = metadata.distribution(requirement.name)
        except (InvalidRequirement, metadata.PackageNotFoundError):
            continue
        for extra in ("", *requirement.extras):
            if (key := (requirement.name.lower(), extra)) in seen:
                continue
            seen.add(key)
            if not extra:
                yield distribution
            waiting += [
                str(other)
                for other in map(Requirement, distribution.requires or [])
                if other.marker is None or other.marker.evaluate({"extra": extra})
            ]


def _parts(distribution: metadata.Distribution) -> set[str]:
    """Return the files and folders beside others that a distribution consists of."""
    record = distribution.read_text("RECORD")
    if record is None:  # as some systems install it
        names = (distribution.read_text("top_level.txt") or distribution.metadata["Name"]).split()
        return {part for name in names for part in (name, f"{name}.py")}
    tops = {line.partition("/")[0].partition(",")[0] for line in record.splitlines()}
    return {top for top in tops if top not in LEFT_OUT and not top.endswith(".pth")}
