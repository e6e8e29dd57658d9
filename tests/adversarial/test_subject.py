"""What a function of a check was asked is told in the course's words."""

from typing import Any

import pytest

from adversarial.subject import refusal
from games import ConnectFour, after


@pytest.mark.parametrize(
    ("args", "settings", "call", "said"),
    [
        ([(0, 1, 2)], {"d": 2}, (None, ()), "`f` was asked about a state 3 plies deep, with d=2."),
        ([(1, 0)], {"d": 0}, (None, (1,)), "`f` was asked about a state 1 ply deep, with d=0."),
        ([(0,), "MAX"], {}, (None, (), 0), "`f` was asked about a state 1 ply deep, with depth 0."),
        ([[0]], {}, (), "`f` was asked about what is no state."),
        ([], {"d": 1}, (), "`f` was asked about what is no state, with d=1."),
        ([after(ConnectFour(), [3, 3])], {}, (), "`f` was asked about a board with 2 pieces."),
    ],
)
def test_what_was_asked(args: list[Any], settings: Any, call: Any, said: str) -> None:
    """Is it said how deep the state is, and how deep the search was to look?"""
    assert refusal("f", args, settings, call) == said
