"""Expectations of a search of limited depth.

It is called as `search(game, state, depth, estimate)` and returns a value and a move. Plain
functions; a function `expect_...` raises an AssertionError with a sentence that students read.
"""

import random
from collections.abc import Collection, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from adversarial.checks.connect_four import lost, lost_in_four_plies, played, top_count, worth
from adversarial.checks.pruning import FinishedSearch, is_best
from adversarial.checks.trees import StudentError, ask_each, call_and_look
from adversarial.games.recorded import Trace, Worth, key_of
from adversarial.solvers.connect_four import four_oracle
from games import ConnectFour, Fig52Game, GameState, State, infinity
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

    def as_deep_as_seen(self) -> "Case":
        """Return the case with a depth that is one more or less, if so many plies were seen."""
        plies = [plies_of(state) for state in self.game.generated]
        seen = max(plies, default=0) - plies_of(self.state)
        return self._replace(depth=seen) if abs(seen - self.depth) == 1 else self

    def finished(self, asked: Collection[State]) -> FinishedSearch:
        """Return the search that is over now and has `asked` for those estimates."""
        return FinishedSearch(self.game, self.state, self.depth, self.worth, asked)


class Search:
    """A student's search; its answers come with the value first, even where it puts the move first.

    That mistake costs its points once, in a check of its own, and so does a depth that is one ply
    off: values and moves are asked for the plies that were seen.
    """

    def __init__(self, function: Proxy) -> None:
        """Find out, in a game whose moves are texts, what the function puts first."""
        self.function, self._order = function, 1
        with suppress(AssertionError, StudentError):
            answer = function(Trace(Fig52Game(), "B"), "B", 1, lambda state, player: int(state[1]))
            self._order = -1 if type(answer) in (tuple, list) and type(answer[0]) is str else 1

    def __call__(self, *question: Any) -> tuple[float, Any]:
        """Return the value and the move of one search."""
        return self._pair(self.function(*question))

    def each(self, questions: Sequence[Sequence[Any]]) -> list[tuple[float, Any]]:
        """Return those of many searches, asked in few round trips."""
        return [self._pair(answer) for answer in ask_each(self.function, questions)]

    def _pair(self, answer: Any) -> tuple[float, Any]:
        assert type(answer) in (tuple, list) and len(answer) == 2, (
            "A search returns a pair (value, move)."
        )
        value, move = answer[:: self._order]
        assert type(value) in (int, float, Fraction), (
            "The first of the pair is the value: a number."
        )
        return value, move


def plies_of(state: State) -> int:
    """Return how many moves have led to a path, or to a board."""
    return len(state.board if isinstance(state, GameState) else state)


def expect_depth(game: Trace, start: State, depth: int) -> None:
    """Expect that a search has looked so many plies ahead; states are paths."""
    deepest = max((len(state) - len(start) for state in game.generated), default=0)
    assert deepest == depth, f"With depth {depth} it looks {deepest} plies ahead."


def expect_asked_at(depth: int, asked: RecordedEstimate, start: State) -> None:
    """Expect that estimates were asked for at that depth only; states are paths."""
    assert {len(state) - len(start) for state in asked.states} == {depth}, (
        "It asks for estimates where it could look further ahead."
    )


def expect_pair(search: Search) -> None:
    """Expect the value first, then the move, in the textbook's tree, where moves are texts."""

    def estimate(state: State, player: Any) -> float:
        return "ABDC".index(state[0]) * (1 if player == "MAX" else -1)

    answer = search.function(Trace(Fig52Game()), "A", 1, estimate)
    assert type(answer) in (tuple, list) and len(answer) == 2, "A search returns a pair."
    assert [type(part) is str for part in answer] == [False, True], (
        "In a game whose moves are texts the pair is not (value, move)."
    )


def expect_value(search: Search, case: Case) -> None:
    """Expect the right value."""
    value, _ = search(*case)
    right = (max(one.values().values()) for one in dict.fromkeys((case, case.as_deep_as_seen())))
    assert value in right, (
        f"With depth {case.depth} and {case.game.to_move(case.state)} to move, the value is wrong."
    )


def expect_best_move(search: Search, case: Case) -> None:
    """Expect one of the best moves."""
    _, move = search(*case)
    values = case.values()
    if values.get(move) != max(values.values()):
        values = case.as_deep_as_seen().values()
    assert values.get(move) == max(values.values()), (
        f"With depth {case.depth} and {case.game.to_move(case.state)} to move, another move is "
        "better, or the second of the pair is no legal move."
    )


def expect_sound(search: FinishedSearch, value: Any, move: Any) -> None:
    """Expect that what was seen proves the value or the move; the other is asked elsewhere.

    Who compares nothing has neither, in one search or another.
    """
    bounds = search.bounds()
    lowest, highest = (max(pair[end] for pair in bounds.values()) for end in (0, 1))
    best = {move for move in bounds if is_best(bounds, move)}
    assert lowest == highest == value or move in best, (
        "Neither its value nor its move follows from the states that it has looked at."
    )


def expect_cuts(search: FinishedSearch, own: bool) -> None:
    """Expect that moves are cut as textbook alpha-beta cuts them where one of the two moves.

    It is the player whom the search helps, or else the opponent.
    """
    game, needed = search.game, {key_of(state) for state in search.allowed()}
    where = [search.root, *(state for state in game.generated if key_of(state) in needed)]
    player = game.to_move(search.root)
    beyond = [
        child
        for state in where
        if (game.to_move(state) == player) is own
        for child in game.made(state).values()
        if key_of(child) not in needed
    ]
    assert not beyond, (
        f"Where {'the player whom it helps' if own else 'the opponent'} is to move it generated "
        f"{len(set(map(key_of, beyond)))} states that alpha-beta prunes when the moves come in "
        f"that order, after the moves {beyond[0]}, for example."
    )


def expect_no_move(search: Search, chance: random.Random, estimate: Worth) -> None:
    """Expect a value and no move at depth 0, and when the game is over."""
    for size in [(6, 7, 4), (4, 5, 3)] * 4:
        game, state = ConnectFour(*size), played(chance, 7, *size, over=False)
        value, move = search(Trace(game, state), state, 0, estimate)
        assert move is None, "With depth 0 there is no move to choose: the move is None."
        assert value == estimate(state, state.to_move), (
            "With depth 0 the value is the estimate for the player who is to move."
        )
    for size in [(6, 7, 4), (4, 5, 3), (2, 3, 3), (1, 4, 2)] * 4:
        game, state = ConnectFour(*size), played(chance, 99, *size)
        won = game.utility(state, state.to_move)
        for depth in 0, 1, 3:
            value, move = search(Trace(game, state), state, depth, estimate)
            assert move is None, "When the game is over there is no move to choose: None."
            assert value == (won * infinity if won else 0), (
                "A game that is over is worth infinity, -infinity or 0 to the player whose "
                "turn it would be."
            )


def expect_final_values(search: Search, chance: random.Random) -> None:
    """Expect that wins and draws within the depth are never estimated."""
    huge = RecordedEstimate(lambda state, player: 1e9 if player == "X" else -1e9)
    cases = [
        *(((3, 4, 3), 4, 4, final) for final in (-infinity, 0, infinity) * 2),
        *(((4, 3, 3), 5, 3, final) for final in (-infinity, infinity) * 3),
        *[((2, 4, 4), 5, 5, 0)] * 6,
    ]
    states = [
        (ConnectFour(*size), _near_the_end(chance, size, left, depth, final), depth)
        for size, left, depth, final in cases
    ]
    for game, state, depth in [*states, *lost_in_four_plies()]:
        recorded = Trace(game, state)
        value, _ = search(recorded, state, depth, huge)
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


def expect_a_move_when_lost(search: Search, estimate: Worth) -> None:
    """Expect a legal move and the value -infinity where every move loses."""
    for number, (game, state, depth) in enumerate(lost()):
        for deep in (depth, depth + 1) if number == 0 else (depth,):
            value, move = search(Trace(game, state), state, deep, estimate)
            assert type(move) is int and move in state.moves, (
                "Where every move loses the answer is no legal move: the opponent may blunder."
            )
            assert value == -infinity, "Where every move loses the value is -infinity."


def expect_solved(search: Search, game: Proxy, states: Sequence[GameState]) -> None:
    """Expect exact values and best moves of a search to the end that changes no state."""
    questions = [(game, s, 42 - len(s.board), top_count) for s in states]
    illegal, worse, other = 0, 0, 0
    for (value, move), state in zip(search.each(questions), states, strict=True):
        values = four_oracle().values(state)
        best = max(values.values())
        legal = type(move) is int and move in values
        illegal += not legal
        worse += legal and values[move] != best
        other += value != (best * infinity if best else 0)
    assert not illegal, f"In {illegal} of {len(states)} endgames the move is not legal."
    assert not worse, f"In {worse} of {len(states)} endgames another column is better."
    assert not other, f"In {other} of {len(states)} endgames the value is wrong."
    _, after_it = call_and_look(search.function, *questions[0])
    assert after_it[1] == states[0], "The search has changed the state that it was given."
