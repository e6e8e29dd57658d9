"""Hidden checks of the rules."""

import pytest

from nim.rules import Nim
from piles import Position


@pytest.mark.check(cell="Nim", points=6, hint="Is there a move for each pile and count?")
def test_start(student):
    """The game starts with all piles and all moves"""
    for sizes in (), (4,), (2, 2):
        expected = Nim(*sizes).initial
        state = student.Nim(*sizes).initial
        assert isinstance(state, Position), "The initial state is not a Position."
        assert (state.to_move, state.piles) == (expected.to_move, expected.piles)
        assert sorted(state.moves) == sorted(expected.moves)


@pytest.mark.check(cell="Nim", points=8, hint="What is left, and who is next?", needs="test_start")
def test_moves(student, chance):
    """A game of moves that are drawn goes as the rules say"""
    rules, game = Nim(2, 3, 4), student.Nim(2, 3, 4)
    state, mine = rules.initial, game.initial
    while state.moves:
        move = chance.choice(sorted(state.moves))
        state, mine = rules.result(state, move), game.result(mine, move)
        assert (mine.to_move, mine.utility) == (state.to_move, state.utility)
        assert mine.piles == state.piles, "The piles are not those that are left."
    assert game.utility(mine, "first") == rules.utility(state, "first")


@pytest.mark.check(cell="Nim", points=6, hint="Raise IllegalMoveError.", needs="test_start")
def test_illegal(student):
    """Nobody takes more than there is"""
    game = student.Nim(2, 3)
    with pytest.raises(ValueError):
        game.result(game.initial, (0, 3))
