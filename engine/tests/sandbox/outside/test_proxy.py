"""Ask whether objects of a submission do what they do in Python, and lie about themselves only."""

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import pytest

from referee.judging import plugin, verdicts
from referee.model import Verdict
from referee.sandbox.inside import fixtures
from referee.sandbox.outside.student import (
    ObjectError,
    Student,
    StudentError,
    always_data,
    load,
)
from referee.sandbox.outside.submission import Submission

Asked = Callable[..., AbstractContextManager[Student]]

CELLS = Path(__file__).parents[2] / "courses" / "cells"
CELL = (CELLS / "operators.py").read_text("utf-8")


@pytest.fixture(scope="module")
def cell(submit: Callable[..., Submission]) -> Iterator[Submission]:
    """Give a submission that defines what is in CELL."""
    with submit(CELL) as submission:
        assert [run.error for run in submission.runs] == [None]
        yield submission


@pytest.fixture
def student(cell: Submission) -> Iterator[Student]:
    """Give a copy of it, as the reference solution is asked: objects may be anywhere."""
    with cell.student(data=()) as student:
        yield student


def test_an_object_is_none_where_the_reference_has_data(cell: Submission) -> None:
    """Is an object that agrees with all used as data only where nothing says that it should not?"""
    with cell.student(data=()) as student:
        assert abs(student.liar() - 5) < 1e-9
        assert always_data(student)["liar()"] is False
    for data in (["liar()"], None):
        with cell.student(data=data) as student, pytest.raises(StudentError, match="plain data"):
            abs(student.liar() - 5)
    with cell.student(data=["liar()"]) as student:
        for use in (lambda liar: liar.shape, lambda liar: liar(), lambda liar: liar.mean()):
            with pytest.raises(StudentError, match="plain data"):
                use(student.liar())


def test_what_is_asked_is_noted_as_data_only_if_it_always_was(student: Student) -> None:
    """Are a number, an object and the items of a list told apart, and None taken for neither?"""
    assert student.number() == 3
    assert student.point().x == 1
    student.pile.append(1)
    noted = always_data(student)
    assert [noted.get(path) for path in ("number()", "point()", ".x", ".append()")] == [
        True, False, True, None,
    ]  # fmt: skip


@pytest.mark.parametrize("plain", [0, "a", (1, 2), [], math.pi, pytest.approx(3), {1}])
def test_plain_data_is_never_equal_by_an_eq_of_the_students(student: Student, plain: Any) -> None:
    """Is the check's author told so, whichever side the object stands on, and no student, also
    where the check has a name for the answer?
    """
    liar = student.liar()
    for compare in (
        lambda: liar == plain, lambda: plain == liar, lambda: liar != plain, lambda: liar in [plain]
    ):  # fmt: skip
        with pytest.raises(ObjectError, match=r"its own __eq__ is not asked. Ask for data") as told:
            compare()
        assert verdicts.classify(told.value)[0] is Verdict.REFEREE_ERROR
        assert not verdicts.is_about_answer(told.value, {"student": student})
    assert liar == student.liar()
    assert (liar == None) is False  # noqa: E711
    with pytest.raises(ObjectError, match="ask this object for an attribute"):
        liar.plain()


def test_the_data_of_a_subclass_is_what_it_holds(student: Student) -> None:
    """Do equality and hash rest on that, whatever the methods of its class say?"""
    pile = student.pile
    assert pile == [1, 2] and pile != [1, 1] and pile != []
    assert type(pile.plain()) is list
    assert (len(pile), pile[5], pile.top()) == (99, 1, 2)
    point = student.point()
    assert point == (1, 3) and point in {(1, 3)} and {point: "it"}[(1, 3)] == "it"
    assert type(point.plain()) is tuple and point.y == 3 and point.y.name == "RED"
    total = student.Sum(3)
    assert total == 3 and total + 1 == 42 and total.plain() + 1 == 4
    with pytest.raises(TypeError, match="unhashable"):
        hash(pile)


def test_lengths_and_items_have_limits(student: Student, monkeypatch: pytest.MonkeyPatch) -> None:
    """Does neither a length nor an iterator without end keep the referee busy?"""
    liar = student.liar()
    with pytest.raises(StudentError, match="a length is over"):
        len(liar)
    monkeypatch.setattr("referee.sandbox.outside.proxy.MAX_ITEMS", 100)
    with pytest.raises(StudentError, match="more than 100 items"):
        for _ in liar:
            pass
    walk = iter(liar)
    assert [next(walk) for _ in range(3)] == [1, 1, 1]


def test_no_context_keeps_a_failure_from_the_check(student: Student) -> None:
    """Are assertions, and what student code raises, held back by no `__exit__`?"""
    with pytest.raises(AssertionError, match="ours"), student.liar():
        raise AssertionError("ours")
    with pytest.raises(KeyError), student.liar() as liar:
        liar.fail()
    with pytest.raises(TypeError), student.liar():
        len(3)  # type: ignore[arg-type]
    with student.liar():
        raise KeyError("raised by the check itself, and held back")


def test_an_object_is_changed_where_it_is(student: Student) -> None:
    """Are attributes and items set and deleted there, slices and `+=` too?"""
    liar = student.liar()
    liar.name = "Ann"
    liar._secret = 1
    assert (liar.name, liar._secret) == ("Ann", 1)
    del liar.name
    assert not hasattr(liar, "name")
    pile = student.pile
    pile += [3]
    pile[0] = 9
    del pile[1]
    assert pile == [9, 3] and student.pile == [9, 3]
    pile[1:] = [7, 7]
    assert pile == [9, 7, 7] and isinstance(pile, student.Pile)


# --- exceptions ------------------------------------------------------------------------------

STANDARD = [KeyError, AttributeError, OSError, AssertionError, RecursionError, UnicodeError]


@pytest.mark.parametrize("kind", STANDARD, ids=lambda kind: kind.__name__)
def test_any_exception_can_be_expected(student: Student, kind: type[Exception]) -> None:
    """Do pytest's own `raises` and ours agree, and is one that nobody expects an error?"""
    with pytest.raises(kind, match="why") as caught:
        student.fail_by(kind.__name__, "why")
    assert verdicts.classify(caught.value)[0] is Verdict.ERROR
    with student.raises(kind, match="why"):
        student.fail_by(kind.__name__, "why")
    with pytest.raises(AssertionError, match="not the one"), student.raises(kind, match="because"):
        student.fail_by(kind.__name__, "why")


def test_an_exception_of_the_students_own_is_expected_by_name(student: Student) -> None:
    """Does the name of a class fit, or of one above it, or the class, and nothing else?"""
    for name in ("DeeperError", "OwnError", student.OwnError, LookupError):
        with student.raises(name):
            student.fail_by("DeeperError")
    with pytest.raises(LookupError), student.raises("Another"):
        student.fail_by("DeeperError")
    with pytest.raises(AssertionError, match="should raise OwnError"), student.raises("OwnError"):
        student.number()


def test_the_end_of_an_iteration_ends_none_of_the_check(student: Student) -> None:
    """Does StopIteration from a function not cut short what the check walks through?"""
    with pytest.raises(StudentError):
        all(map(student.fail_by, ["StopIteration"]))


# --- the environment -------------------------------------------------------------------------


def test_lines_are_typed_and_files_read_and_written(student: Student) -> None:
    """Does `input` take the lines in order and then end, and is a file what was put there?"""
    table = load(student, fixtures)
    table.answer("7", "ä")
    assert student.ask() == ["7", "ä"]
    with pytest.raises(EOFError):
        student.ask()
    files = plugin.Files(table)
    files["data/a.txt"] = "ä\n"
    files["b.bin"] = b"\xff\x00"
    assert (files["data/a.txt"], files["b.bin"]) == ("ä\n", b"\xff\x00")
    assert {"data/a.txt", "b.bin"} <= set(files)
    with suppress(FileNotFoundError):
        pytest.fail(f"there is a file {files['none']!r}")
