"""Functions that checks run on a student's objects inside the student's process.

Sent there as source text: so a whole walk through a game is one message, a list that a method
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


def walk(game: Any, columns: int, most: int) -> list[Any]:
    """Return a number for each move in each reachable state, of at most `most` states.

    A number is made of the board, the square, the utility of the state that follows, and whether
    the game is over there. Of states with the same board one is looked at. A utility that is no
    finite number comes back as it is, and alone.
    """
    numbers: list[Any] = []
    states, boards = [game.initial], {0}
    while states and len(numbers) < most:
        state = states.pop()
        for move in game.actions(state):
            following = game.result(state, move)
            over = bool(game.terminal_test(following))
            square = move[0] * columns + move[1]
            try:
                answer = number(board_code(state, columns), square, following.utility, over)
            except (TypeError, ValueError, OverflowError):  # of a text, of nan, of infinity
                return [following.utility]
            numbers.append(answer)
            board = board_code(following, columns)
            if not over and board not in boards:
                boards.add(board)
                states.append(following)
    return numbers


def number(board: int, square: int, utility: Any, over: bool) -> int:
    """Return one number for a board, a square, a utility and the end of the game."""
    worth: int = round(utility) % 3
    return ((board * 100 + square) * 3 + worth) * 2 + over


def board_code(state: Any, columns: int) -> int:
    """Return one number for the pieces on a board."""
    code = 0
    for (row, column), piece in state.board.items():
        code += (1 + (piece == "O")) * 3 ** (row * columns + column)
    return code


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

    for obj in gc.get_objects():
        is_function = type(obj) is FunctionType
        if is_function and (obj.__module__, obj.__qualname__) == ("games", "ConnectFour.line"):
            obj.__code__ = line.__code__
