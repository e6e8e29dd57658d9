"""The hidden checks of the cell "CELL_NAME": no student sees this file.

They share the points that the cell has in the notebook in proportion to their own `points`.
`student.THING` is what the notebook calls `THING`, in a process of its own; calls are questions to
it, and answers are plain data.
"""

import pytest


@pytest.mark.check(cell="CELL_NAME", points=1, hint="Is the cell filled in?")
def test_CELL_NAME(student):  # noqa: N802 - it is called as its cell
    """`THING` is defined"""
    assert student.THING is not None  # ask it a question, and compare the answer
