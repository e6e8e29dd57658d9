"""Hidden checks that ask in each way a check can."""

import pytest

from piles import Letters


def check(cell="double", points=1, **more):
    return pytest.mark.check(cell=cell, points=points, hint="Count.", **more)


@check(points=2)
def test_double(student, chance):
    """It doubles"""
    numbers = [chance.randrange(100) for _ in range(3)]
    assert [student.double(n) for n in numbers] == [2 * n for n in numbers], "Twice as much."
    assert student.double(0.1) == pytest.approx(0.2, rel=1e-9)


@check()
@pytest.mark.parametrize("number", [-3, -50])
def test_each(student, number):
    """It doubles negative numbers"""
    assert student.double(number) == 2 * number


@check(needs="test_double")
def test_objects(student, printed):
    """It counts, and says something"""
    counter = student.Counter()
    assert [counter.up(), counter.up()] == [1, 2]
    assert student.noisy(-4) == 4
    assert printed() == "told -4\n"
    assert student.asking_back(lambda n: student.double(n)) == [0, 2, 4]


@check()
def test_searching(student):
    """It visits a tree"""
    assert student.searching(Letters()) == 56


@check()
def test_wrong(student):
    """It is wrong"""
    assert student.double(4) == 9, "Not nine."


@check()
def test_error(student):
    """It raises"""
    student.broken([1])


@check()
def test_undefined(student):
    """It is not there"""
    student.missing()


@check()
def test_timeout(student):
    """It never ends"""
    student.endless()


@check()
def test_work_limit(student):
    """It asks for ever"""
    student.busy(Letters())


@check()
def test_memory(student):
    """It wants all memory"""
    student.greedy()


@check()
def test_tampered(student):
    """It forges a message"""
    student.forging()


@check()
def test_in_our_hands(student):
    """A function of the check's own fails"""

    def refuse(n):
        raise AssertionError("It must not ask.")

    student.asking_back(refuse)
