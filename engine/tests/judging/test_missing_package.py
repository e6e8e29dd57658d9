"""Does a package that students have, and that is not here, end the grading and cost nobody a mark?

A package `towns` is installed in a folder of the test's own; a right notebook imports it, and the
instructor's does not.
"""

import shutil
from pathlib import Path

import pytest
from classes import Class
from formgrading import run
from small_course import NAME

from referee.course import CourseError
from referee.sandbox.outside import importable

USES = "import towns\n\ndef double(n):\n    return n * towns.TWO"
KINDS = {
    "towns": {"towns/__init__.py": "TWO = 2\n"},
    "towns.py": {"towns.py": "TWO = 2\n"},
}


def install(site: Path, files: dict[str, str], needs: str = "") -> None:
    """Install `towns` as pip would."""
    info = "towns-1.0.dist-info"
    required = f"Requires-Dist: {needs}\n" if needs else ""
    files = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: towns\nVersion: 1.0\n{required}",
        f"{info}/RECORD": "".join(f"{name},,\n" for name in [*files, f"{info}/METADATA"]),
    }
    for name, text in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages, which is looked at as well."""
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(place))
    monkeypatch.syspath_prepend(place)
    return place


def test_a_package_that_is_gone_ends_every_command_and_no_mark_falls(
    site: Path, tmp_path: Path
) -> None:
    """Is nobody judged without it, by any door, and are all marks right when it is back?"""
    install(site, KINDS["towns"])
    made = Class.made(tmp_path / "course")
    with made.path("nbgrader_config.py").open("a") as settings:
        settings.write("\nc.Course.packages = ['towns>=1']\n")
    made.hand_in("ada", double=USES)
    made.grade()
    assert made.totals() == {"ada": 10}
    site.rename(tmp_path / "away")
    made.hand_in("ben", double=USES)
    file = str(made.folder("ben") / f"{NAME}.ipynb")
    refusing = [
        ("referee", "grade", NAME), ("referee", "grade", NAME, "--force"),
        ("referee", "audit", NAME), ("referee", "check", file, "--assignment", NAME),
        ("referee", "why", "ada", NAME, "--again"), ("referee", "gradescope", NAME),
        ("nbgrader", "autograde", NAME, "--student", "ben"),
    ]  # fmt: skip
    for command in refusing:
        status = 2 if command[0] == "referee" else 1
        told = " ".join(run(made.root, *command, status=status).split())
        assert "pip install 'towns>=1'" in told, command
        assert "Traceback" not in told or command[0] == "nbgrader", command
    assert made.totals() == {"ada": 10}
    (tmp_path / "away").rename(site)
    made.grade()
    assert made.totals() == {"ada": 10, "ben": 10}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("what", ["gone", "closed"])
def test_files_that_are_gone_or_closed(site: Path, kind: str, what: str, tmp_path: Path) -> None:
    """Is a package refused whose metadata are there and whose files cannot be read?"""
    install(site, KINDS[kind])
    importable.expect(("towns>=1",))
    assert importable.versions(("towns>=1",))["towns"] == "1.0"
    shutil.move(site / kind, tmp_path) if what == "gone" else (site / kind).chmod(0)
    with pytest.raises(CourseError, match=r"c.Course.packages .* towns.*cannot read .*towns"):
        importable.expect(("towns>=1",))


WRONG = {  # what an installed package needs, what is asked for, and what is said
    "nothing": (None, "towns", "no such package is installed"),
    "too old": ("", "towns>=2", "towns 1.0 is installed"),
    "needs more": ("not-there>=2", "towns", "needs not-there"),
    "needed by another": (None, "traitlets>=99", "traitlets .* is installed"),
    "two words": (None, "towns data", "names no package"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told(site: Path, name: str) -> None:
    """Does one line say what, where, and what to do?"""
    needs, package, why = WRONG[name]
    if needs is not None:
        install(site, {"towns.py": ""}, needs)
    with pytest.raises(CourseError, match=why) as told:
        importable.expect((package, "ipython"))
    assert "nbgrader_config.py" in str(told.value) and "\n" not in str(told.value)


def test_a_package_for_another_system_is_not_asked_for(site: Path) -> None:
    """Is one left out whose marker does not hold here, and `__pycache__` never looked at?"""
    install(site, {"towns/__init__.py": ""})
    (site / "towns" / "__pycache__").mkdir(mode=0)
    importable.expect(("towns", "nothing; sys_platform == 'plan9'"))
