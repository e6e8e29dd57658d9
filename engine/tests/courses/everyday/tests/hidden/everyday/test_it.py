"""Hidden checks of the cells of a first course, by an author who thinks of local objects."""

import time
from fractions import Fraction

import pytest


def check(cell):
    return pytest.mark.check(cell=cell, points=1, hint="Look again.")


@check("Vec")
def test_vec(student):
    """Vectors are equal, add, scale and compare"""
    v, w = student.Vec(1, 2), student.Vec(3, 4)
    assert v == student.Vec(1, 2) and not v == w and v != w
    assert v + w == student.Vec(4, 6) and (v + w).x == 4
    assert (w - v).x == 2 and (-v).y == -2
    assert (v * 2).y == 4 and (2 * v).x == 2 and v * w == v @ w == 11
    assert v < w and not w < v
    assert abs(abs(w) - 5) < 1e-9
    assert {v: "first"}[student.Vec(1, 2)] == "first"


@check("Vec")
def test_vec_as_a_sequence(student):
    """A vector has a length, items and a text"""
    v = student.Vec(7, 8)
    assert len(v) == 2 and list(v) == [7, 8] and v[0] == 7 and v[-1] == 8
    assert v.__len__() == 2 and sum(v) == 15
    assert 8 in v and 9 not in v
    assert str(v) == "(7, 8)" and repr(v) == "Vec(7, 8)" and f"{v}" == "(7, 8)"
    x, y = v
    assert (x, y) == (7, 8) and isinstance(v, student.Vec) and not isinstance(3, student.Vec)
    with pytest.raises(IndexError):
        v[2]


@check("greet")
def test_greet(student, typed, printed):
    """It asks who is there, and greets"""
    typed("Ada", "Bob")
    student.greet()
    assert "Hello, Ada!" in printed()
    student.greet()
    assert "Hello, Bob!" in printed() and "Ada" not in printed()


@check("Countdown")
def test_countdown(student):
    """It counts down, and can be asked for the next"""
    assert list(student.Countdown(3)) == [3, 2, 1]
    walk = iter(student.Countdown(2))
    assert next(walk) == 2 and next(walk) == 1
    with pytest.raises(StopIteration):
        next(walk)
    assert sum(student.Countdown(4)) == 10 and max(student.Countdown(4)) == 4


@check("Timer")
def test_timer(student):
    """It measures a block, whatever happens in it"""
    with student.Timer() as timer:
        time.sleep(0.02)
    assert timer.seconds > 0.01
    with pytest.raises(ZeroDivisionError):
        with student.Timer() as timer:
            raise ZeroDivisionError("inside")
    assert timer.seconds is not None


@check("blur")
def test_blur(student):
    """Each pixel is the mean of itself and its neighbours"""
    import numpy as np

    image = np.zeros((4, 4))
    image[1, 1] = 9.0
    expected = np.zeros((4, 4))
    expected[:3, :3] = 1.0
    blurred = student.blur(image)
    assert blurred.shape == (4, 4) and blurred.dtype == float
    assert np.allclose(blurred[1:3, 1:3], expected[1:3, 1:3])
    assert abs(blurred - expected)[1:3, 1:3].max() < 1e-9
    assert blurred[1:3, 1:3] == pytest.approx(expected[1:3, 1:3])


@check("sort_by")
def test_sort_by(student, arguments):
    """It sorts the list that it gets"""
    people = [["Ann", 31], ["Bob", 25], ["Cid", 28]]
    assert student.sort_by(people, lambda person: person[1]) is None
    assert [name for name, _ in arguments()[0]] == ["Bob", "Cid", "Ann"] and people[0][0] == "Ann"


@check("primes")
def test_primes(student):
    """Primes without end"""
    from itertools import islice

    assert list(islice(student.primes(), 6)) == [2, 3, 5, 7, 11, 13]
    walk = student.primes()
    assert next(walk) == 2 and next(walk) == 3


@check("changed")
def test_changed(student):
    """Bytes of another case, the next day, and tenths"""
    from datetime import date
    from decimal import Decimal

    assert student.changed(b"Ab") == b"aB"
    assert student.tomorrow(date(2024, 2, 28)) == date(2024, 2, 29)
    assert student.tenths(Fraction(1, 8)) == Decimal("0.1")


@check("Loud")
def test_loud(student):
    """A class below another one, with an error that says what it is about"""
    assert issubclass(student.Loud, student.Plain) and not issubclass(student.Plain, student.Loud)
    with student.raises("TooLoud") as info:
        student.Loud().say("x" * 7)
    assert "7" in str(info.value)


@check("by_town")
def test_by_town(student):
    """The mean price of each town"""
    import pandas as pd

    table = pd.DataFrame({"town": ["A", "B", "A"], "price": [1.0, 5.0, 3.0]})
    means = pd.Series({"A": 2.0, "B": 5.0})
    pd.testing.assert_series_equal(student.by_town(table), means, check_names=False)
