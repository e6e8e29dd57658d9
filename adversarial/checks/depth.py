"""Estimates and cutoff tests for checks of `AlphaBeta` that record their calls.

The games are trees whose states are paths, so that a state's length is its depth in plies. A
function `expect_...` raises an AssertionError with a sentence that students read.
"""

import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from adversarial.games.recorded import Trace
from games import State, TreeGame


class Estimate:
    """An `eval_fn` that records the states that it is called with."""

    def __init__(self, worth: Callable[[State], float] = lambda state: 0) -> None:
        """Return the values of `worth`, by default 0, for the searching player."""
        self.worth = worth
        self.states: list[State] = []

    def __call__(self, state: Any) -> float:
        """Return the estimate of a state."""
        assert type(state) is tuple, "`eval_fn` must be called with a state."
        self.states.append(state)
        return self.worth(state)

    def for_anybody(self, state: State, player: Any) -> float:
        """Return the same for any player, and record nothing."""
        return self.worth(state)


class CutoffTest:
    """A `cutoff_test` that stops `limit` plies from `root`, and records wrong depths."""

    def __init__(self, limit: int, root: State = ()) -> None:
        """Stop so many plies below the root."""
        self.limit, self.root = limit, root
        self.errors: list[int] = []

    def __call__(self, state: Any, depth: Any) -> bool:
        """Return whether to stop at that depth."""
        assert type(depth) is int and type(state) is tuple, (
            "`cutoff_test` must be called with a state and its depth, in this order."
        )
        self.errors.append(depth - plies_between(self.root, state))
        return depth >= self.limit


def random_worth(
    chance: random.Random, tree: TreeGame, numbers: Sequence[float]
) -> dict[State, float]:
    """Return random values for the states of a tree, drawn from `numbers`."""
    plies, moves = range(tree.plies + 1), range(tree.branching)
    paths = [path for ply in plies for path in product(moves, repeat=ply)]
    return {path: chance.choice(numbers) for path in paths}


def plies_between(root: State, state: State) -> int:
    """Return how many plies one path is below another."""
    return len(state) - len(root)


def plies_seen(game: Trace, root: State = ()) -> int:
    """Return how many plies ahead of the root a search has generated states."""
    return max((plies_between(root, state) for state in game.generated), default=0)


def expect_depth(game: Trace, root: State, d: int, estimate: Estimate, plies: int) -> None:
    """Expect that a search with depth `d`, in a tree of so many plies, stopped exactly there."""
    left = plies - len(root)
    deepest, horizon = plies_seen(game, root), min(d, left)
    assert deepest == horizon, (
        f"With d={d} the search went {deepest} plies deep instead of {horizon}."
    )
    wrong = [state for state in estimate.states if plies_between(root, state) != d]
    assert not wrong, f"With d={d} a state that is not {d} plies ahead was evaluated."
    assert estimate.states or d >= left, "`eval_fn` was never called."


def expect_own_depth(game: Trace, d: int) -> None:
    """Expect that a player looked as far as its own `d` says."""
    assert plies_seen(game) == d, (
        f"With d={d} the search must look {d} plies ahead, whatever the `d` of another player."
    )


def expect_cut_off(cutoff: CutoffTest, estimate: Estimate, plies: int) -> None:
    """Expect that a search in a tree of so many plies stopped where the cutoff test was true."""
    root, limit = cutoff.root, cutoff.limit
    assert cutoff.errors, "The given `cutoff_test` was never called."
    assert set(cutoff.errors) == {0}, (
        "`cutoff_test` was told a wrong depth: the root is at depth 0."
    )
    far = {plies_between(root, state) for state in estimate.states}
    assert far <= {limit}, "The search was not cut off where `cutoff_test` said."
    assert far or limit >= plies - len(root), "`eval_fn` was not called after a cutoff."


def expect_best_by_estimate(
    game: Trace, root: State, d: int, worth: Callable[[State], float], move: Any
) -> None:
    """Expect a best move of a search that stops after `d` plies."""
    expect_legal(game, root, move)
    values = game.values(root, d, lambda state, player: worth(state))
    assert values[int(move)] == max(values.values()), (
        f"With d={d} another move is better for {game.to_move(root)} by the evaluation given."
    )


def expect_best_by_utilities(game: Trace, move: Any) -> None:
    """Expect a best move of a search that sees all final states."""
    expect_legal(game, (), move)
    values = game.values(())
    assert values[move] == max(values.values()), "Another move is better by the utilities."


def expect_legal(game: Trace, root: State, move: Any) -> None:
    """Expect a move that the game allows."""
    assert move in game.actions(root), "The answer is no legal move."
