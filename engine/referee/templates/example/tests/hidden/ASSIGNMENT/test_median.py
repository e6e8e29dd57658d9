"""The hidden checks of the cell "median": no student sees this file.

A check is a function at the top of a file test_*.py with the marker below. The points of the cell
stand in the notebook; its checks share them in proportion to their `points`. The docstring's first
line is the title that students read. When the check fails they read the message of the `assert`,
if it has one, and the hint; write both so that they give no answer away.

`student` is the notebook, in a process of its own: `student.median(...)` is a question to it, and
the answer is plain data. `chance` draws numbers, other ones for each notebook, so that no answers
can be handed on. What is expected comes from elsewhere: here from Python's own library.
"""

import statistics

import pytest


@pytest.mark.check(cell="median", points=2, hint="Put the numbers in order first.")
def test_odd(student, chance):
    """Of an odd count of numbers it is the one in the middle"""
    for count in (1, 3, 5, 7, 9):
        numbers = chance.sample(range(100), count)
        assert student.median(numbers) == statistics.median(numbers)


@pytest.mark.check(cell="median", points=1, hint="There are two in the middle: take their mean.")
def test_even(student, chance):
    """Of an even count it is the mean of the two in the middle"""
    for count in (2, 4, 6, 8):
        numbers = chance.sample(range(100), count)
        answer = student.median(numbers)
        assert answer == statistics.median(numbers), f"Of {count} numbers it is another one."
