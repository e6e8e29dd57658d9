"""Ask whether the board inside a player plays by the rules, and holds none that could be used."""

import inspect
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adversarial.games import rules, sent_boards
from games import IllegalMove


@settings(deadline=None)
@given(st.tuples(*[st.integers(1, 5)] * 3), st.randoms(use_true_random=False))
def test_it_plays_as_the_trusted_rules_do(size: tuple[int, int, int], rng: random.Random) -> None:
    """Does a game at random pass through the same states, in the same order of moves?"""
    game, board = rules.TicTacToe(*size), sent_boards.LazySentBoard(*rules.tables(*size))
    state = board.initial
    assert state == game.initial
    while legal := list(board.actions(state)):
        assert legal == game.actions(state) and not board.terminal_test(state)
        move = rng.choice(legal)
        assert board.result(state, move) == game.result(state, move)
        state = board.result(state, move)
        assert [board.utility(state, p) for p in "XO"] == [game.utility(state, p) for p in "XO"]
    assert board.terminal_test(state) and game.terminal_test(state)
    with pytest.raises(IllegalMove, match="is not a legal move"):
        board.result(state, (0, 0))


def test_its_source_names_no_square_no_player_and_no_line() -> None:
    """Is it without tables nothing that the cell TicTacToe asks for?"""
    asked = {"h", "v", "k", "compute_utility", "k_in_row", "display"}
    for kind in (sent_boards.SentBoard, sent_boards.LazySentBoard):
        assert not asked & (set(vars(kind)) | set(inspect.signature(kind).parameters))
        with pytest.raises(TypeError):
            kind(3, 3, 3)  # type: ignore[call-arg]
    code = inspect.getsource(sent_boards)
    assert '"X"' not in code and '"O"' not in code and "range" not in code
