"""Expectations of searches that look so many plies ahead, and of their estimates.

The games are trees whose states are paths, or boards. A search of Connect Four is called as
`search(game, state, depth, estimate)` and returns a value and a move; the player `AlphaBeta` asks
its `eval_fn` about a state. A function `expect_...` raises an AssertionError with a sentence that
students read. Imports no solver.
"""

import math
import random
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, NamedTuple

from adversarial.checks.pruning import FinishedSearch, plies_of
from adversarial.checks.trees import StudentError, ask_each, is_number, random_tree
from adversarial.games.recorded import Trace, Worth, key_of
from games import Fig52Game, Game, NestedTree, State, TreeGame, infinity
from referee.sandbox.outside.student import Proxy

POSITIVE, NEGATIVE = range(1, 200), range(-199, 0)  # who begins with a 0 is right in one of them


class RecordedEstimate:
    """An estimate that records the states that it is called with."""

    def __init__(self, estimate: Callable[..., float] = lambda *_: 0) -> None:
        """Return the values of `estimate`, by default 0."""
        self.estimate = estimate
        self.states: list[State] = []

    def __call__(self, state: State, *player: Any) -> float:
        """Return the estimate of a state, as a player sees it, and record what has one.

        TypeError if it is no state, or an error of `estimate`.
        """
        hash(key_of(state))
        value = self.estimate(state, *player)
        self.states.append(state)
        return value


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
        plies = plies_seen(self.game, self.state)
        return self._replace(depth=plies) if abs(plies - self.depth) == 1 else self

    def finished_search(self, states: Collection[State]) -> FinishedSearch:
        """Return the search, now over, that has asked for the estimates of `states`."""
        return FinishedSearch(self.game, self.state, self.depth, self.worth, states)


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
        assert is_number(value), "The first of the pair is the value: a number."
        return value, move


def worth(game: Game, estimate: Worth) -> Worth:
    """Return the value of a state at the depth limit: the estimate, if the game goes on."""

    def value(state: State, player: Any) -> float:
        if not game.terminal_test(state):
            return estimate(state, player)
        utility = game.utility(state, player)
        return utility * infinity if utility else 0

    return value


def drawn_tree(
    chance: random.Random,
    branching: int,
    plies: int,
    root: State,
    utilities: Sequence[float] = POSITIVE,
) -> TreeGame:
    """Return a tree of such utilities for the player to move at the root."""
    sign = -1 if len(root) % 2 else 1
    return random_tree(chance, branching, plies, [sign * number for number in utilities])


def random_worth(
    chance: random.Random, tree: TreeGame, numbers: Sequence[float]
) -> dict[State, float]:
    """Return random values for the states of a tree, drawn from `numbers`.

    On each ply each is taken once: no tie makes of a bound a value. A final state has its utility,
    without the sign: whether it is estimated is asked elsewhere.
    """
    worth = dict[State, float]()
    for ply in range(tree.plies):
        paths = list(product(range(tree.branching), repeat=ply))
        worth |= zip(paths, chance.sample(numbers, len(paths)), strict=True)
    leaves = product(range(tree.branching), repeat=tree.plies)
    return worth | {path: abs(tree.utility(path, "MAX")) for path in leaves}


def plies_seen(game: Trace, root: State = ()) -> int:
    """Return how many plies ahead of the root a search has generated states."""
    return max((plies_of(state) - plies_of(root) for state in game.generated), default=0)


def expect_depth(
    game: Trace, root: State, depth: int, estimate: RecordedEstimate, plies: float = math.inf
) -> None:
    """Expect that a search has stopped at a depth, in a tree of so many plies, and nowhere else."""
    most, deepest = plies - len(root), plies_seen(game, root)
    assert deepest == min(depth, most), f"With depth {depth} it looks {deepest} plies ahead."
    wrong = [state for state in estimate.states if len(state) - len(root) != depth]
    assert not wrong, "It asks for estimates where it could look further ahead."
    assert estimate.states or depth >= most, f"With depth {depth} it asks for no estimate."


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
    rules, player = game.game, game.to_move(root)

    def worths(state: State) -> Any:
        if rules.terminal_test(state):
            return rules.utility(state, player)
        if stops(state) and state != root:
            return worth[state]
        return [worths(rules.result(state, one)) for one in rules.actions(state)]

    values = Trace(NestedTree(worths(root))).values(())
    assert move in list(values), "The answer is no legal move."
    assert values[move] == max(values.values()), (
        f"By the estimates where it should stop another move is better for {player}."
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
    assert lowest == highest == value or move in search.best_moves(), (
        "Neither its value nor its move follows from the states that it has looked at."
    )
