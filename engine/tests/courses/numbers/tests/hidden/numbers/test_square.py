"""Hidden checks of a course that tests grade."""

import pytest


@pytest.mark.check(cell="square", points=4, hint="By itself.")
def test_square(student):
    """It squares."""
    assert student.square(7) == 49
