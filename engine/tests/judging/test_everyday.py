"""Ask whether ordinary Python can be checked: right in every style, wrong caught, cheats get none.

One class, one grading, a student for each style. In the course's folder lie hidden checks as an
author writes them who thinks of local objects, the reference solution, another right style of each
cell and wrong ones. Made here are cheats that lie with what they return.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import notebooks
import pytest

from referee import intake
from referee.course import Assignment, Course
from referee.judging import pipeline, suspension
from referee.model import CheckResult, Limits, Verdict
from referee.proof import bank

pytestmark = pytest.mark.proof
NAME = "everyday"
Class = dict[str, list[CheckResult]]
COURSE = Path(__file__).parents[1] / "courses" / "everyday"
BANK = COURSE / "bank" / "everyday"

# Cells that take long to run have a notebook of their own: all in one takes three times as long.
FIGURES = ("plot", "curve")
NAMES = {"changed": ["tomorrow", "tenths"], "Loud": ["Plain", "TooLoud"]}


def cells(name: str) -> dict[str, str]:
    """Return the cells of a solution, as `right/plain`."""
    return dict(bank.read(BANK / f"{name}.py", BANK)[0].sections)


def lying(file: str, function: str, kind: str) -> dict[str, str]:
    """Return cells whose names all stand for what a file of cheats makes."""
    text = (BANK / "cheat" / f"{file}.py").read_text("utf-8")
    cells = {}
    for cell in RIGHT["plain"]:
        template = kind if cell[0].isupper() else function
        right = "str" if cell == "greet" else "list"  # what the check compares an answer with
        made = [template.format(name, right) for name in (cell, *NAMES.get(cell, []))]
        cells[cell] = "\n".join([text, *made])
    return cells


RIGHT = {style: cells(f"right/{style}") for style in ("plain", "subclasses")}
MISTAKEN = {"wrong": cells("wrong/each_cell")}
AGREES = "class {0}(Liar, metaclass=Lying): pass"
CHEATS = {
    "agrees": lying("liar", "{0} = Liar()", AGREES),
    "says_list": lying("liar", "{0} = Liar()\nKIND = list", f"{AGREES}\nKIND = list"),
    "subclasses_lie": lying(
        "echo", "def {0}(*_): return right({1})()", "class {0}(right({1})): pass"
    ),
}
SOURCES = RIGHT | MISTAKEN | CHEATS


def notebook(sources: Mapping[str, str]) -> str:
    """Return a notebook with these solution cells, each before the one that shows its points."""
    cells = []
    for name, source in sources.items():
        cells += [notebooks.cell(name, source), notebooks.cell(f"test_{name}", "# checked", 1)]
    return json.dumps(notebooks.notebook(*cells))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """What became of everybody's checks: the reference is asked first, then one after the other."""
    root, limits = tmp_path_factory.mktemp("course"), Limits()
    shutil.copytree(COURSE, root, dirs_exist_ok=True)
    blank = dict.fromkeys(RIGHT["plain"], "# yours")
    works = {f"submitted/{one}": SOURCES[one] for one in SOURCES}
    found: Class = {student: [] for student in SOURCES}
    for name in (NAME, "figures"):
        for step, work in ({"source": RIGHT["plain"], "release": blank} | works).items():
            mine = {cell: work[cell] for cell in work if (cell in FIGURES) == (name != NAME)}
            (root / step / name).mkdir(parents=True)
            (root / step / name / f"{name}.ipynb").write_text(notebook(mine))
        task = suspension.prepared(Assignment(name, Course(root)), limits)
        for student in SOURCES:
            file = task.submitted(student) / task.notebook
            accepted = intake.accept_file(task, file.read_bytes())
            _, report = pipeline.judge_file(task.of(student), accepted, limits)
            found[student] += report.checks
    return found


def said(checks: list[CheckResult], *verdicts: Verdict) -> dict[str, str]:
    """Return what is said of the checks that ended so."""
    return {one.id: f"{one.message}\n{one.details}" for one in checks if one.verdict in verdicts}


@pytest.mark.parametrize("style", RIGHT)
def test_right_code_gets_full_marks_in_every_style(judged: Class, style: str) -> None:
    """Does no check take a class or a subclass amiss?"""
    assert not said(judged[style], *set(Verdict) - {Verdict.PASS})


def test_wrong_code_is_caught(judged: Class) -> None:
    """Does each cell lose its point, and is none of it left to a human?"""
    assert not said(judged["wrong"], Verdict.PASS, Verdict.REFEREE_ERROR, Verdict.UNCLEAR)


@pytest.mark.parametrize("cheat", CHEATS)
def test_an_object_that_lies_gains_nothing(judged: Class, cheat: str) -> None:
    """Does nothing pass that agrees with all it is compared with, whatever it says it is?"""
    assert not said(judged[cheat], Verdict.PASS)
