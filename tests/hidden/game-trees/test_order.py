"""Hidden checks of the cell order: what best-first and worst-first order let alpha-beta skip."""

from typing import Any

import pytest

from adversarial.checks.figure import answer_in, expect_answer, expect_numbers
from adversarial.checks.pruning import FinishedSearch
from adversarial.games.recorded import Trace
from games import TreeGame

PLIES = (2, 3, 4)
ORDERS = ("best first", "worst first")


def skip_counts(order: str) -> list[int]:
    """Return how many leaves alpha-beta skips in trees with three moves in each state.

    Best first it looks at 3**ceil(n/2) + 3**floor(n/2) - 1 leaves (Knuth and Moore 1975). Worst
    first at all: alpha stays below each new child's value, and beta above it, to the last.
    """
    if order == "worst first":
        return [0, 0, 0]
    return [3**n - (3 ** (n - n // 2) + 3 ** (n // 2) - 1) for n in PLIES]


def ordered_tree(plies: int, order: str) -> TreeGame:
    """Return a tree whose moves all come best first, or worst first.

    A leaf is a number in base three whose digits tell the moves, counted from the worst for MAX.
    """
    leaves = [0]
    for depth in range(plies):
        digits = sorted(range(3), reverse=(depth % 2 == 0) == (order == "best first"))
        leaves = [3 * leaf + digit for leaf in leaves for digit in digits]
    return TreeGame(leaves)


def expect_row(student: Any, order: str) -> None:
    """Expect the right prediction for an order, whatever it is for the other one."""
    table = answer_in(student, "predicted")
    assert type(table) is dict and order in table and len(table) == len(ORDERS), (
        f"`predicted` must be a dict with the keys {' and '.join(map(repr, ORDERS))}."
    )
    expect_numbers(table[order], skip_counts(order), f"predicted[{order!r}]")


@pytest.mark.check(
    cell="order", points=1, hint="Best move at MAX, all at MIN, and the other way round."
)
def test_predicted_best(student):
    """The prediction for the best-first trees is right
    Needed for wrong/order_square_root and wrong/order_one_side_only."""
    expect_row(student, "best first")


@pytest.mark.check(
    cell="order", points=1, hint="Each new child is better than all before: can you stop in it?"
)
def test_predicted_worst(student):
    """The prediction for the worst-first trees is right
    Needed for wrong/order_worst_is_half and wrong/order_more_keys."""
    expect_row(student, "worst first")


@pytest.mark.check(cell="order", points=2)
def test_counted(student):
    """What was counted is right, and `alpha_beta_search` does skip so many leaves
    Needed for wrong/order_one_tree_for_all and wrong/order_counts_are_typed."""
    expect_answer(student, "counted", {order: skip_counts(order) for order in ORDERS})
    for order in ORDERS:
        for plies, count in zip(PLIES, skip_counts(order), strict=True):
            tree = ordered_tree(plies, order)
            game = Trace(tree)
            student.alpha_beta_search((), game)
            leaves = {state for state in game.generated if tree.terminal_test(state)}
            assert len(tree.leaves) - len(leaves) == count, (
                f"`alpha_beta_search` does not skip as many leaves as `counted` says, {order}."
            )
            assert FinishedSearch(game, ()).best_moves(), (
                "The leaves that `alpha_beta_search` looks at show of no move that it is best."
            )
