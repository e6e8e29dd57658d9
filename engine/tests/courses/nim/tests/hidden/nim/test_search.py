"""Hidden checks of both searches."""

import pytest

from nim.rules import Recorded
from piles import Letters, Tree

MOVES = dict(zip("ABCD", ["a1", "b1", "c1", "d3"], strict=True))


class Counted(Recorded):
    """A game that counts the states it was asked for."""

    def __init__(self, game):
        super().__init__(game)
        self.states = 0

    def result(self, state, move):
        self.states += 1
        return super().result(state, move)


def best(tree):
    """Return the best move at the top of a tree, by the definition."""

    def value(state):
        if tree.terminal_test(state):
            return tree.utility(state, "MAX")
        values = [value(tree.result(state, move)) for move in tree.actions(state)]
        return max(values) if tree.to_move(state) == "MAX" else min(values)

    return max(tree.actions(()), key=lambda move: value((move,)))


@pytest.mark.check(cell="MiniMax", points=10, hint="MIN takes the smallest.")
def test_letters(student):
    """MiniMax moves as the textbook says"""
    for state, move in MOVES.items():
        assert student.MiniMax()(Letters(), state) == move, f"In state {state} it goes elsewhere."


@pytest.mark.check(cell="MiniMax", points=15, hint="Look to the end.", needs="test_letters")
def test_trees(student, chance):
    """MiniMax finds the best move of trees that are drawn"""
    for _ in range(5):
        tree = Tree(chance.sample(range(100), 27))
        assert student.MiniMax()(tree, ()) == best(tree), "There is a better move than this one."


@pytest.mark.check(cell="AlphaBeta", points=10, hint="MIN takes the smallest.")
def test_same_moves(student, chance):
    """AlphaBeta finds the moves that MiniMax finds"""
    for _ in range(5):
        tree = Tree(chance.sample(range(100), 27))
        assert student.AlphaBeta()(tree, ()) == best(tree), "There is a better move than this one."


@pytest.mark.check(cell="AlphaBeta", points=20, hint="Stop at beta.", needs="test_same_moves")
def test_leaves_out(student):
    """AlphaBeta leaves out what cannot matter"""
    game = Counted(Letters())
    assert student.AlphaBeta()(game, "A") == "a1"
    assert game.states <= 3 + 7, "It looks at states that cannot change the move."
