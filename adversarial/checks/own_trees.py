"""Count which mutants of a student's own search their trees kill, of those that can be killed.

A mutant is the student's code with one small change. A tree kills it if the mutant does anything
else there than the code itself: another move, worth more or less; other states; a breakdown.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, TypeAlias

from adversarial.checks.suspects import fault_in_tree, leaves
from adversarial.games import sent_search
from adversarial.games.recorded import Trace
from games import NestedTree
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import Student, load

Alone: TypeAlias = Callable[[], AbstractContextManager[Student]]
Mutant: TypeAlias = list[Any]  # its line, the lines that it changes, its source

MOST_TREES, MOST_LEAVES, MOST_MUTANTS = 6, 20, 80
LEAST_MUTANTS = 12  # that can be killed
SHOWN = 4  # survivors that are told
# Whoever does otherwise here does so everywhere: such mutants do not count.
TOO_EASY: list[Any] = [[7], [[7]]]
TWO_LEAVES: list[Any] = [[3, 5], [5, 3]]  # kill two in five mutants of a right search at most
LOOKS_AT_ITSELF = (
    "`alpha_beta_search` {}: it looks at itself, and then its mutants say nothing about trees. "
    "Take out what tests the search from inside."
)
OURS: list[Any] = [
    [-4, -6, -2], [0, [1, -1]], [0, [0, -5]], [[9, -7], [5, 4], [6, -3]], [[-1, 2], -2],
    [[3, 12, 8], [2, 4, 6], [14, 5, 2]], [[5, 1], [8, 2], [7, 9]], [-9, [-3, [-5, -7], -6]],
    [[[3, 6], [9, 5]], [[1, 4], [8, 2]]], [[[6, 3], [2, 7]], [[8, 5], [1, 4]]],
    [[[-9, -5], [-7, -8]], [[-3, -4], [-6, -9]]], [[[1, -1, 2], 1], [0, [2, 3]]],
    [0, [[[-1, 4], 3], 2]], [[[4, [3, 8]], 2], 1], [[[2, [7, 1], 3], [5, 6]], [[4, 9], 8]],
    [-1, [0, [-1, 2]]], [[7, [2, [5, 1]]], [6, 3]], [1, [2, 0], [3, -1], 2],
    [[[0, 5], 0], 0, [1, 1]], [[3, [3, 9]], 0], [[3, [4, 9]], 0], [-3, [-3, 5], [-4, 6]],
]  # fmt: skip


class Kills(NamedTuple):
    """How many mutants can be killed, sentences about those alive, whether the search prunes."""

    total: int
    alive: list[str]
    prunes: bool

    @property
    def share(self) -> float:
        """Return the share that is killed."""
        return 1 - len(self.alive) / self.total


def expect_own_trees(trees: Any) -> list[Any]:
    """Expect a list of a few trees, and return it."""
    assert type(trees) is list, "`my_trees` must be a list of trees."
    assert trees, "`my_trees` is empty."
    assert len(trees) <= MOST_TREES, f"`my_trees` holds more than {MOST_TREES} trees."
    for i, tree in enumerate(trees):
        assert not (fault := fault_in_tree(tree)), f"`my_trees[{i}]` {fault}."
    count = sum(len(leaves(tree)) for tree in trees)
    assert count <= MOST_LEAVES, (
        f"`my_trees` have {count} leaves together, and may have {MOST_LEAVES}."
    )
    return trees


def kills(trees: list[Any], mutants: list[Mutant], alone: Alone) -> Kills:
    """Return what is left of the mutants of some code; the first has no change."""
    asked = [*TOO_EASY, *TWO_LEAVES, *OURS, *trees]
    easy, two, own = len(TOO_EASY), len(TOO_EASY) + len(TWO_LEAVES), len(asked) - len(trees)
    (_, _, source), *others = mutants
    usual = _searched(source, asked, alone)
    with_idle_lines = _searched(source, asked, alone, idle=True)
    assert with_idle_lines == usual, LOOKS_AT_ITSELF.format(
        "does otherwise once a line is added that does nothing"
    )
    total, by_two, alive = 0, 0, []
    for line, change, source in others:
        other = _searched(source, asked, alone)
        if other[:easy] != usual[:easy] or other == usual:
            continue
        total += 1
        by_two += other[easy:two] != usual[easy:two]
        if other[own:] == usual[own:]:
            alive.append(_sentence(line, change))
    prunes = any(
        len(seen) < len(_below(tree)) for tree, (_, seen) in zip(OURS, usual[two:own], strict=True)
    )
    assert total >= LEAST_MUTANTS, (
        f"Only {total} small changes of `alpha_beta_search` can be noticed at all. They are made "
        "in what its cell defines with `def`: is the whole search there, and does it work?"
    )
    assert by_two <= total / 2, LOOKS_AT_ITSELF.format(
        f"does otherwise in trees of two leaves after {by_two} of {total} changes"
    )
    return Kills(total, alive, prunes)


def expect_killed(found: Kills, least: float, prunes: bool = True, spare: int = 0) -> None:
    """Expect that so large a share is killed, or all but `spare`, of a search that prunes."""
    told = "; ".join(found.alive[:SHOWN])
    more = f"; and {len(found.alive) - SHOWN} more" if len(found.alive) > SHOWN else ""
    assert found.share >= least or len(found.alive) <= spare, (
        f"Your trees kill {found.total - len(found.alive)} of {found.total} mutants. "
        f"Alive: {told}{more}."
    )
    assert found.prunes or not prunes, (
        "Your search prunes nothing, so there is nothing in it that trees for alpha-beta could "
        "hold up: only the first points are given."
    )


def _searched(source: str, trees: list[Any], alone: Alone, idle: bool = False) -> list[Any]:
    """Return what some code does in each tree, with the worth of its move in place of the move."""
    try:
        with alone() as empty:
            found = load(empty, sent_search).searched(source, trees, idle)
    except Stopped as stop:
        if stop.verdict.accident:
            raise
        return [["stopped", []]] * len(trees)
    return [[_worth(tree, move), seen] for tree, (move, seen) in zip(trees, found, strict=True)]


def _worth(tree: Any, move: Any) -> Any:
    values = Trace(NestedTree(tree)).values(())
    return values.get(move, str(move)) if type(move) is int else str(move)


def _below(tree: Any) -> list[Any]:
    return Trace(NestedTree(tree)).minimax_generates(())


def _sentence(line: int, change: list[str]) -> str:
    """Return where a mutant differs, and how."""
    old = [one[1:].strip() for one in change if one.startswith("-")]
    new = [one[1:].strip() for one in change if one.startswith("+")]
    return f"line {line}, `{' '.join(new)[:80]}` in place of `{' '.join(old)[:80]}`"
