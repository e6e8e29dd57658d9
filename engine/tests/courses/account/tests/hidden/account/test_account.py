"""Ask for an account as its text shows it, and never for its history."""

import pytest


@pytest.mark.check(cell="Account", points=2, hint="What was put in is there.")
def test_balance(student):
    """It holds what was put in"""
    account = student.Account("Ada")
    account.put(5)
    assert account.balance == 5
    assert str(account) == "Ada: 5"
