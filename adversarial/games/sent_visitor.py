"""Functions that checks run on a student's objects inside the student's process.

Sent there as source text: so some games are one message, a list that a method
returns can be changed, and a cell can run again. Imports no games, and has no rules or answers.
"""

import contextlib
import gc
import inspect
import linecache
from types import FunctionType
from typing import Any


def moves_again(game: Any, state: Any) -> list[Any]:
    """Change the list of moves that a game returns; return the list that it returns next."""
    moves = game.actions(state)
    if isinstance(moves, list):
        moves.clear()
    return list(game.actions(state))


def first_moves_again(game: Any) -> list[Any]:
    """Do the same in the initial state; return also the moves stored in the state."""
    return [moves_again(game, game.initial), list(game.initial.moves)]


def play(game: Any, games: list[Any]) -> list[Any]:
    """Play some games, given by their moves, each to its end or until the game says it is over.

    Return what is said of each state after the last move: its board and utility, whether the game
    is over there, what it is worth to X and the moves.
    """
    found = list[Any]()
    for moves in games:
        states, left = [game.initial], list(moves)
        while left and not game.terminal_test(states[-1]):
            states.append(game.result(states[-1], left.pop(0)))
        for_x = [game.utility(state, "X") for state in states]
        found.append(
            [
                (
                    one.board,
                    one.utility,
                    bool(game.terminal_test(one)),
                    worth,
                    list(game.actions(one)),
                )
                for one, worth in zip(states[1:], for_x[1:], strict=True)
            ]
        )
    return found


def with_segments(evaluate: Any, segments: list[Any]) -> Any:
    """Run the cell that defines `evaluate` again, with these segments; return its `evaluate`.

    Values that the notebook has computed from its own segments are computed from these. If that
    fails, return `evaluate` unchanged.
    """
    function = inspect.unwrap(evaluate)
    with contextlib.suppress(Exception):
        names = function.__globals__
        source = "".join(linecache.getlines(function.__code__.co_filename))
        names["generate_segments"] = lambda columns, rows, length: [list(s) for s in segments]
        exec(compile(source, function.__code__.co_filename, "exec"), names)  # noqa: S102
        return names["evaluate"]
    return evaluate


def with_search(player: Any, search: Any) -> Any:
    """Return the function with the global name `alphabeta` bound to `search`."""
    with contextlib.suppress(Exception):
        inspect.unwrap(player).__globals__["alphabeta"] = search
    return player


def close_connect_four() -> None:
    """Make Connect Four refuse to look for lines, under any name in the notebook."""

    def line(self: Any, state: Any) -> Any:
        raise RuntimeError("ConnectFour looks for lines in its own games only: write yours")

    for one in gc.get_objects():
        is_function = type(one) is FunctionType
        if is_function and (one.__module__, one.__qualname__) == ("games", "ConnectFour.line"):
            one.__code__ = line.__code__
