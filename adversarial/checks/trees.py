"""Shared by the hidden checks of every game: trees, and expectations of a search in them.

Plain functions; those that need a student's process or random draws at the start of a check are
fixtures. A function `expect_...` raises an AssertionError with a sentence that students read.
Imports no solver: one game has `boards`, the other `connect_four`.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from adversarial.games.recorded import Trace, key_of
from games import NestedTree, State, TreeGame
from referee.sandbox.outside.student import StudentError as StudentError
from referee.sandbox.outside.student import ask_each as ask_each
from referee.sandbox.outside.student import call_and_look as call_and_look

# --- trees -----------------------------------------------------------------------------------


def random_tree(
    chance: random.Random, branching: int, plies: int, values: Sequence[float]
) -> TreeGame:
    """Return a full tree whose leaves are drawn from `values`, each of which is taken once."""
    return TreeGame(chance.sample(values, branching**plies), branching)


def traps(chance: random.Random) -> list[Any]:
    """Return six trees, as nested lists, in which MAX falls for a wrong start or stop.

    Four have leaves beyond 2,000, in place of which a search may begin with a number that is too
    small; in one a bound is as good as the best value, and in one a value of 1 is not the best.
    """
    low, more, much, most = sorted(chance.sample(range(2_000, 99_000), 4))
    return [
        [[-low, -most], [-more, -much]],  # for a root that begins with a bound for itself
        [[low, more], [much, most]],  # for replies that are compared with what is less than all
        [[[low, most]], [[much, more]]],  # for a root that begins with a bound for the opponent
        [[[-most, -much]], [[-more, -low]]],  # for moves that are compared with more than all
        [[low, more], [low, 1]],  # for a root that takes a reply's bound for its value
        [[1, 2], [low, more]],  # for a search that ends with a win
    ]


def negated(tree: Any) -> Any:
    """Return nested lists as the opponent sees them: each leaf with the other sign."""
    return [negated(branch) for branch in tree] if isinstance(tree, list) else -tree


def corridors(values: Sequence[float], plies: int) -> NestedTree:
    """Return a tree in which each move at the root leads to a value, by so many forced moves."""
    return NestedTree([corridor(value, plies) for value in values])


def corridor(value: Any, plies: int) -> Any:
    """Return nested lists with one move each, so many of them, that lead to a value or a tree."""
    return [corridor(value, plies - 1)] if plies else value


def zeros() -> list[Any]:
    """Return 16 trees, as nested lists, in which a draw, worth 0, decides at one of four levels.

    It comes first or last, against 1 or -1; who takes a 0 for no value yet is wrong in one of them.
    """
    pairs = [0, -1], [-1, 0], [0, 1], [1, 0]
    return [
        [corridor(pair, plies - 1), corridor((-1) ** (plies + 1) / 2, plies)] if plies else pair
        for plies in range(4)
        for pair in pairs
    ]


def one_and_two_moves(first: int, plies: int) -> NestedTree:
    """Return a tree in which states with one move and with two take turns, drawn at its end."""

    def below(moves: int, depth: int) -> Any:
        return [below(3 - moves, depth - 1) for _ in range(moves)] if depth else 0

    return NestedTree(below(first, plies))


def uneven_trees(chance: random.Random) -> list[NestedTree]:
    """Return eight trees with paths of unequal lengths, with MAX or MIN to move at the root.

    The deeper of two leaves is a little better in some and a little worse in others, above zero and
    below: so a value that a search changes with each ply, or takes for equal to one that is nearly
    so, gives a wrong move in one of them.
    """
    trees = list[Any]()
    for sign in 1, -1:
        first = chance.randrange(sign * 500, sign * 900, sign)
        for order in range(first, first + 4), range(first + 3, first - 1, -1):
            branches = [corridor(value / 64, 2 * n + 1) for n, value in enumerate(order)]
            trees += [branches, [branches[:2], branches[1:]]]
    return [NestedTree(chance.sample(tree, len(tree))) for tree in trees]


# --- what a search returns -------------------------------------------------------------------


def expect_by_sign(expect: Callable[[Any], None], *kinds: Iterable[Any]) -> None:
    """Expect something in all trees of one kind: where bounds begin costs points elsewhere."""
    faults = list[Exception]()
    for trees in kinds:
        try:
            for tree in trees:
                expect(tree)
            return
        except (AssertionError, StudentError) as fault:
            faults.append(fault)
    raise faults[0]


def expect_best_in_tree(game: Trace, state: State, move: Any, where: str = "In a tree") -> None:
    """Expect one of the best moves from a player."""
    values = game.values(state)
    assert move in list(values), (
        f"{where} the answer is no legal move: return a move, neither a value nor a state."
    )
    assert values[move] == max(values.values()), (
        f"{where} another move is better for {game.to_move(state)}."
    )


def is_number(answer: Any) -> bool:
    """Return whether an answer is a plain number; True and False are none."""
    return type(answer) in (int, float, Fraction)


def expect_value(answer: Any, value: float, where: str) -> None:
    """Expect the `answer` of the method `where` to be a value of the player's."""
    assert is_number(answer), f"{where} must return a number, nothing else."
    assert answer == value, f"{where} returns a wrong value."


# --- expectations of the states that are generated -------------------------------------------


def expect_all_generated(game: Trace, root: State, tree: str) -> None:
    """Expect that every state below `root` was generated once, and each final one valued."""
    whole = game.minimax_generates(root)
    keys = {key_of(state) for state in whole}
    assert {key_of(state) for state in game.generated} >= keys, (
        f"Some states of {tree} were never looked at: plain minimax does not prune, and it leaves "
        f"out no state because it is like another."
    )
    assert len(game.generated) == len(whole), (
        f"{len(game.generated)} states were generated in a tree that has {len(whole)}: plain "
        f"minimax looks at each of them once, and does not remember what it has seen."
    )
    valued_keys = {key_of(state) for state, _ in game.valued}
    final = {key_of(state) for state in whole if game.terminal_test(state)}
    assert valued_keys >= final, f"In {tree} some final states were never asked for their utility."
