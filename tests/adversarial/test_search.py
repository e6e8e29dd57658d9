"""Ask whether alpha-beta as text is right, and whether an edit that misses its place is refused."""

import pytest

from adversarial.games.recorded import Trace
from adversarial.search import SEARCH, edited
from games import NestedTree
from handout.trees import small_trees


def test_without_edits_it_is_alpha_beta() -> None:
    """Does it play the first best move, and generate no more than it must, in small trees?"""
    for tree in list(small_trees())[::40]:
        game, rules = Trace(NestedTree(tree)), Trace(NestedTree(tree))
        values = rules.values(())
        assert edited(())(game, ()) == max(values, key=values.__getitem__)
        assert set(game.generated) <= set(rules.alpha_beta_generates(()))


def test_an_edit_must_have_a_place() -> None:
    """Is what stands nowhere told with the text that was searched, and replaced in all places?"""
    with pytest.raises(ValueError, match="'best > beta' does not stand in") as error:
        edited((("best > beta", ""),))
    assert SEARCH in str(error.value)
    with pytest.raises(ValueError, match="'alpha' does not stand in"):
        edited((("alpha", "low"), ("alpha", "")))
