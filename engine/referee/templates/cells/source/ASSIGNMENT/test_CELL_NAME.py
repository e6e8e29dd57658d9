"""The public checks of the cell "CELL_NAME": students get this file, and may read it.

`check("CELL_NAME")` in the notebook runs the methods of `Test_CELL_NAME`. There `student` is the
notebook, and `student.THING` what it calls `THING`. The message of an `assert` is what a student
reads.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from check import student  # noqa: F401 - pytest finds it by its name


class Test_CELL_NAME:
    """The checks of the cell "CELL_NAME"."""

    def test_defined(self, student):
        """`THING` is defined"""
        assert student.THING is not None  # ask it a question, and compare the answer
