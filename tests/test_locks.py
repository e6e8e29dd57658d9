"""Hold the three lists of packages to what they are for: grading, developing, students."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
NEEDED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
PINNED = re.compile(r"(?m)^([\w.-]+)==([^\s;]+)")


def locked(name: str) -> dict[str, set[str]]:
    """Return the versions of each package that a file names; Pythons may differ in them."""
    found: dict[str, set[str]] = {}
    for package, version in PINNED.findall((ROOT / name).read_text()):
        found.setdefault(package, set()).add(version)
    return found


GRADING, DEVELOPING = locked("engine/referee/requirements.txt"), locked("tests/requirements.txt")


def test_developing_adds_to_grading_and_changes_nothing() -> None:
    """Does what is tested have the versions of what grades?"""
    assert len(GRADING) > 50
    assert {name: DEVELOPING.get(name) for name in GRADING} == GRADING


def test_nothing_of_the_agpl_is_needed_to_grade() -> None:
    """Does no package say so in what it tells about itself? One of the tests' own does."""

    def says_so(name: str) -> bool:
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            return False  # for another system
        fields = ("License", "License-Expression", "Classifier")
        said = " ".join(text for field in fields for text in about.get_all(field) or [])
        return "AGPL" in said or "Affero" in said

    assert [name for name in GRADING if says_so(name)] == []
    assert [name for name in DEVELOPING if says_so(name)] == ["bitbully"]


def test_students_install_what_the_course_is_tested_with() -> None:
    """Are their three packages those of pyproject.toml, and do the locked versions satisfy them?"""
    lines = (ROOT / "source/requirements.txt").read_text().splitlines()
    wanted = [line for line in lines if not line.startswith("#")]
    assert wanted == [one for one in NEEDED if one != "referee"]
    for requirement in map(Requirement, wanted):
        assert all(map(requirement.specifier.contains, DEVELOPING[requirement.name]))
