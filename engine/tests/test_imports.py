"""Hold the import law: which room knows which, and what runs beside a student."""

import subprocess
import sys
from pathlib import Path

import pytest
from classes import Class
from python_files import imports

from referee.judging import digests
from referee.sandbox.outside.server import BESIDE

PACKAGE = Path(__file__).parents[1] / "referee"
ENGINE = sorted(file for file in PACKAGE.rglob("*.py") if "templates" not in file.parts)

ALL = "intake sandbox judging marks workers report proof"
# What each room may know besides itself; each also model and course.
LAW = {
    "model": "",
    "course": "",
    "workers": "",
    "intake": "",
    "sandbox": "",
    "judging": "intake sandbox",
    "marks": "intake sandbox judging",
    "report": "intake sandbox judging marks",
    "proof": "intake sandbox judging marks workers",
    "platforms": "intake marks",
    "grading": "intake sandbox judging marks workers",
    "nbgrader": "intake",
    "formgrader": "intake sandbox judging marks",
    "gradescope": "intake sandbox judging marks",
    "commands": f"{ALL} grading platforms gradescope",
}


def inside(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def room(file: Path) -> str:
    return inside(file).partition("/")[0].removesuffix(".py")


def rooms() -> dict[str, set[str]]:
    """Return which rooms each room imports, besides itself."""
    found: dict[str, set[str]] = {name: set() for name in LAW}
    for file in ENGINE:
        if file != PACKAGE / "__init__.py":
            known = {name.split(".")[1] for name in imports(file) if name.startswith("referee.")}
            found[room(file)] |= known - {room(file)}
    return found


def said(code: str, folder: Path = PACKAGE.parent) -> subprocess.CompletedProcess[str]:
    """Return what a Python says that runs some code in a folder."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)


def test_every_room_knows_only_those_below_it() -> None:
    """Does every import keep the law, and is there no room that the law does not name?"""
    assert {room(file) for file in ENGINE} - {"__init__"} == set(LAW)
    allowed = {name: {*known.split(), "model", "course"} for name, known in LAW.items()}
    allowed |= {"model": set(), "workers": set(), "course": {"model"}}
    assert {name: known - allowed[name] for name, known in rooms().items()} == {
        name: set() for name in LAW
    }


def test_what_runs_beside_the_student_is_inside_wire_and_model() -> None:
    """Is what a student's process holds of the referee exactly what it is made of?"""
    beside = [PACKAGE / name for name in BESIDE]
    given = [*filter(Path.is_file, beside), *(file for one in beside for file in one.glob("*.py"))]
    ours = "one.__file__ for name, one in sys.modules.items() if name.startswith('referee')"
    code = f"import sys, referee.sandbox.inside.player; print(*({ours}))"
    own = {Path(file) for file in said(code).stdout.split()}
    sent = {PACKAGE / f"sandbox/inside/{name}.py" for name in ("fixtures", "testcells")}
    assert own | sent == set(given)  # those are sent when they are needed


def test_nobody_but_the_outside_knows_what_runs_inside() -> None:
    """Does the wire know neither side, and is the player's side known to one room only?"""
    allowed = {"outside": {"inside", "outside", "wire"}, "inside": {"inside", "wire"}}
    allowed["wire"] = {"wire"}
    for file in ENGINE:
        own = inside(file).split("/")[1] if room(file) == "sandbox" else ""
        known = {one.split(".")[2] for one in imports(file) if one.startswith("referee.sandbox.")}
        assert known <= allowed.get(own, {"outside", "wire"}), file


def test_the_engine_is_all_that_a_mark_is_made_by() -> None:
    """Is no room forgotten whose change may change a mark?"""
    known = {"judging", "model", "course", *LAW["judging"].split()}
    assert known == {name.removesuffix(".py") for name in digests.ENGINE}


@pytest.mark.parametrize(
    ("command", "needless"),
    [("--help", {"referee.course", "nbformat", "nbgrader", "pytest", "sqlite3", "traitlets"}),
     ("status", {"nbgrader", "pytest", "IPython"}),
     ("grade numbers", {"distributed", "hypothesis", "xdist"})],
)  # fmt: skip
def test_a_command_imports_what_it_needs(graded: Class, command: str, needless: set[str]) -> None:
    """Does help need nearly nothing, `status` no pytest, and `grade` not what clusters need?"""
    code = (
        f"import atexit, sys; from referee import commands; sys.argv[1:] = {command.split()}\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); commands.main()"
    )
    done = said(code, graded.root)
    assert "graded" in done.stdout or "as before" in done.stdout or "Usage" in done.stdout
    assert needless & set(done.stderr.split()) == set()
