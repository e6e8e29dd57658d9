"""Estimates and cutoff tests for checks of `AlphaBeta` that record their calls.

The games are trees whose states are paths, so that a state's length is its depth in plies. A
function `expect_...` raises an AssertionError with a sentence that students read.
"""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import product
from typing import Any

from adversarial.checks.trees import random_tree
from adversarial.games.recorded import Trace
from games import State, TreeGame

POSITIVE = range(1, 200)  # no cut that a window from zero makes shows


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
    """A `cutoff_test` that stops `limit` plies from `root`, and keeps how wrong its depths were.

    It stops sooner in the states of a set, `early`.
    """

    def __init__(self, limit: int, root: State = (), early: Collection[State] = ()) -> None:
        """Stop so many plies below the root, and in some states above."""
        self.limit, self.root, self.early = limit, root, early
        self.errors: list[int] = []

    def __call__(self, state: Any, depth: Any) -> bool:
        """Return whether to stop at that depth."""
        assert type(depth) is int and type(state) is tuple, (
            "`cutoff_test` must be called with a state and its depth, in this order."
        )
        self.errors.append(depth - plies_between(self.root, state))
        return self.stops(state)

    def stops(self, state: State) -> bool:
        """Return whether a search is to stop in a state."""
        return state in self.early or plies_between(self.root, state) >= self.limit


def drawn_tree(chance: random.Random, branching: int, plies: int, root: State) -> TreeGame:
    """Return a tree of utilities that are above zero for the player to move at the root."""
    sign = -1 if len(root) % 2 else 1
    return random_tree(chance, branching, plies, [sign * number for number in POSITIVE])


def random_worth(
    chance: random.Random, tree: TreeGame, numbers: Sequence[float]
) -> dict[State, float]:
    """Return random values for the states of a tree, drawn from `numbers`.

    On each ply each is taken once, if there are enough: no tie makes of a bound a value. A final
    state has its utility, without the sign: whether it is estimated is asked elsewhere.
    """
    worth = dict[State, float]()
    for ply in range(tree.plies):
        paths = list(product(range(tree.branching), repeat=ply))
        once = len(paths) <= len(numbers)
        drawn = (chance.sample if once else chance.choices)(numbers, k=len(paths))
        worth |= zip(paths, drawn, strict=True)
    leaves = product(range(tree.branching), repeat=tree.plies)
    return worth | {path: abs(tree.utility(path, "MAX")) for path in leaves}


def plies_between(root: State, state: State) -> int:
    """Return how many plies one path is below another."""
    return len(state) - len(root)


def plies_seen(game: Trace, root: State = ()) -> int:
    """Return how many plies ahead of the root a search has generated states."""
    return max((plies_between(root, state) for state in game.generated), default=0)


def expect_own_settings(player: Any, game: Trace, limit: int, estimate: Estimate) -> None:
    """Expect a search in the player's own game, as far and by the estimates that it was given."""
    game.generated.clear()
    estimate.states.clear()
    player.search(())
    assert plies_seen(game) == limit, (
        f"Beside players with other settings, one that is to look {limit} plies ahead in its own "
        f"game has looked at states {plies_seen(game)} plies away."
    )
    assert estimate.states, "Beside players with other estimates, one has not asked its own."


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


def expect_cut_off(cutoff: CutoffTest, estimate: Estimate, plies: int) -> None:
    """Expect that a search in a tree of so many plies stopped where the cutoff test said."""
    root, limit = cutoff.root, max(cutoff.limit, 1)
    assert cutoff.errors, "The given `cutoff_test` was never called."
    assert set(cutoff.errors) == {0}, (
        "`cutoff_test` was told a wrong depth: the root is at depth 0."
    )
    far = estimate.states
    stopped = all(cutoff.stops(state) and plies_between(root, state) <= limit for state in far)
    assert stopped, "The search was not cut off where `cutoff_test` said."
    assert far or limit >= plies - len(root), "`eval_fn` was not called after a cutoff."


def expect_best_where_it_stops(
    game: Trace,
    root: State,
    stops: Callable[[State], bool],
    worth: Mapping[State, float],
    move: Any,
) -> None:
    """Expect a best move of a search that stops where it is told, but for the root.

    A state where it stops is worth what it is to the player at the root; a final one has its
    utility.
    """
    assert move in game.actions(root), "The answer is no legal move."
    rules, player = game.game, game.to_move(root)

    def value(state: State) -> float:
        if rules.terminal_test(state):
            return rules.utility(state, player)
        if stops(state):
            return worth[state]
        pick = max if rules.to_move(state) == player else min
        return pick(value(rules.result(state, one)) for one in rules.actions(state))

    values = {one: value(rules.result(root, one)) for one in rules.actions(root)}
    assert values[int(move)] == max(values.values()), (
        f"By the estimates where it should stop another move is better for {player}."
    )
