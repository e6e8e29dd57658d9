"""Ask whether ordinary Python can be checked: right in every style, wrong caught, cheats get none.

One class, one grading: what `everyday` holds, handed in by a student for each style.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import everyday
import notebooks
import pytest
from notebooks import cell

from referee import grading, intake
from referee.course import Assignment, Course
from referee.judging import bundle, digests, suspension
from referee.model import CheckResult, Judged, Limits, Verdict

pytestmark = pytest.mark.proof
NAME = "everyday"
SOURCES = everyday.RIGHT | everyday.MISTAKEN | everyday.CHEATS
Class = dict[str, list[CheckResult]]


def notebook(sources: Mapping[str, str]) -> str:
    """Return a notebook with these solution cells, each before the one that shows its points."""
    cells = []
    for name, source in sources.items():
        cells += [cell(name, source), cell(f"test_{name}", "# checked", 1)]
    return json.dumps(notebooks.notebook(*cells))


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """What became of everybody's checks: the reference is asked first, then one after the other."""
    root = tmp_path_factory.mktemp("course")
    shutil.copytree(everyday.COURSE, root, dirs_exist_ok=True)
    found: Class = {student: [] for student in SOURCES}
    for name in everyday.ASSIGNMENTS:
        for student, checks in _judged(root, name):
            found[student] += checks
    return found


def _judged(root: Path, name: str) -> Iterator[tuple[str, list[CheckResult]]]:
    """Judge one assignment as a worker does."""

    def mine(cells: Mapping[str, str]) -> Mapping[str, str]:
        return {cell: cells[cell] for cell in cells if everyday.GROUPS.get(cell, NAME) == name}

    solution = mine(everyday.RIGHT["plain"])
    for path, text in {
        f"source/{name}/{name}.ipynb": notebook(solution),
        f"release/{name}/{name}.ipynb": notebook(dict.fromkeys(solution, "# yours")),
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    limits = Limits()
    assignment = suspension.prepared(Assignment(name, Course(root)), limits)
    copied = assignment._replace(course=Course(bundle.copied(assignment, root / "copy" / name)))
    setting = grading.Setting(copied, {}, limits, digests.course(assignment), "")
    for student, sources in SOURCES.items():
        folder = root / "submitted" / student / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_text(notebook(mine(sources)))
        handed_in = intake.collect(folder, f"{name}.ipynb")
        record, *_ = grading.work(setting, (student, handed_in, Judged()))
        yield student, record.report.checks


def said(checks: list[CheckResult], *verdicts: Verdict) -> dict[str, str]:
    """Return what is said of the checks that ended so."""
    return {one.id: f"{one.message}\n{one.details}" for one in checks if one.verdict in verdicts}


@pytest.mark.parametrize("style", everyday.RIGHT)
def test_right_code_gets_full_marks_in_every_style(judged: Class, style: str) -> None:
    """Does no check take a class or a subclass amiss?"""
    assert not said(judged[style], *set(Verdict) - {Verdict.PASS})


def test_wrong_code_is_caught(judged: Class) -> None:
    """Does each cell lose its point, and is none of it left to a human?"""
    assert not said(judged["wrong"], Verdict.PASS, Verdict.REFEREE_ERROR, Verdict.UNCLEAR)


@pytest.mark.parametrize("cheat", everyday.CHEATS)
def test_an_object_that_lies_gains_nothing(judged: Class, cheat: str) -> None:
    """Does nothing pass that agrees with all it is compared with, whatever it says it is?"""
    assert not said(judged[cheat], Verdict.PASS)
