"""Ask what a check gets that asks for mutants of a student's code, and where it runs them."""

import pytest

from referee.intake import mutants
from referee.model import Cell, Limits
from referee.sandbox.outside.student import MissingNameError, load
from referee.sandbox.outside.submission import Submission

CODE = "def best(a):\n    if a > 2:\n        return 1\n    return 0\n"


def test_mutants_of_code_tell_their_line_and_change():
    """Is the first unchanged, and does each other one name the line in the student's source?"""
    (line, change, source), *others = mutants.of_code(CODE, 50)
    assert (line, change, source) == (0, [], CODE.rstrip())
    assert [2, ["-    if a > 2:", "+    if a >= 2:"], CODE.replace(">", ">=").rstrip()] in others
    assert {line for line, *_ in others} == {2, 3, 4}


def test_there_are_no_more_mutants_than_asked_for():
    """Are they drawn from the whole code?"""
    few = mutants.of_code(CODE, 4)[1:]
    assert 2 <= len(few) <= 4
    assert {line for line, *_ in few} >= {2, 4}
    assert mutants.of_code("x = 1\n", 4) == [[0, [], "x = 1"]]


def test_they_are_made_and_run_where_nothing_of_the_notebook_is(submit):
    """Does a process alone know no name of the cells, though it makes what it is asked to?"""
    with (
        submit("import ast\nast.parse = None\nsecret = 7") as submission,
        submission.alone(1.0) as alone,
    ):
        with alone.student() as empty:
            found = load(empty, mutants).of_code(CODE, 50)
            with pytest.raises(MissingNameError):
                _ = empty.secret
        assert found == mutants.of_code(CODE, 50)


def test_code_is_found_by_the_name_of_its_cell(zygote):
    """Is it "" where there is no such cell?"""
    cells = [Cell("x = 1", "cell 1"), Cell(CODE, "cell best")]
    with Submission(zygote, cells, {}, Limits()) as submission:
        assert (submission.code("best"), submission.code("worst")) == (CODE, "")
