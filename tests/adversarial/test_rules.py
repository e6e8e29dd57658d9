"""Ask whether the trusted games play by the rules, and whether what is sent holds none."""

import copy
import inspect
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adversarial.games import sent_boards
from adversarial.games.drop_rules import LazyConnectFour
from adversarial.games.rules import TicTacToe, tables
from adversarial.games.sent_boards import LazySentBoard
from games import ConnectFour, GameState, IllegalMove, after

LAW = settings(deadline=None)  # no clock in a law

Square = tuple[int, int]
Playout = tuple[TicTacToe, list[GameState], list[Square]]


@st.composite
def playouts(draw: st.DrawFn) -> Playout:
    """Play on a board of some size at random to the end: the game, its states, its moves."""
    game = TicTacToe(*(draw(st.integers(1, 5)) for _ in range(3)))
    states, moves = [game.initial], []
    rng = random.Random(draw(st.integers(0, 2**32)))
    while legal := game.actions(states[-1]):
        moves.append(rng.choice(legal))
        states.append(game.result(states[-1], moves[-1]))
    return game, states, moves


def rows_of(game: TicTacToe, board: dict[Square, str]) -> list[str]:
    """Return every row, column and diagonal of a board as text."""
    grid = [[board.get((row, column), ".") for column in range(game.v)] for row in range(game.h)]
    lines = [*grid, *zip(*grid, strict=True)]
    for offset in range(-game.h, game.v):
        rising = [grid[r][r + offset] for r in range(game.h) if 0 <= r + offset < game.v]
        falling = [
            grid[r][game.v - 1 - r - offset]
            for r in range(game.h)
            if 0 <= game.v - 1 - r - offset < game.v
        ]
        lines += [rising, falling]
    return ["".join(line) for line in lines]


def winner(game: TicTacToe, board: dict[Square, str]) -> str | None:
    """Return who has k in a row: found by reading every line of the board as text."""
    found = {player for player in "XO" if any(player * game.k in r for r in rows_of(game, board))}
    assert len(found) <= 1
    return found.pop() if found else None


@LAW
@given(playouts())
def test_every_state_of_a_game_is_what_the_rules_make_it(playout: Playout) -> None:
    """Does each move put one stone of the right player, until the first line or the last square?

    Who has won is found by a scan of the whole board. No question changes a state, and another
    square is refused.
    """
    game, states, moves = playout
    squares = [(row, column) for row in range(game.h) for column in range(game.v)]
    board: dict[Square, str] = {}
    before = copy.deepcopy(states)
    for number, state in enumerate(states):
        assert state.to_move == game.to_move(state) == "XO"[number % 2]
        assert state.board == board
        won = winner(game, board)
        assert state.utility == {"X": 1, "O": -1, None: 0}[won]
        assert game.utility(state, "X") == state.utility == -game.utility(state, "O")
        free = [] if won else [square for square in squares if square not in board]
        assert game.actions(state) == list(state.moves) == free
        assert [*LazySentBoard(*tables(game.h, game.v, game.k)).actions(state)] == free
        game.actions(state).clear()
        assert game.terminal_test(state) is (not free) is (number == len(moves))
        if free:
            board[moves[number]] = state.to_move
        for square in {*squares} - {*free}:
            with pytest.raises(IllegalMove):
                game.result(state, square)
    assert states == before


@pytest.mark.parametrize("move", [None, "a1", 4, [0, 0], (0,), (0, 0, 0), {}, (9, 9), (-1, 0)])
def test_what_is_no_square_is_refused(move: object) -> None:
    """Is any other value refused in the same way, and named?"""
    game = TicTacToe()
    with pytest.raises(IllegalMove, match=re.escape(f"{move!r} is not a legal move")):
        game.result(game.initial, move)


def test_what_is_sent_names_no_square_no_player_and_no_line() -> None:
    """Is it without tables nothing that the cell TicTacToe asks for?"""
    asked = {"h", "v", "k", "compute_utility", "k_in_row", "display"}
    for kind in (sent_boards.SentBoard, LazySentBoard):
        assert not asked & (set(vars(kind)) | set(inspect.signature(kind).parameters))
        with pytest.raises(TypeError):
            kind(3, 3, 3)  # type: ignore[call-arg]
    code = inspect.getsource(sent_boards)
    assert '"X"' not in code and '"O"' not in code and "range" not in code


def test_columns_of_a_generator_are_those_of_the_list() -> None:
    """Does the same game give the same moves, which can be walked through once?"""
    lazy = LazyConnectFour(2, 3, 3)
    full = after(lazy, [1, 1])
    columns = lazy.actions(full)
    assert [*columns, *columns] == [0, 2] == ConnectFour(2, 3, 3).actions(full)
    assert lazy.initial == ConnectFour(2, 3, 3).initial
