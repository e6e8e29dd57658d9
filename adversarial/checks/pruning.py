"""Ask whether what a recorded search has seen proves what it returns.

From the states that it has generated and valued follow bounds on the value of each of its moves; a
state that it has not looked at may be worth anything. Any sound search has its proof in view, in
whatever order it takes the moves. A function `expect_...` raises an AssertionError with a sentence
that students read.
"""

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from adversarial.games.recorded import Trace, Worth, key_of
from games import Move, State

Bounds: TypeAlias = tuple[float, float]  # what a value is at least, and at most
ANYTHING = -math.inf, math.inf
ON_BOARDS = -1, 1  # what utilities of tic-tac-toe lie between


class FinishedSearch(NamedTuple):
    """A search that is over: a recorded game, where it began, and what it was to look at.

    It looked `depth` plies ahead. Where it stopped, a state is worth its utility, or what `worth`
    says; `estimated` holds the states whose estimate it asked for. All values lie in `limits`;
    outside of its `window`, from alpha to beta, it need only know on which side a value lies.
    """

    game: Trace
    root: State
    depth: float = math.inf
    worth: Worth | None = None
    estimated: Collection[State] = ()
    limits: Bounds = ANYTHING
    window: Bounds = ANYTHING

    def bounds(self) -> dict[Move, Bounds]:
        """Return what the search can know of each move, for the player to move at the root."""
        valued = {key_of(state) for state, _ in self.game.valued}
        valued |= {key_of(state) for state in self.estimated}
        rules, player = self.game.game, self.game.to_move(self.root)
        worth = self.worth or rules.utility

        def bounds_of(state: State, depth: float) -> Bounds:
            if depth <= 0 or rules.terminal_test(state):
                value = worth(state, player) if key_of(state) in valued else None
                return self.limits if value is None else (value, value)
            below = list(of_moves(state, depth).values())
            pick = max if rules.to_move(state) == player else min
            return pick(low for low, _ in below), pick(high for _, high in below)

        def of_moves(state: State, depth: float) -> dict[Move, Bounds]:
            known = dict.fromkeys(rules.actions(state), self.limits)
            for move, child in self.game.made(state).items():
                known[move] = bounds_of(child, depth - 1)
            return known

        return of_moves(self.root, self.depth)

    def allowed(self) -> list[State]:
        """Return what textbook alpha-beta would generate at most, in the order of this search."""
        return self.game.alpha_beta_generates(self.root, self.depth, self.worth, self.window)


def expect_proven(search: FinishedSearch, value: Any, move: Any) -> None:
    """Expect that what was seen proves the value of the root and the move."""
    bounds = _bounds(search)
    _expect_value(bounds, value, search.window)
    _expect_move(bounds, move)


def expect_proven_value(search: FinishedSearch, value: Any) -> None:
    """Expect that what was seen proves that the root is worth `value` to the player to move."""
    _expect_value(_bounds(search), value, search.window)


def expect_proven_move(search: FinishedSearch, move: Any) -> None:
    """Expect that what was seen proves that no move is better than `move`."""
    _expect_move(_bounds(search), move)


def is_decided(search: FinishedSearch) -> bool:
    """Return whether what was seen proves some move best, whichever is returned."""
    bounds = search.bounds()
    return any(_is_best(bounds, move) for move in bounds)


def _is_best(bounds: dict[Move, Bounds], move: Move) -> bool:
    """Return whether no other move can be better."""
    others = [high for other, (_, high) in bounds.items() if other != move]
    return bounds[move][0] >= max(others, default=-math.inf)


def _bounds(search: FinishedSearch) -> dict[Move, Bounds]:
    """Return the bounds; expect that estimates were asked of the root and what was generated."""
    given_out = {key_of(state) for state in (search.root, *search.game.generated)}
    strange = sum(key_of(state) not in given_out for state in search.estimated)
    assert not strange, (
        f"It asked for the estimates of {strange} states that it has not got from `game.result`."
    )
    return search.bounds()


def _expect_value(bounds: dict[Move, Bounds], value: Any, window: Bounds) -> None:
    assert type(value) in (int, float, Fraction), "The value must be a number."
    alpha, beta = window
    lowest = max(low for low, _ in bounds.values())
    highest = max(high for _, high in bounds.values())
    low, high, answer = (max(alpha, min(beta, n)) for n in (lowest, highest, value))
    assert low == high, (
        "The states that it has looked at do not tell the value: "
        "some were not looked at although they matter."
    )
    assert answer == low, "The value is not the one that follows from what was looked at."


def _expect_move(bounds: dict[Move, Bounds], move: Any) -> None:
    assert move in list(bounds), "The answer is no legal move."
    assert _is_best(bounds, move), (
        "The states that it has looked at do not show that its move is best: "
        "some were not looked at although they matter."
    )


def expect_pruned(search: FinishedSearch) -> None:
    """Expect that a search has generated only what alpha-beta may, each state once."""
    _expect_needed(search, "In a tree it generated", " when the moves come in that order")


def expect_pruned_figure(search: FinishedSearch) -> None:
    """Expect the same in the textbook's tree, which students know."""
    _expect_needed(search, "It generated", "")


def expect_cuts(search: FinishedSearch, mover: str) -> None:
    """Expect that the children of states in which `mover` chooses were cut, as alpha-beta may.

    States are paths. What else is generated in vain, below them or elsewhere, counts for nothing.
    """
    needed = {search.root, *search.allowed()}
    beyond = [
        state
        for state in search.game.generated
        if state not in needed and state[:-1] in needed and search.game.to_move(state[:-1]) == mover
    ]
    assert not beyond, (
        f"In a tree it generated {_named(beyond)}, which alpha-beta prunes where {mover} chooses"
        f"{_others(len(beyond) - 1)}."
    )


def _expect_needed(search: FinishedSearch, generated: str, when: str) -> None:
    """Name the first state that was superfluous, and how many others are."""
    states, allowed = search.game.generated, search.allowed()
    keys, needed = list(map(key_of, states)), set(map(key_of, allowed))
    beyond = [state for state, key in zip(states, keys, strict=True) if key not in needed]
    first = {key: i for i, key in reversed([*enumerate(keys)])}
    again = [state for i, state in enumerate(states) if first[keys[i]] < i]
    assert not beyond, (
        f"{generated} {_named(beyond)}, which alpha-beta prunes{when}{_others(len(beyond) - 1)}."
    )
    assert len(states) <= len(allowed), (
        f"{generated} {_named(again)} again{_others(len(again) - 1)}."
    )


def _named(states: Sequence[State]) -> str:
    """Return what the first state is called; a path is called by its moves."""
    state = states[0]
    if type(state) is not tuple:
        return f"the state {state}"
    moves = ", ".join(map(str, state))
    return f"the state after the {'move' if len(state) == 1 else 'moves'} {moves}"


def _others(count: int) -> str:
    return f", and so with {count} more" if count else ""
