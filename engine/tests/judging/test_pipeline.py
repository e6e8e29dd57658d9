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
from typing import Any, NamedTuple

import msgspec
import nim_course
import notebooks
import pytest
from _pytest.assertion.rewrite import AssertionRewritingHook

from piles import Position
from referee import intake
from referee.course import Assignment, Course
from referee.judging import pipeline, verdicts
from referee.model import Cell, CellMark, Judged, Limits, Reference, Report

LIMITS = Limits(check_cpu_seconds=0.5, check_calls=50, memory_bytes=1024**3)
CELLS = {"verdicts": 14, "ours": 10, "our_fixture": 7, "shared": 10, "luck": 4, "needs": 4}
SOLUTION = """\
import os
class Mine(KeyError): pass
class Equal:
    def __eq__(self, other): return True
    def __repr__(self): return "987654"
def right(n): return 2 * n + 1
def broken(items): return items[5]
def own_error(): raise Mine("<b>mine</b>")
def unwritten(): raise NotImplementedError()
def endless():
    while True: pass
def busy(game):
    while True: game.actions(game.initial)
def deadly(): os._exit(3)
def liar(): return Equal()
"""


class Row(NamedTuple):
    """A check: what it does, how it ends, what is said; its cell, points, needs and fixtures."""

    does: str
    verdict: str
    said: str = ""
    cell: str = "verdicts"
    points: int = 1
    needs: str | None = None
    uses: str = "student"


FIRST = "Not run, because this must work first: The check {}"
LOTS = r"lots \[[\d, ]+\]"
DRAW = "pytest.fail(f'lots {chance.sample(range(10**6), 3)}')"
ROWS = {
    "pass": Row("assert student.right(20) == 41, 'Never shown.'", "pass"),
    "wrong": Row("assert student.right(20) == 987654, 'It is off.'", "wrong", r"It is off\."),
    "wrong_without_words": Row("a = 987654\n    assert student.right(20) == a", "wrong"),
    "error": Row(
        "student.broken([1]) == 987654", "error",
        r"Your code raised IndexError: list index out of range\n.*",
    ),
    "own_error": Row(
        "student.own_error()", "error", r"Your code raised Mine: '<b>mine</b>'\n.*"
    ),
    "unwritten": Row("student.unwritten()", "error", "The code still raises NotImplementedError.*"),
    "undefined": Row("student.missing()", "error", r"`missing` is not defined\.$"),
    "timeout": Row("student.endless()", "timeout", r"Your code was stopped: .*0\.5 seconds.*"),
    "work_limit": Row(
        "student.busy(Letters())", "work-limit", "Your code was stopped: .*more game calls.*"
    ),
    "odd": Row(
        "{7: 'seven'}[student.right(20)]", "wrong",
        "Your code's answer is not of the kind that is asked for.*",
    ),
    "opaque": Row("assert student.liar() == 987654, 'No number.'", "wrong", r"No number\."),
    "not_run": Row(
        "student.deadly()", "not-run", FIRST.format("timeout"), needs="test_timeout"
    ),
    "not_run_either": Row(
        "student.deadly()", "not-run", FIRST.format("not_run"), needs="test_not_run"
    ),
    "runs_after_a_pass": Row("assert student.right(1) == 3", "pass", needs="test_pass"),
    "ours": Row(
        "student.right(20)\n    1 / 0", "referee-error",
        r"The check itself failed \(ZeroDivisionError: .*\)\.", "ours",
    ),
    "fine": Row("assert student.right(20) == 41", "pass", cell="ours"),
    "fixture": Row(
        "pass", "referee-error", r"The check itself failed \(OSError: no such .*\)\.",
        "our_fixture", uses="bad",
    ),
    "one_of_four": Row("assert right(0) == 0", "wrong", cell="shared", uses="right"),
    "three_of_four": Row("assert student.right(0) == 1", "pass", cell="shared", points=3),
    "of_no_cell": Row("pass", "pass", cell="elsewhere", points=5),
    "luck": Row(DRAW, "wrong", LOTS, "luck", uses="student, chance"),
    "other_luck": Row(DRAW, "wrong", LOTS, "luck", uses="student, chance"),
}  # fmt: skip
NAMESAKES = {
    "first": Row("assert student.right(1) == 0", "wrong", cell="needs"),
    "blank": Row("student.unwritten()", "error", ".* NotImplementedError.*", "needs"),
    "namesake": Row(
        "assert student.right(1) == 3", "not-run", FIRST.format("blank"), "needs",
        needs="test_blank",
    ),
}  # fmt: skip
CHECK = """
@pytest.mark.check(cell={0.cell!r}, points={0.points}, needs={0.needs!r}, hint="Of {0.cell}.")
def test_{1}({0.uses}):
    \"\"\"The check {1}

    This line is for instructors.
    \"\"\"
    {0.does}
"""
FILES = {
    "test_namesake.py": "import pytest\n"
    + "".join(CHECK.format(row, name) for name, row in NAMESAKES.items())
    + "@pytest.mark.parametrize('picture', ['X O / . .', 'X . / . .'])"
    + CHECK.format(Row("pass", "pass", cell="needs", uses="student, picture"), "pictures"),
    "test_verdicts.py": "import pytest\nfrom piles import Letters\n"
    "@pytest.fixture\ndef bad(student): raise OSError('no such file of ours')\n"
    "@pytest.fixture\ndef right(student): return student.right\n"
    + "".join(CHECK.format(row, name) for name, row in ROWS.items()),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Assignment:
    """The tiny course."""
    root, name = tmp_path_factory.mktemp("tiny"), "tiny"
    shutil.copytree(nim_course.ROOT, root, dirs_exist_ok=True)
    for folder in ("release", "source", "tests/hidden"):
        (root / folder / name).mkdir()
    for file, text in FILES.items():
        (root / "tests" / "hidden" / name / file).write_text(text)
    shutil.copy(root / "piles.py", root / "release" / name)
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


def judge(course: Assignment, source: str = SOLUTION, known: Judged | None = None) -> Judged:
    """Judge a cell, without the hook by which this pytest rewrites asserts.

    Some results may be known.
    """
    assignment = course._replace(reference=Reference(Everything()))
    with pytest.MonkeyPatch.context() as patch:
        hooks = [one for one in sys.meta_path if not isinstance(one, AssertionRewritingHook)]
        patch.setattr(sys, "meta_path", hooks)
        patch.setattr(sys, "path", sys.path[:])
        return pipeline.judge(assignment, [Cell(source, "cell work")], LIMITS, known)


@pytest.fixture(scope="module")
def judged(course: Assignment) -> Judged:
    """What the referee makes of the reference."""
    return judge(course)


def reported(course: Assignment, judged: Judged, refused: str | None = None) -> Report:
    """Return the report of the reference, which has passed all checks, or of a file refused."""
    accepted = intake.accept_file(course, course.source.read_bytes())._replace(refused=refused)
    return pipeline.report(course._replace(reference=Reference()), accepted, judged)


@pytest.fixture(scope="module")
def report(course: Assignment, judged: Judged) -> Report:
    return reported(course, judged)


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


@pytest.mark.parametrize(("name", "row"), (ROWS | NAMESAKES).items())
def test_a_check_ends_in_its_verdict_with_a_message_and_a_hint(judged, name, row):
    """Does each way to fail have its verdict, words for the student, and points for a pass only?

    There is no hint where it would not help.
    """
    check = check_of(judged, f"test_{name}")
    assert check.verdict == row.verdict
    assert re.fullmatch(row.said, check.message, re.DOTALL)
    unhelpful = row.verdict in ("pass", "not-run", "referee-error") or "unwritten" in row.does
    assert check.hint == ("" if unhelpful else f"Of {row.cell}.")
    points = row.points if row.verdict == "pass" else 0
    assert (check.points, check.max_points) == (points, row.points)


def test_an_error_of_ours_comes_with_its_traceback(judged):
    """Can an instructor see where our check failed, and is there nothing else to see?"""
    assert "ZeroDivisionError" in check_of(judged, "test_ours").details
    assert check_of(judged, "test_ours").details.splitlines()[0].endswith(": in test_ours")
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
    expected = [f"test_namesake.py::test_{name}" for name in (*NAMESAKES, "pictures")]
    expected += [f"test_verdicts.py::test_{name}" for name in ROWS]
    assert list(judged.checks) == expected
    ids = [check.id for check in judged.results]
    assert list(dict.fromkeys(one.partition("[")[0] for one in ids)) == expected
    assert len(ids) == len(set(ids)) > len(expected)


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


def test_an_error_of_ours_leaves_the_cell_to_a_human_and_is_never_zero(report):
    """Is there no score at all where a check of ours failed, although another passed?"""
    for cell in ("ours", "our_fixture"):
        mark = mark_of(report, cell)
        assert mark.score is None
        assert mark.needs_manual_grade
    assert not report.perfect


def test_the_sums_count_the_automatic_cells(report):
    """Is the score the sum of the cells that checks decide, and the maximum without written ones?

    A cell of 10 points, with checks of 1 and 3 and the second passed, gets 7.5, as told. Written
    answers, tasks and a test cell without checks wait for a human. A check of a cell that the
    notebook does not have counts nowhere.
    """
    told = [(one.points, one.max_points) for one in report.checks if one.cell == "shared"]
    assert told == [(0, 2.5), (7.5, 7.5)]
    scores = {name: mark_of(report, name).score for name in ("shared", "verdicts", "luck")}
    assert scores == {"shared": 7.5, "verdicts": 2, "luck": 0}
    marks = {mark.grade_id: mark for mark in report.cells}
    by_hand = {"essay", "explain"}
    assert marks.keys() == {*(f"test_{cell}" for cell in CELLS), "test_unchecked"} | by_hand
    assert report.score == sum(marks[name].score or 0 for name in marks.keys() - by_hand)
    assert report.max_score == sum(CELLS.values()) + 3
    assert all(mark.needs_manual_grade is (mark.score is None) for mark in report.cells)
    assert all(marks[name].score is None for name in by_hand | {"test_unchecked"})


def test_a_refused_file_gets_nothing_and_a_reason(course, judged):
    """Is each check not run, for the reason given, and each automatic cell zero?"""
    refused = reported(course, judged, "it is a picture")
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
