"""Fixtures that the search checks share."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from adversarial.fixtures import (  # noqa: F401
    alike,
    ask_each,
    board_tree,
    call_and_look,
    corridors,
    drop_tree,
    fast_connect_four,
    fast_tictactoe,
    four_oracle,
    oracle,
    tictactoe,
    trace,
)  # fmt: skip
from games import GameState, TreeGame


@pytest.fixture
def spread(own_chance: Any, oracle: Any) -> Callable[..., list[GameState]]:
    """Give `spread(pool, n)`: n secret states of a pool, of every best move as many as can be.

    Each student gets others, unless the `lots` are those of all.

    However few are drawn, no constant answer is right in more than a few of them.
    """

    def draw(pool: Sequence[GameState], n: int, lots: Any = own_chance) -> list[GameState]:
        piles: dict[Any, list[GameState]] = {}
        secret = oracle().secret(pool)
        for state in lots.sample(secret, len(secret)):
            piles.setdefault(min(oracle().best_moves(state)), []).append(state)
        drawn: list[GameState] = []
        while len(drawn) < n:
            drawn += [pile.pop() for pile in piles.values() if pile]
        return drawn[:n]

    return draw


@pytest.fixture
def expect_best(oracle: Any, ask_each: Any) -> Callable[..., None]:
    """Give `expect_best(player, game, states, what, size)`: a best move in every state."""

    def expect(
        player: Any, game: Any, states: Sequence[GameState], what: str, size: Any = (3, 3, 3)
    ) -> None:
        board = oracle(*size)
        moves = ask_each(player, [(game, state) for state in states])
        illegal = [
            move for move, state in zip(moves, states, strict=True) if move not in state.moves
        ]
        assert not illegal, (
            f"In {len(illegal)} of {len(states)} positions your player's answer was no legal move: "
            f"a search returns a move, as `actions` lists it, here a tuple (row, column)."
        )
        worse = sum(
            move not in board.best_moves(state) for move, state in zip(moves, states, strict=True)
        )
        assert not worse, f"In {worse} of {len(states)} positions your player {what}."

    return expect


@pytest.fixture
def trees(chance: Any, corridors: Any) -> list[Any]:
    """Give 19 trees: of up to nine plies, with leaves that are far apart, close together, huge,
    or fractions."""

    def full(branching: int, plies: int, values: Sequence[float]) -> TreeGame:
        return TreeGame(chance.sample(values, branching**plies), branching)

    shapes = [(2, 3), (2, 4), (3, 2), (3, 3), (4, 2), (5, 2)]
    usual = [full(*shape, range(-99, 100)) for shape in shapes * 2]
    close = [full(*shape, [*range(-3, 4)] * 9) for shape in [(3, 3), (2, 4)]]
    huge = [full(*shape, range(-99_000, 99_000)) for shape in [(2, 3), (3, 2)]]
    fractions = full(2, 5, [number / 8 for number in range(-99, 100)])
    large = full(3, 4, range(-999, 1000))
    return [*usual, *close, *huge, fractions, large, corridors(chance.sample(range(100), 4), 9)]


@pytest.fixture
def large_boards(chance: Any, tictactoe: Any) -> list[GameState]:
    """Give ten positions of the 4x4 board, four in a row, with four free squares."""
    rules = tictactoe(4, 4, 4)
    found: list[GameState] = []
    while len(found) < 10:
        state = rules.initial
        while len(state.moves) > 4:
            state = rules.result(state, chance.choice(state.moves))
        found += [state] if state.moves else []
    return found


@pytest.fixture
def board_trees(chance: Any, oracle: Any, board_tree: Any) -> list[Any]:
    """Give the recorded trees of ten small boards, with X and with O to move at the root."""
    roots = [state for state in oracle().open_states() if len(state.moves) in (3, 4)]
    return [
        board_tree(2, 2, 2),
        board_tree(1, 4, 2),
        *(board_tree(start=start) for start in chance.sample(roots, 8)),
    ]
