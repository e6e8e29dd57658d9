"""Hidden checks of the cells playing and evaluation_a: do the tables say what the players do?

The student's players play again what can be played again in a second. Without players that play a
table earns nothing, and one that tells how a wrong player has done loses nothing.
"""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from adversarial.checks.boards import oracle
from adversarial.checks.trees import is_number
from adversarial.games.rules import TicTacToe
from games import OPENINGS, after

Play = Callable[..., float]

PAIRS = [
    ("random", "AlphaBeta"),
    ("AlphaBeta", "random"),
    ("MiniMax", "AlphaBeta"),
    ("AlphaBeta", "MiniMax"),
]
NAMES = ["MiniMax", "AlphaBeta"]
START = [(0, 0), (1, 1)]
NEARLY_OVER = [(1, 1), (0, 0), (0, 2), (2, 0), (1, 0)]
MOST_SECONDS = 25  # that a cell may compute, by nbgrader_config.py


@pytest.fixture
def play(student: Any, fast_tictactoe: Callable[..., Any]) -> Play:
    """Give a function that lets two of the student's players play: `play(names, moves)`.

    It returns the utility for the one who begins, in the state after some moves. Both players have
    shown by then that they can end a game.
    """
    rules, board = TicTacToe(), fast_tictactoe()
    makers = {"MiniMax": student.MiniMax, "AlphaBeta": lambda: student.AlphaBeta(d=9)}

    def play_game(names: Sequence[str], moves: Sequence[Any]) -> float:
        players = {name: makers[name]() for name in names}
        state = start = after(rules, moves)
        turns = itertools.cycle(names)
        while state.moves:
            move = players[name := next(turns)](board, state)
            assert move in state.moves, f"{name} was to play again, and gave no legal move."
            state = rules.result(state, move)
        return rules.utility(state, start.to_move)

    play_game(NAMES, NEARLY_OVER)
    return play_game


def four_games(student: Any, least: int = 3) -> dict[Any, Any]:
    """Return the entries of `results` for the four pairings, of which so many must be there."""
    results = student.results
    assert type(results) is dict, "`results` must be a dictionary."
    missing_keys = [pair for pair in PAIRS if pair not in results]
    assert len(PAIRS) - len(missing_keys) >= least, f"`results` has no entry for {missing_keys[0]}."
    return {pair: results[pair] for pair in PAIRS if pair in results}


def table(student: Any, name: str, most: float = math.inf) -> dict[Any, list[Any]]:
    """Return a dictionary of ten numbers each for MiniMax and AlphaBeta, the first ten of more.

    There may be so many at most.
    """
    rows = getattr(student, name)
    assert type(rows) is dict, f"`{name}` must be a dictionary."
    assert set(rows) == set(NAMES), f"The keys of `{name}` must be 'MiniMax' and 'AlphaBeta'."
    for key in NAMES:
        row = rows[key]
        fits = type(row) in (list, tuple) and 10 <= len(row) <= most
        finite = fits and all(is_number(value) and abs(value) < math.inf for value in row)
        assert finite, f"`{name}['{key}']` must be a list of ten numbers."
    return {key: rows[key][:10] for key in NAMES}


@pytest.mark.check(
    cell="playing",
    points=1,
    hint="The keys are pairs of names, the first player's name first.",
)
def test_pairings(student, play):
    """`results` has an entry for each of the four pairings, and no other
    Needed for wrong/six_games and wrong/tables_half_filled."""
    four_games(student, least=4)
    assert len(student.results) == 4, "`results` has a key that is none of the four pairings."


@pytest.mark.check(
    cell="playing",
    points=1,
    hint="`play_game` returns what belongs here: +1, 0 or -1, as the first player sees it.",
)
def test_utilities(student, play):
    """Each entry is the utility of a finished game
    Needed for wrong/won_or_not and wrong/winners_names."""
    entries = four_games(student)
    wrong = [p for p, value in entries.items() if not (is_number(value) and value in (-1, 0, 1))]
    assert not wrong, f"The entry for {wrong[0]} is no utility of tic-tac-toe."


@pytest.mark.check(cell="playing", points=1, needs="test_utilities", cpu_factor=3)
def test_minimax_does_not_lose(student, play):
    """The games of MiniMax and AlphaBeta ended as these players play them
    Needed for wrong/names_the_other_way_round."""
    games = four_games(student)
    for first, second in games.keys() & set(PAIRS[2:]):
        assert games[first, second] == play((first, second), START), (
            f"{first} against {second} ends otherwise when it is played by the right rules."
        )
    lost = games.get(PAIRS[0], 0) > 0 or games.get(PAIRS[1], 0) < 0
    assert not lost or any(
        play(("AlphaBeta", "AlphaBeta"), opening) != oracle().value(after(TicTacToe(), opening))
        for opening in OPENINGS
    ), "By `results` AlphaBeta has lost to random; from ten openings it makes no mistake."


@pytest.mark.check(
    cell="evaluation_a",
    points=2,
    hint="Ten games for each player, one from each of the ten OPENINGS, in their order.",
)
def test_ten_games(student, play):
    """`terminal_states` has ten utilities for each player, and no list more than ten numbers
    Needed for wrong/eleventh_game."""
    states = table(student, "terminal_states", most=10)
    times = student.time_taken
    rows = [row for row in times.values() if type(row) is list] if type(times) is dict else []
    longer = any(len(row) > 10 for row in rows)
    assert not longer, "`time_taken` has more than ten numbers for a player."
    odd = [value for name in NAMES for value in states[name] if value not in (-1, 0, 1)]
    assert not odd, "`terminal_states` holds a number that is no utility of tic-tac-toe."


@pytest.mark.check(
    cell="evaluation_a",
    points=3,
    hint="Start game number i from `after(game, OPENINGS[i])` and keep what `play_game` returns.",
    cpu_factor=3,
)
def test_perfect_play(student, play):
    """Each of the twenty games ended as this player plays it against itself
    Needed for wrong/four_plies_deep and wrong/ten_copies_of_a_game."""
    for name in NAMES:
        values = table(student, "terminal_states")[name]
        again = [play((name, name), opening) for opening in OPENINGS]
        wrong = sum(value != right for value, right in zip(values, again, strict=True))
        assert not wrong, f"{wrong} of the ten games of {name} end otherwise by the right rules."


@pytest.mark.check(cell="evaluation_a", points=2)
def test_times(student, play):
    """`time_taken` has ten times in seconds for each player
    Needed for wrong/time_of_day and wrong/milliseconds."""
    times = table(student, "time_taken")
    seconds = [value for name in NAMES for value in times[name]]
    assert min(seconds) >= 0, "A time is below zero."
    assert max(seconds) < MOST_SECONDS > sum(seconds), (
        f"In seconds these are longer than a cell may compute, which is {MOST_SECONDS}."
    )
    assert all(sum(times[name]) > 1e-4 for name in NAMES), (
        "Ten times of a player come to less than a ten-thousandth of a second."
    )
    growing = all(list(times[name]) == sorted(set(times[name])) for name in NAMES)
    assert not growing, (
        "Each time is longer than the one before, as if the earlier games were in it."
    )
