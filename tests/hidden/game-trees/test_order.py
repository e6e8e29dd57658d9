"""Hidden checks of the cell order: what best-first and worst-first order let alpha-beta skip."""

from typing import Any

import pytest

from adversarial.checks.figure import answer_in, expect_numbers
from adversarial.checks.pruning import FinishedSearch
from adversarial.games.recorded import Trace
from games import TreeGame

PLIES = (2, 3, 4)
ORDERS = ("best first", "worst first")


def skipped(order: str) -> list[int]:
    """Return how many leaves alpha-beta skips in trees with three moves in each state.

    Best first it looks at 3**ceil(n/2) + 3**floor(n/2) - 1 leaves (Knuth and Moore 1975). Worst
    first at all: alpha stays below each new child's value, and beta above it, to the last.
    """
    if order == "worst first":
        return [0, 0, 0]
    return [3**n - (3 ** (n - n // 2) + 3 ** (n // 2) - 1) for n in PLIES]


def ordered(plies: int, order: str) -> TreeGame:
    """Return a tree whose moves all come best first, or worst first.

    A leaf is a number in base three whose digits tell the moves, counted from the worst for MAX.
    """
    leaves = [0]
    for depth in range(plies):
        digits = sorted(range(3), reverse=(depth % 2 == 0) == (order == "best first"))
        leaves = [3 * leaf + digit for leaf in leaves for digit in digits]
    return TreeGame(leaves)


def row(student: Any, name: str, order: str) -> Any:
    """Return what a table of the student's says of an order; it must be a list with something."""
    table = answer_in(student, name)
    assert type(table) is dict, f"`{name}` must be a dict."
    assert order in table, f"`{name}` has no key {order!r}."
    assert len(table) == len(ORDERS), f"`{name}` has more keys than {', '.join(ORDERS)}."
    numbers = table[order]
    assert type(numbers) in (list, tuple), f"`{name}[{order!r}]` must be a list."
    assert numbers, f"`{name}[{order!r}]` is empty."
    return numbers


@pytest.mark.check(
    cell="order", points=1, hint="Best move at MAX, all at MIN, and the other way round."
)
def test_predicted_best(student):
    """The prediction for the best-first trees is right
    Needed for wrong/order_square_root and wrong/order_one_side_only."""
    order = "best first"
    expect_numbers(row(student, "predicted", order), skipped(order), f"predicted[{order!r}]")


@pytest.mark.check(
    cell="order", points=1, hint="Each new child is better than all before: can you stop in it?"
)
def test_predicted_worst(student):
    """The prediction for the worst-first trees is right
    Needed for wrong/order_worst_is_half and wrong/order_more_keys."""
    order = "worst first"
    expect_numbers(row(student, "predicted", order), skipped(order), f"predicted[{order!r}]")


@pytest.mark.check(cell="order", points=2)
def test_counted(student):
    """What was counted is right, and `alpha_beta_search` does skip so many leaves
    Needed for wrong/order_one_tree_for_all and wrong/order_counts_are_typed."""
    for order in ORDERS:
        expect_numbers(row(student, "counted", order), skipped(order), f"counted[{order!r}]")
        for plies, count in zip(PLIES, skipped(order), strict=True):
            tree = ordered(plies, order)
            game = Trace(tree)
            student.alpha_beta_search((), game)
            seen = {state for state in game.generated if tree.terminal_test(state)}
            assert len(tree.leaves) - len(seen) == count, (
                f"`alpha_beta_search` does not skip as many leaves as `counted` says, {order}."
            )
            assert FinishedSearch(game, ()).best_moves(), (
                "The leaves that `alpha_beta_search` looks at show of no move that it is best."
            )
