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

from referee import grading, intake
from referee.course import Assignment, Course
from referee.judging import bundle, digests, suspension
from referee.model import CheckResult, Judged, Limits, Verdict
from referee.proof import bank

pytestmark = pytest.mark.proof
NAME = "everyday"
Class = dict[str, list[CheckResult]]
COURSE = Path(__file__).parents[1] / "courses" / "everyday"
BANK = COURSE / "bank" / "everyday"

# Cells that take long to run have a notebook of their own: all in one takes three times as long.
GROUPS = {"plot": "figures", "curve": "figures", "by_town": "tables"}
ASSIGNMENTS = ("everyday", "figures", "tables")
KINDS = {"by_town": "dict", "greet": "str"}  # the others answer with a list
NAMES = {
    "changed": ["tomorrow", "tenths"], "Loud": ["Plain", "TooLoud"], "by_town": ["with_share"],
}  # fmt: skip


def cells(name: str) -> dict[str, str]:
    """Return the cells of a solution, as `right/plain`."""
    return dict(bank.read(BANK / f"{name}.py", BANK)[0].sections)


def liar(kind: str) -> dict[str, str]:
    """Return cells whose names all stand for an object that agrees, and says it is a `kind`."""
    text = (BANK / "cheat" / "liar.py").read_text("utf-8").replace("KIND = int", f"KIND = {kind}")
    lying = {}
    for cell in RIGHT["plain"]:
        names = [cell, *NAMES.get(cell, [])]
        made = [f"{name} = Liar()" for name in names]
        if cell[0].isupper():
            made = [f"class {name}(Liar, metaclass=Lying): pass" for name in names]
        lying[cell] = "\n".join([text, *made])
    return lying


def subclasses() -> dict[str, str]:
    """Return cells whose functions answer with a subclass of the right type that agrees."""
    text = (BANK / "cheat" / "echo.py").read_text("utf-8")
    lying = {}
    for cell in RIGHT["plain"]:
        kind = KINDS.get(cell, "list")
        made = [
            f"class {name}(right({kind})):\n    def __init__(self, *_): pass"
            if cell[0].isupper()
            else f"def {name}(*_): return right({kind})()"
            for name in (cell, *NAMES.get(cell, []))
        ]
        lying[cell] = "\n".join([text, *made])
    return lying


RIGHT = {style: cells(f"right/{style}") for style in ("plain", "subclasses")}
MISTAKEN = {"wrong": cells("wrong/each_cell")}
CHEATS = {"agrees": liar("int"), "says_list": liar("list"), "subclasses_lie": subclasses()}
SOURCES = RIGHT | MISTAKEN | CHEATS


def notebook(sources: Mapping[str, str]) -> str:
    """Return a notebook with these solution cells, each before the one that shows its points."""
    cells = []
    for name, source in sources.items():
        cells += [notebooks.cell(name, source), notebooks.cell(f"test_{name}", "# checked", 1)]
    return json.dumps(notebooks.notebook(*cells))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """What became of everybody's checks: the reference is asked first, then one after the other.

    They are judged as by a worker.
    """
    root, limits = tmp_path_factory.mktemp("course"), Limits()
    shutil.copytree(COURSE, root, dirs_exist_ok=True)
    blank = dict.fromkeys(RIGHT["plain"], "# yours")
    works = {f"submitted/{one}": SOURCES[one] for one in SOURCES}
    found: Class = {student: [] for student in SOURCES}
    for name in ASSIGNMENTS:
        for step, work in ({"source": RIGHT["plain"], "release": blank} | works).items():
            mine = {cell: work[cell] for cell in work if GROUPS.get(cell, NAME) == name}
            (root / step / name).mkdir(parents=True)
            (root / step / name / f"{name}.ipynb").write_text(notebook(mine))
        assignment = suspension.prepared(Assignment(name, Course(root)), limits)
        copied = bundle.write(bundle.files(assignment), root / "copy" / name)
        copy, edition = assignment._replace(course=copied), digests.keys(assignment).course
        setting = grading.Setting(copy, (), {}, limits, edition, "")
        for student in SOURCES:
            handed_in = intake.collect(assignment.submitted(student), assignment.notebook)
            record, *_ = grading.work(setting, (student, handed_in, Judged()))
            found[student] += record.report.checks
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
