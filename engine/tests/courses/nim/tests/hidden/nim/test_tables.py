"""Hidden checks of the tables."""

import pytest


@pytest.mark.check(cell="playing", points=3, hint="Begin with 1, 2 and 3.")
def test_playing(student):
    """Nobody who begins with 1, 2 and 3 wins"""
    assert student.results == {"MiniMax": -1, "AlphaBeta": -1}, "The second wins."


@pytest.mark.check(cell="evaluation_a", points=7, hint="Play each size once.")
def test_winners(student):
    """The first player wins where the piles differ"""
    assert student.winners == dict.fromkeys(range(1, 5), "first"), "The piles differ by one."
