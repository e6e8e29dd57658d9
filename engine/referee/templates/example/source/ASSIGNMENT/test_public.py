"""The public checks of ASSIGNMENT: students get this file, and may read it.

The class `Test_median` holds the checks of the cell "median": `check("median")` in the notebook
runs them, `pytest` in a terminal runs all. In each, `student` is the notebook, and `student.median`
what it calls `median`; it runs right here, so anything may be done with it. The docstring of a
check is what it is called in the report; the message of an `assert` is what a student reads.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from check import student  # noqa: F401 - pytest finds it by its name


class Test_median:
    """The checks of the cell "median"."""

    def test_example(self, student):
        """The median of 3, 1 and 2 is 2"""
        answer = student.median([3, 1, 2])
        assert answer == 2, f"median([3, 1, 2]) is {answer!r}; it should be 2."
