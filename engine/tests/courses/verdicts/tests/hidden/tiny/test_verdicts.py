"""Hidden checks, one for each verdict."""

import pytest

from piles import Letters


def check(cell, points, **more):
    return pytest.mark.check(cell=cell, points=points, hint=f"The hint of {cell}.", **more)


@check("verdicts", 1)
def test_pass(student):
    """It passes"""
    assert student.right(20) == 41, "Never shown."


@check("verdicts", 1)
def test_wrong(student):
    """It is wrong

    This line is for instructors.
    """
    assert student.right(20) == 987654, "`right` is off by a little."


@check("verdicts", 1)
def test_wrong_without_words(student):
    """It is wrong, and the check says nothing of its own"""
    expected = [987654, 3]
    assert student.right(20) == expected[0]


@check("verdicts", 1)
def test_error(student):
    """It raises"""
    assert student.broken([1, 2]) == 987654


@check("verdicts", 1)
def test_own_error(student):
    """It raises a class of its own"""
    student.own_error()


@check("verdicts", 1)
def test_unwritten(student):
    """It is not written"""
    assert student.unwritten() == 987654


@check("verdicts", 1)
def test_undefined(student):
    """It is not there"""
    student.missing()


@check("verdicts", 1)
def test_timeout(student):
    """It never ends"""
    student.endless()


@check("verdicts", 1)
def test_work_limit(student):
    """It asks the game for ever"""
    student.busy(Letters())


@check("verdicts", 1)
def test_odd(student):
    """It answers with a number that the check has no word for"""
    number = student.right(20)
    word = {7: "seven"}[number]
    assert word == "seven"


@check("verdicts", 1)
def test_opaque(student):
    """It answers with an object that is equal to everything"""
    assert student.liar() == 987654, "`liar` is no number."


@check("verdicts", 1, needs="test_timeout")
def test_not_run(student):
    """It waits for what never ends"""
    student.deadly()


@check("verdicts", 1, needs="test_not_run")
def test_not_run_either(student):
    """It waits for what was not run"""
    student.deadly()


@check("verdicts", 1, needs="test_pass")
def test_runs_after_a_pass(student):
    """What it needs has passed"""
    assert student.right(1) == 3


@check("ours", 1)
def test_ours(student):
    """The check has a bug"""
    student.right(20)
    1 / 0


@check("ours", 1)
def test_fine(student):
    """This one is fine"""
    assert student.right(20) == 41


@pytest.fixture
def bad(student):
    raise OSError("no such file of ours")


@check("our_fixture", 1)
def test_fixture(bad):
    """The fixture of the check has a bug"""


@pytest.fixture
def right(student):
    return student.right


@check("shared", 1)
def test_one_of_four(right):
    """A quarter"""
    assert right(0) == 0


@check("shared", 3)
def test_three_of_four(student):
    """Three quarters"""
    assert student.right(0) == 1


@check("elsewhere", 5)
def test_of_no_cell(student):
    """It belongs to a cell that the notebook does not have"""


@check("luck", 1)
def test_luck(student, chance):
    """It draws lots"""
    pytest.fail(f"lots {chance.sample(range(10**6), 3)}")


@check("luck", 1)
def test_other_luck(student, chance):
    """It draws other lots"""
    pytest.fail(f"lots {chance.sample(range(10**6), 3)}")
