"""Hidden checks of the cells playing and evaluation_a: the tables that they leave behind."""

import math
from typing import Any

import pytest

from adversarial.checks import oracle
from adversarial.rules import TicTacToe
from games import OPENINGS, after

PAIRS = [
    ("random", "AlphaBeta"),
    ("AlphaBeta", "random"),
    ("MiniMax", "AlphaBeta"),
    ("AlphaBeta", "MiniMax"),
]
NAMES = ["MiniMax", "AlphaBeta"]
DAY = 24 * 60 * 60  # seconds


def is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < math.inf


def table(student: Any, name: str) -> dict[Any, list[Any]]:
    """Return a dictionary of ten numbers each for MiniMax and AlphaBeta."""
    found = getattr(student, name)
    assert type(found) is dict, f"`{name}` must be a dictionary."
    assert set(found) == set(NAMES), f"The keys of `{name}` must be 'MiniMax' and 'AlphaBeta'."
    for key in NAMES:
        row = found[key]
        fits = type(row) in (list, tuple) and len(row) == 10 and all(map(is_number, row))
        assert fits, f"`{name}['{key}']` must be a list of ten numbers."
    return found


@pytest.mark.check(
    cell="playing",
    points=1,
    hint="The keys are pairs of names, the first player's name first.",
)
def test_pairings(student):
    """`results` has an entry for each of the four pairings"""
    assert type(student.results) is dict, "`results` must be a dictionary."
    missing = [pair for pair in PAIRS if pair not in student.results]
    assert not missing, f"`results` has no entry for {missing[0]}."


@pytest.mark.check(
    cell="playing",
    points=1,
    hint="`play_game` returns what belongs here: +1, 0 or -1, as the first player sees it.",
    needs="test_pairings",
)
def test_utilities(student):
    """Each entry is the utility of a finished game"""
    entries = {pair: student.results[pair] for pair in PAIRS}
    wrong = [p for p in PAIRS if not is_number(entries[p]) or entries[p] not in (-1, 0, 1)]
    assert not wrong, f"The entry for {wrong[0]} is no utility of tic-tac-toe."


@pytest.mark.check(
    cell="playing",
    points=1,
    hint="MiniMax sees the whole game: as first player it gets 0 or more, as second 0 or less.",
    needs="test_utilities",
)
def test_minimax_does_not_lose(student):
    """MiniMax loses neither of its games"""
    found = student.results
    lost = found["MiniMax", "AlphaBeta"] < 0 or found["AlphaBeta", "MiniMax"] > 0
    assert not lost, "MiniMax has lost: check who moves first and whose utility is kept."
    lost = found["random", "AlphaBeta"] > 0 or found["AlphaBeta", "random"] < 0
    assert not lost, (
        "AlphaBeta has lost to random: check who moves first and whose utility is kept."
    )


@pytest.mark.check(
    cell="evaluation_a",
    points=2,
    hint="Ten games for each player, one from each of the ten OPENINGS, in their order.",
)
def test_ten_games(student):
    """`terminal_states` has ten utilities for each player"""
    states = table(student, "terminal_states")
    odd = [value for name in NAMES for value in states[name] if value not in (-1, 0, 1)]
    assert not odd, "`terminal_states` holds a number that is no utility of tic-tac-toe."


@pytest.mark.check(
    cell="evaluation_a",
    points=3,
    hint="Start game number i from `after(game, OPENINGS[i])` and keep what `play_game` returns.",
    needs="test_ten_games",
)
def test_perfect_play(student):
    """MiniMax against itself ends every game as its opening is worth"""
    worth = [oracle().value(after(TicTacToe(), opening)) for opening in OPENINGS]
    for name in NAMES:
        found = table(student, "terminal_states")[name]
        wrong = sum(value != right for value, right in zip(found, worth, strict=True))
        assert not wrong, (
            f"{wrong} of the ten games of {name} did not end as perfect play ends them."
        )


@pytest.mark.check(
    cell="evaluation_a",
    points=2,
    hint="Measure each game: the clock before it and after it, `time.perf_counter()`.",
)
def test_times(student):
    """`time_taken` has ten times in seconds for each player"""
    times = table(student, "time_taken")
    assert all(0 <= value < DAY for name in NAMES for value in times[name]), (
        "A time is below zero, or longer than a day."
    )
    assert all(sum(times[name]) > 1e-4 for name in NAMES), (
        "Ten games in less than a ten-thousandth of a second: the games were not measured."
    )
    growing = all(list(times[name]) == sorted(set(times[name])) for name in NAMES)
    assert not growing, "Each time is longer than the one before: are the earlier games in it?"
