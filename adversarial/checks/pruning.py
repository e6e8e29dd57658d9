"""Test whether the states that a recorded search generated and valued prove its answer.

They give bounds on the value of each move; a state without a value may be worth anything. The
states of every correct search prove its answer, in any order of moves. A function `expect_...`
raises an AssertionError with a sentence that students read.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from adversarial.checks.trees import is_number
from adversarial.games.recorded import Trace, Worth, key_of
from games import GameState, Move, State

Bounds: TypeAlias = tuple[float, float]  # a lower and an upper bound of a value
ANYTHING = -math.inf, math.inf
ON_BOARDS = -1, 1  # the utilities of tic-tac-toe


class FinishedSearch(NamedTuple):
    """A finished search: the recorded game, the root, and its depth in plies.

    The value of a state at the depth limit is `worth(state, player)`, by default its utility;
    `estimated_states` are those whose estimate it asked for. All values are within `limits`.
    Of a value outside the `window`, alpha and beta, only the side must be proven.
    """

    game: Trace
    root: State
    depth: float = math.inf
    worth: Worth | None = None
    estimated_states: Collection[State] = ()
    limits: Bounds = ANYTHING
    window: Bounds = ANYTHING

    def bounds(self) -> dict[Move, Bounds]:
        """Return bounds on the value of each move, for the player to move at the root."""
        valued_keys = {key_of(state) for state, _ in self.game.valued}
        valued_keys |= {key_of(state) for state in self.estimated_states}
        rules, player = self.game.game, self.game.to_move(self.root)
        worth = self.worth or rules.utility

        def bounds_of(state: State, depth: float) -> Bounds:
            if depth <= 0 or rules.terminal_test(state):
                value = worth(state, player) if key_of(state) in valued_keys else None
                return self.limits if value is None else (value, value)
            below = list(of_moves(state, depth).values())
            pick = max if rules.to_move(state) == player else min
            return pick(low for low, _ in below), pick(high for _, high in below)

        def of_moves(state: State, depth: float) -> dict[Move, Bounds]:
            bounds = dict.fromkeys(rules.actions(state), self.limits)
            for move, child in self.game.moves_made(state).items():
                bounds[move] = bounds_of(child, depth - 1)
            return bounds

        return of_moves(self.root, self.depth)

    def best_moves(self) -> set[Move]:
        """Return the moves of which it is proven that no other is better."""
        bounds = self.bounds()
        return {move for move in bounds if is_best(bounds, move)}

    def allowed_states(self) -> list[State]:
        """Return the states that textbook alpha-beta may generate, in this search's move order."""
        return self.game.alpha_beta_generates(self.root, self.depth, self.worth, self.window)


def expect_proven_value(search: FinishedSearch, value: Any) -> None:
    """Expect that the states seen prove the root's `value` for the player to move."""
    bounds, (alpha, beta) = _bounds(search), search.window
    assert is_number(value), "The value must be a number."
    lowest = max(low for low, _ in bounds.values())
    highest = max(high for _, high in bounds.values())
    low, high, answer = (max(alpha, min(beta, n)) for n in (lowest, highest, value))
    assert low == high, (
        "The states that it has looked at do not tell the value: "
        "some were not looked at although they matter."
    )
    assert answer == low, "The value is not the one that follows from what was looked at."


def expect_proven_move(search: FinishedSearch, move: Any) -> None:
    """Expect that the states seen prove that no move is better than `move`."""
    bounds = _bounds(search)
    assert move in list(bounds), "The answer is no legal move."
    assert is_best(bounds, move), (
        "The states that it has looked at do not show that its move is best: "
        "some were not looked at although they matter."
    )


def is_best(bounds: dict[Move, Bounds], move: Move) -> bool:
    """Return whether the bounds prove that no other move is better."""
    others = [high for other, (_, high) in bounds.items() if other != move]
    return bounds[move][0] >= max(others, default=-math.inf)


def _bounds(search: FinishedSearch) -> dict[Move, Bounds]:
    """Return the bounds; expect that only the root and generated states were estimated."""
    keys = {key_of(state) for state in (search.root, *search.game.generated)}
    strange = sum(key_of(state) not in keys for state in search.estimated_states)
    assert not strange, (
        f"It asked for the estimates of {strange} states that it has not got from `game.result`."
    )
    return search.bounds()


def expect_pruned(search: FinishedSearch) -> None:
    """Expect that a search has generated only states that alpha-beta may, and each once."""
    states, allowed_states = search.game.generated, search.allowed_states()
    keys, allowed_keys = list(map(key_of, states)), set(map(key_of, allowed_states))
    beyond = [state for state, key in zip(states, keys, strict=True) if key not in allowed_keys]
    first = {key: i for i, key in reversed([*enumerate(keys)])}
    again = [state for i, state in enumerate(states) if first[keys[i]] < i]
    assert not beyond, (
        f"It generated {_name(beyond)}, which alpha-beta prunes when the moves come in that order"
        f"{_others(len(beyond) - 1)}."
    )
    assert len(states) <= len(allowed_states), (
        f"It generated {_name(again)} again{_others(len(again) - 1)}."
    )


def expect_nothing_in_vain(search: FinishedSearch, move: Any) -> None:
    """Expect that what was seen proves a move, and is no more than alpha-beta may see."""
    expect_proven_move(search, move)
    expect_pruned(search)


def expect_cuts(search: FinishedSearch, own: bool) -> None:
    """Expect that moves are cut as textbook alpha-beta cuts them where one of the two moves.

    It is the player whom the search helps, or else the opponent. What else is generated in vain,
    below the children of such states or elsewhere, counts for nothing.
    """
    game, allowed_keys = search.game, {key_of(state) for state in search.allowed_states()}
    where = [search.root, *(state for state in game.generated if key_of(state) in allowed_keys)]
    player = game.to_move(search.root)
    children = [game.moves_made(state) for state in where if (game.to_move(state) == player) is own]
    beyond = [s for below in children for s in below.values() if key_of(s) not in allowed_keys]
    assert not beyond, (
        f"Where {'the player whom it helps' if own else 'the opponent'} is to move it generated "
        f"{_name(beyond)}, which alpha-beta prunes when the moves come in that order"
        f"{_others(len({*map(key_of, beyond)}) - 1)}."
    )


def expect_some_cut(searches: Iterable[FinishedSearch]) -> None:
    """Expect that something was left out in one of some searches, whatever was found.

    So alpha-beta that never prunes, which is minimax, does not earn the points for right values.
    """
    for game, root, depth, *_ in searches:
        for state in (root, *game.generated):
            inside = plies_of(state) - plies_of(root) < depth and not game.terminal_test(state)
            if inside and len(game.moves_made(state)) < len(game.actions(state)):
                return
    raise AssertionError("In no tree it has left out anything: that is minimax, not alpha-beta.")


def plies_of(state: State) -> int:
    """Return how many moves have led to a path, or to a board."""
    return len(state.board if isinstance(state, GameState) else state)


def _name(states: Sequence[State]) -> str:
    """Return the name of the first state in words; of a path, by its moves."""
    state = states[0]
    if type(state) is not tuple:
        return f"the state {state}"
    moves = ", ".join(map(str, state))
    return f"the state after the {'move' if len(state) == 1 else 'moves'} {moves}"


def _others(count: int) -> str:
    return f", and so with {count} more" if count else ""
