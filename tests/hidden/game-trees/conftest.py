"""Give the checks of game-trees the student's own tree, and what is drawn by lot."""

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

from adversarial.checks.figure import ORDER, written_id
from adversarial.checks.fixtures import alike, board_trees, fast_tictactoe, trees  # noqa: F401
from adversarial.checks.trees import corridor, random_tree
from adversarial.games.recorded import LastFirst, Trace
from adversarial.search import ONE_ALPHA, ONE_BETA, ONE_WINDOW, Edits, edited
from games import Fig52Game, Game, NestedTree, TreeGame
from handout.trees import personal_leaves


@pytest.fixture
def own_tree(student: Any, student_id: str, by_hand: Callable[[str], None]) -> Trace:
    """Give the tree of the id in the notebook, recorded; another's leaves the mark to a human."""
    return Trace(TreeGame(personal_leaves(written_id(student, student_id, by_hand, "tree"))))


@pytest.fixture
def more_trees(trees: list[Game], chance: random.Random) -> list[Game]:  # noqa: F811
    """Give 13 trees more with halves at or below zero, where a bound that begins at 0 shows, and
    one in which the order of the moves decides.
    """
    halves = [n / 2 for n in range(-4, 1)] * 20
    below = [random_tree(chance, 3, 4, halves) for _ in range(13)]
    return [*trees, *below, LastFirst(ORDER)]


ABOVE, BELOW = range(3, 300, 3), range(-300, 0, 3)  # no two leaves are one apart
BySign = tuple[list[Game], list[Game]]  # trees with leaves above zero, and some with leaves below


@pytest.fixture
def two_moves(chance: random.Random) -> BySign:
    """Give 20 trees of each sign with two moves in each state; in two, paths of unequal lengths.

    Seven have six plies: a bound that is kept from one state to the next shows in three of them. In
    those of two plies the move whose replies are better on average is the worse one, though its
    first reply is the best; the second has less, for who keeps a bound from tree to tree.
    """

    def shows(edits: Edits, leaves: range) -> TreeGame:
        while True:
            values = Trace(tree := random_tree(chance, 2, 6, leaves)).values(())
            if values[edited(edits)(tree, ())] < max(values.values()):
                return tree

    def misleading(leaves: range) -> TreeGame:
        while True:
            tree = random_tree(chance, 2, 2, leaves)
            a, b, c, d = tree.leaves.values()
            if a > max(c, d) and min(c, d) > b and a + b > c + d:
                return tree

    def draw(leaves: range) -> list[Game]:
        full = [random_tree(chance, 2, plies, leaves) for plies in (3, *[4, 5] * 3, *[6] * 4)]
        full += [TreeGame(sorted(chance.sample(leaves, 2), reverse=n), 2) for n in (False, True)]
        full += [shows(edits, leaves) for edits in (ONE_WINDOW, ONE_ALPHA, ONE_BETA)]
        full += [misleading(half) for half in (leaves[50:], leaves[:50])]
        less = chance.choice(leaves[30:60])
        ends = [(less, 1), (less + 3, 7)], [(less, 7), (less + 3, 1)]
        uneven = [[corridor(*end) for end in chance.sample(pair, 2)] for pair in ends]
        return [*full, *map(NestedTree, uneven)]

    return draw(ABOVE), draw(BELOW)


@pytest.fixture
def two_plies(chance: random.Random) -> BySign:
    """Give the textbook's tree and eight of each sign in which the last move is listed first."""
    above, below = by_sign(lambda leaves: LastFirst(chance.sample(leaves, 9)), 8)
    return [Fig52Game(), *above], below


@pytest.fixture
def max_below(chance: random.Random) -> BySign:
    """Give six trees of each sign: three plies, and a leaf that is worth nearly the same.

    Alpha prunes nothing in them. Who takes the moves from the last to the first leaves something
    out, too, where MAX moves.
    """
    nearly = itertools.cycle([-1, 1])

    def backwards(tree: Any) -> Any:
        return [backwards(branch) for branch in reversed(tree)] if isinstance(tree, list) else tree

    def prunes(tree: Any) -> bool:
        trace = Trace(NestedTree(tree))
        return len(trace.alpha_beta_generates(())) <= len(trace.minimax_generates(())) - 2

    def draw(leaves: range) -> NestedTree:
        while True:
            rows = random_tree(chance, 3, 2, leaves).tree
            best = [max(row) for row in rows]
            less = [rows, min(best) - 1]
            if best[0] > min(best) and prunes(less) and prunes(backwards(less)):
                return NestedTree([rows, min(best) + next(nearly)])

    return by_sign(draw, 6)


def by_sign(draw: Callable[[range], Game], count: int) -> BySign:
    """Draw so many trees of each sign, the better ones first.

    So who keeps alpha from one tree to the next cuts too much in the second half.
    """
    above, below = (
        [draw(leaves[50:] if n < count / 2 else leaves[:50]) for n in range(count)]
        for leaves in (ABOVE, BELOW)
    )
    return above, below
