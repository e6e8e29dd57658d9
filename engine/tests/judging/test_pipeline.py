"""Ask whether each check ends in the right verdict, and the verdicts in the right marks.

A tiny course is built in a temporary folder: its notebook has a function for each way in which
student code can fail. The stand-alone runs use pytest as an instructor would.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import nim_course
import notebooks
import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook

from piles import Position
from referee import intake
from referee.course import Assignment, Course
from referee.intake import repair
from referee.judging import pipeline, points, verdicts
from referee.model import CellMark, Judged, Limits, Reference, Report

VERDICTS = Path(__file__).parents[1] / "courses" / "verdicts"
CHECKS, NAMESAKE = (
    (VERDICTS / "tests" / "hidden" / "tiny" / name).read_text("utf-8")
    for name in ("test_verdicts.py", "test_namesake.py")
)
LIMITS = Limits(check_cpu_seconds=0.5, check_calls=50, memory_bytes=1024**3)
SOLUTION = (VERDICTS / "work.py").read_text("utf-8")


CELLS = {"verdicts": 14, "ours": 10, "our_fixture": 7, "shared": 10, "luck": 4, "needs": 4}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    """The tiny course."""
    root, name = tmp_path_factory.mktemp("tiny"), "tiny"
    for folder in ("release", "source", "tests/hidden"):
        (root / folder / name).mkdir(parents=True)
    for file, text in ("test_verdicts.py", CHECKS), ("test_namesake.py", NAMESAKE):
        (root / "tests" / "hidden" / name / file).write_text(text)
    shutil.copy(VERDICTS / "nbgrader_config.py", root)
    shutil.copy(nim_course.ROOT / "pyproject.toml", root)
    shutil.copytree(nim_course.ROOT / "nim", root / "nim")
    for folder in (root, root / "release" / name):
        shutil.copy(nim_course.ROOT / "piles.py", folder)
    cells = [notebooks.cell("work", "# your code")]
    cells += [notebooks.cell(f"test_{cell}", f"check('{cell}')", n) for cell, n in CELLS.items()]
    cells += [
        notebooks.cell("test_unchecked", "", 3),
        notebooks.cell("essay", "Why?", 4, words=True, solution=True, locked=False),
        notebooks.cell("explain", "How?", 15, words=True, task=True),
    ]
    assignment = Assignment(name, Course(root))
    assignment.release.write_text(json.dumps(notebooks.notebook(*cells)))
    cells[0]["source"] = SOLUTION
    assignment.source.write_text(json.dumps(notebooks.notebook(*cells)))
    return assignment


class Everything(tuple[Any, ...]):
    """All questions: the reference has answered each with plain data."""

    __slots__ = ()

    def __contains__(self, question: object) -> bool:
        return True


def judge(course: Assignment, source: str | None = None, known: Judged | None = None) -> Judged:
    """Judge the reference or another cell, without the hook by which this pytest rewrites asserts.

    Some results may be known.
    """
    assignment = course._replace(reference=Reference(Everything()))
    cells = intake.code_cells(taken_in(assignment).notebook)
    if source is not None:
        cells = [msgspec.structs.replace(cells[0], source=source)]
    with pytest.MonkeyPatch.context() as patch:
        hooks = [one for one in sys.meta_path if not isinstance(one, AssertionRewritingHook)]
        patch.setattr(sys, "meta_path", hooks)
        patch.setattr(sys, "path", sys.path[:])
        return pipeline.judge(assignment, cells, LIMITS, known)


@pytest.fixture(scope="module")
def judged(course: Assignment) -> Judged:
    """What the referee makes of the reference."""
    return judge(course)


def taken_in(assignment: Assignment) -> intake.Intake:
    release = intake.parse(assignment.release.read_bytes())
    return repair.read(assignment.source.read_bytes(), release)


def with_passed_reference(assignment: Assignment) -> Assignment:
    """Return an assignment whose reference has passed all checks."""
    return assignment._replace(reference=Reference())


@pytest.fixture(scope="module")
def report(course: Assignment, judged: Judged) -> Report:
    return points.report(with_passed_reference(course), taken_in(course), judged)


def check_of(judged: Judged, name: str) -> Any:
    (check,) = (check for check in judged.results if check.id.endswith(f"::{name}"))
    return check


def timeless(judged: Judged) -> Judged:
    """Return the same without the seconds that it took."""
    costs = {
        name: msgspec.structs.replace(cost, cpu_seconds=0.0) for name, cost in judged.costs.items()
    }
    return msgspec.structs.replace(judged, costs=costs)


def mark_of(report: Report, cell: str) -> CellMark:
    (mark,) = (mark for mark in report.cells if mark.cell == cell)
    return mark


# --- verdicts --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "verdict", "message"),
    [
        ("pass", "pass", ""),
        ("wrong", "wrong", "`right` is off by a little."),
        ("wrong_without_words", "wrong", ""),
        ("error", "error", r"Your code raised IndexError: list index out of range\n.*"),
        ("own_error", "error", r"Your code raised Mine: '<b>mine</b>'\n.*"),
        ("unwritten", "error", r"The code still raises NotImplementedError: .*"),
        ("undefined", "error", r"`missing` is not defined\.$"),
        ("timeout", "timeout", r"Your code was stopped: .*0\.5 seconds.*"),
        ("work_limit", "work-limit", "Your code was stopped: .*more game calls.*"),
        ("odd", "wrong", "Your code's answer is not of the kind that is asked for.*"),
        ("opaque", "wrong", "`liar` is no number."),
        ("not_run", "not-run", "Not run, because this must work first: It never ends"),
        (
            "not_run_either",
            "not-run",
            "Not run, because this must work first: It waits for what never ends",
        ),
        ("runs_after_a_pass", "pass", ""),
        ("ours", "referee-error", r"The check itself failed \(ZeroDivisionError: .*\)\."),
        ("fixture", "referee-error", r"The check itself failed \(OSError: no such .*\)\."),
    ],
)
def test_a_check_ends_in_its_verdict_with_a_message_and_a_hint(judged, name, verdict, message):
    """Does each way to fail have its verdict, words for the student, and points for a pass only?

    There is no hint where it would not help.
    """
    check = check_of(judged, f"test_{name}")
    assert check.verdict == verdict
    assert re.fullmatch(message, check.message, re.DOTALL)
    unhelpful = verdict in ("pass", "not-run", "referee-error") or name == "unwritten"
    assert check.hint == ("" if unhelpful else "The hint of verdicts.")
    assert (check.points, check.max_points) == (1.0 if verdict == "pass" else 0.0, 1.0)


def test_an_error_of_ours_comes_with_its_traceback(judged):
    """Can an instructor see where our check failed, and is there nothing else to see?"""
    assert "ZeroDivisionError" in check_of(judged, "test_ours").details
    assert "in test_ours" in check_of(judged, "test_ours").details
    assert check_of(judged, "test_odd").details.endswith("KeyError: 41")
    others = [check for check in judged.results if check.verdict != "referee-error"]
    assert [check.id for check in others if check.details] == ["test_verdicts.py::test_odd"]


def test_a_missing_name_is_explained_by_the_cell_that_failed(course):
    """When a cell did not run, is that the cause, also if a fixture has asked?"""
    check = check_of(judge(course, source="right = 1 / 0"), "test_one_of_four")
    assert "`right` is not defined" in check.message
    assert "failed: ZeroDivisionError" in check.cause


def test_all_checks_run_in_their_order_although_some_fail(judged):
    """Is there one result for each check, in the order of the files, with an id of its own?

    The id begins with the file, even where a parameter has a slash; `needs` names a check of the
    same file, even one that is called like it.
    """
    expected = [
        f"{file}::{name}"
        for file, text in [("test_namesake.py", NAMESAKE), ("test_verdicts.py", CHECKS)]
        for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)
    ]
    assert list(judged.checks) == expected
    ids = [check.id for check in judged.results]
    assert list(dict.fromkeys(one.partition("[")[0] for one in ids)) == expected
    assert len(ids) == len(set(ids)) > len(expected)
    assert check_of(judged, "test_namesake").verdict == "not-run"


def test_no_message_shows_what_was_expected(judged):
    """Does nothing that leaves the judge hold the expected values of a plain assert?"""
    everything = msgspec.json.encode(judged).decode()
    assert "987654" not in everything
    assert "assert" not in everything
    assert "for instructors" not in everything


def test_what_each_check_has_cost_is_told(judged):
    """Are there the seconds of the cells and of each check, and the calls of games here?"""
    ids = {check.id for check in judged.results}
    assert set(judged.costs) - {""} <= ids
    assert 0 <= judged.costs[""].cpu_seconds < 5  # the clock ticks every 10 ms
    assert judged.costs["test_verdicts.py::test_timeout"].cpu_seconds >= 0.4
    assert judged.costs["test_verdicts.py::test_pass"].calls == 0
    assert judged.costs["test_verdicts.py::test_work_limit"].calls >= 50


# --- marks -----------------------------------------------------------------------------------


def test_the_points_of_the_notebook_are_shared_among_the_checks(report):
    """Does a cell of 10 points, with checks of 1 and 3 and the second passed, get 7.5, as told?"""
    assert mark_of(report, "shared").score == 7.5
    told = [(one.points, one.max_points) for one in report.checks if one.cell == "shared"]
    assert told == [(0, 2.5), (7.5, 7.5)]
    assert mark_of(report, "verdicts").score == 2
    assert mark_of(report, "luck").score == 0


def test_an_error_of_ours_leaves_the_cell_to_a_human_and_is_never_zero(report):
    """Is there no score at all where a check of ours failed, although another passed?"""
    for cell in ("ours", "our_fixture"):
        mark = mark_of(report, cell)
        assert mark.score is None
        assert mark.needs_manual_grade
    assert not report.perfect


def test_the_sums_count_the_automatic_cells(report):
    """Is the score the sum of the cells that checks decide, and the maximum without written ones?

    Written answers, tasks and a test cell without checks wait for a human. A check of a cell that
    the notebook does not have counts nowhere.
    """
    marks = {mark.grade_id: mark for mark in report.cells}
    by_hand = {"essay", "explain"}
    assert marks.keys() == {*(f"test_{cell}" for cell in CELLS), "test_unchecked"} | by_hand
    assert report.score == sum(marks[name].score or 0 for name in marks.keys() - by_hand)
    assert report.max_score == sum(CELLS.values()) + 3
    assert all(mark.needs_manual_grade is (mark.score is None) for mark in report.cells)
    assert all(marks[name].score is None for name in by_hand | {"test_unchecked"})


def test_a_refused_file_gets_nothing_and_a_reason(course, judged):
    """Is each check not run, for the reason given, and each automatic cell zero?"""
    unreadable = taken_in(course)._replace(refused="it is a picture")
    refused = points.report(with_passed_reference(course), unreadable, judged)
    assert refused.refused == "it is a picture"
    assert refused.score == 0
    assert {check.verdict for check in refused.checks} == {"not-run"}
    assert all("it is a picture" in check.message for check in refused.checks)
    assert mark_of(refused, "verdicts").score == 0
    assert mark_of(refused, "ours").score == 0
    assert mark_of(refused, "explain").score is None
    assert check_of(judged, "test_pass").verdict == "pass", "what was judged is as it was"


# --- what is known before --------------------------------------------------------------------


@pytest.mark.parametrize("forgotten", [(), ("test_not_run",), ("test_pass", "test_ours")])
def test_what_is_known_changes_nothing(course, judged, monkeypatch, forgotten):
    """Is the result that of judging afresh, also of a check whose need has failed another time?

    Where everything is known there is not even a process in which it could be asked.
    """
    found = judged.checks.items()
    kept = {name: part for name, part in found if name.partition("::")[2] not in forgotten}
    if not forgotten:
        monkeypatch.setattr(pipeline, "warm", None)
    again = judge(course, known=msgspec.structs.replace(judged, checks=kept))
    assert timeless(again) == timeless(judged)
    assert list(again.checks) == list(judged.checks)


# --- the plugin alone ------------------------------------------------------------------------


def test_alone_the_checks_run_on_the_reference_and_draw_the_same_lots(course, judged):
    """Is the source judged by pytest alone, as an instructor runs it, and `chance` as it was?

    Its numbers depend on the check's name alone: not on the process, not on the other checks.
    """
    asked = "-m", "pytest", "-p", "no:cacheprovider", "-v", "tests/hidden/tiny"
    said = subprocess.run(
        [sys.executable, *asked, "-k", "luck or pass"],
        cwd=course.root, env=os.environ | {"COLUMNS": "200"}, text=True,
        stdout=subprocess.PIPE, check=False,
    ).stdout  # fmt: skip
    assert dict(re.findall(r"::(\w+) (PASSED|FAILED)\b", said)) == {
        "test_luck": "FAILED", "test_other_luck": "FAILED",
        "test_pass": "PASSED", "test_runs_after_a_pass": "PASSED",
    }  # fmt: skip
    drawn = [check_of(judged, name).message for name in ("test_luck", "test_other_luck")]
    lots = {*re.findall(r"lots \[[\d, ]+\]", said)}
    assert len(lots) == 2 and lots == set(drawn)


# --- answers of a kind that no check expects -------------------------------------------------


@pytest.mark.parametrize("value", [None, 3, "a1", [], Position(*"Xabc")])
@pytest.mark.parametrize("use", [lambda value: value(), lambda value: value.max_value])
def test_plain_data_in_place_of_an_object_is_an_error_of_the_student(value, use):
    """Does `MiniMax = 3` cost the points, instead of looking like a check that breaks down?"""
    with pytest.raises((TypeError, AttributeError)) as caught:
        use(value)
    assert verdicts.classify(caught.value, [Position]) == ("error", verdicts.PLAIN_DATA)


@pytest.mark.parametrize("code", ["1 + 'a'", "object().missing", "object()()", "[][0]"])
def test_any_other_mistake_of_a_check_is_ours(code):
    """Does a check that breaks down still go to a human?"""
    with pytest.raises(Exception) as caught:
        eval(code)
    assert verdicts.classify(caught.value)[0] == "referee-error"
