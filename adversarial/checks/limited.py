"""Expectations of a search of limited depth.

It is called as `search(game, state, depth, estimate)` and returns a value and a move. Plain
functions; a function `expect_...` raises an AssertionError with a sentence that students read.
"""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from adversarial.checks.connect_four import BY_HAND, drop, lost, played, top_count, worth
from adversarial.checks.trees import ask_each
from adversarial.games.recorded import Trace, Worth, key_of
from adversarial.solvers.connect_four import four_oracle
from games import ConnectFour, GameState, State, infinity
from referee.sandbox.outside.student import Proxy


class RecordedEstimate:
    """An estimate that records the states that it is called with."""

    def __init__(self, estimate: Worth) -> None:
        """Return the values of `estimate`."""
        self.estimate = estimate
        self.states: list[State] = []

    def __call__(self, state: State, player: Any) -> float:
        """Return the estimate of a state, as `player` sees it; TypeError if it is no state."""
        hash(key_of(state))
        self.states.append(state)
        return self.estimate(state, player)


class Case(NamedTuple):
    """A recorded game, a state in it, and the depth and estimate of a search."""

    game: Trace
    state: State
    depth: int
    estimate: Worth

    @property
    def worth(self) -> Worth:
        """Return the value of a state at the depth limit."""
        return worth(self.game.game, self.estimate)

    def values(self) -> dict[Any, float]:
        """Return the value of each move for the player to move."""
        return self.game.values(self.state, self.depth, self.worth)


def value_and_move(answer: Any) -> tuple[float, Any]:
    """Return the value and the move that a search has returned; expect them to be a pair."""
    assert type(answer) in (tuple, list) and len(answer) == 2, (
        "A search returns a pair (value, move)."
    )
    value, move = answer
    assert type(value) in (int, float, Fraction), "The first of the pair is the value: a number."
    return value, move


def expect_depth(game: Trace, start: State, depth: int) -> None:
    """Expect that a search has looked so many plies ahead; states are paths."""
    deepest = max((len(state) - len(start) for state in game.generated), default=0)
    assert deepest == depth, f"With depth {depth} it looks {deepest} plies ahead."


def expect_asked_at(depth: int, asked: RecordedEstimate, start: State) -> None:
    """Expect that estimates were asked for at that depth only; states are paths."""
    assert {len(state) - len(start) for state in asked.states} == {depth}, (
        "It asks for estimates where it could look further ahead."
    )


def expect_case(search: Callable[..., Any], case: Case) -> None:
    """Expect the right value, and one of the best moves."""
    value, move = value_and_move(search(*case))
    values = case.values()
    best = max(values.values())
    who = case.game.to_move(case.state)
    assert value == best, f"With depth {case.depth} and {who} to move, the value is wrong."
    assert move in values, (
        f"With depth {case.depth} and {who} to move, the second of the pair is no legal move."
    )
    assert values[move] == best, (
        f"With depth {case.depth} and {who} to move, another move is better."
    )


def expect_no_move(search: Proxy, chance: random.Random, estimate: Worth) -> None:
    """Expect a value and no move at depth 0, and when the game is over."""
    for size in [(6, 7, 4), (4, 5, 3)] * 4:
        game, state = ConnectFour(*size), played(chance, 7, *size, over=False)
        value, move = value_and_move(search(Trace(game, state), state, 0, estimate))
        assert move is None, "With depth 0 there is no move to choose: the move is None."
        assert value == estimate(state, state.to_move), (
            "With depth 0 the value is the estimate for the player who is to move."
        )
    for size in [(6, 7, 4), (4, 5, 3), (2, 3, 3), (1, 4, 2)] * 4:
        game, state = ConnectFour(*size), played(chance, 99, *size)
        won = game.utility(state, state.to_move)
        for depth in 0, 1, 3:
            value, move = value_and_move(search(Trace(game, state), state, depth, estimate))
            assert move is None, "When the game is over there is no move to choose: None."
            assert value == (won * infinity if won else 0), (
                "A game that is over is worth infinity, -infinity or 0 to the player whose "
                "turn it would be."
            )


def expect_final_values(search: Proxy, chance: random.Random) -> None:
    """Expect that wins and draws within the depth are never estimated."""
    huge = RecordedEstimate(lambda state, player: 1e9 if player == "X" else -1e9)
    cases = [
        *(((3, 4, 3), 4, 4, final) for final in (-infinity, 0, infinity) * 2),
        *(((4, 3, 3), 5, 3, final) for final in (-infinity, infinity) * 3),
        *[((2, 4, 4), 5, 5, 0)] * 6,
    ]
    for size, left, depth, final in cases:
        game = ConnectFour(*size)
        state = _near_the_end(chance, size, left, depth, final)
        recorded = Trace(game, state)
        value, _ = value_and_move(search(recorded, state, depth, huge))
        assert not [s for s in huge.states if game.terminal_test(s)], (
            "The estimate was asked about a state in which the game is over."
        )
        right = recorded.minimax_value(state, state.to_move, depth, worth(game, huge))
        assert value == right, "Near the end of a game on a small board the value is wrong."


def _near_the_end(
    chance: random.Random, size: tuple[int, int, int], left: int, depth: int, final: float
) -> GameState:
    """Draw a state whose value is `final` at every depth from `depth` on, whatever the estimates.

    Where three in a row win, the first move is worse, unless the state is lost.
    """
    while True:
        state = played(chance, size[0] * size[1] - left, *size, over=False)
        game = Trace(ConnectFour(*size), state)
        guesses = [worth(game.game, lambda *_, sign=sign: sign * 1e9) for sign in (1, -1)]
        looks = list(product(range(depth, left + 1), guesses))
        if {game.minimax_value(state, state.to_move, *look) for look in looks} != {final}:
            continue
        if final == -infinity or size[2] > 3:
            return state
        if game.values(state, *looks[0])[state.moves[0]] < final:
            return state


def expect_a_move_when_lost(search: Proxy, estimate: Worth) -> None:
    """Expect a legal move and the value -infinity where every move loses."""
    for number, (game, state, depth) in enumerate(lost()):
        for deep in (depth, depth + 1) if number == 0 else (depth,):
            value, move = value_and_move(search(Trace(game, state), state, deep, estimate))
            assert type(move) is int and move in state.moves, (
                "Where every move loses the answer is no legal move: the opponent may blunder."
            )
            assert value == -infinity, "Where every move loses the value is -infinity."


def expect_known_board(answer: Any, depth: int, plies: str) -> None:
    """Expect the value and a best column of the board written by hand."""
    state = drop(BY_HAND)
    value, move = value_and_move(answer)
    assert value == -2, f"{plies} plies ahead X can have 2 columns less than O; found {value}."
    if move == 0:
        return
    game = Trace(ConnectFour(), state)
    values = game.values(state, depth, worth(game.game, top_count))
    assert move in state.moves and values[move] == value, (
        f"{plies} plies ahead another column is better: column 0, for example."
    )


def expect_solved(search: Proxy, game: Proxy, states: Sequence[GameState]) -> None:
    """Expect exact values and best moves of a search that looks to the end."""
    answers = ask_each(search, [(game, s, 42 - len(s.board), top_count) for s in states])
    illegal, worse, other = 0, 0, 0
    for answer, state in zip(answers, states, strict=True):
        value, move = value_and_move(answer)
        values = four_oracle().values(state)
        best = max(values.values())
        legal = type(move) is int and move in values
        illegal += not legal
        worse += legal and values[move] != best
        other += value != (best * infinity if best else 0)
    assert not illegal, f"In {illegal} of {len(states)} endgames the move is not legal."
    assert not worse, f"In {worse} of {len(states)} endgames another column is better."
    assert not other, f"In {other} of {len(states)} endgames the value is wrong."
