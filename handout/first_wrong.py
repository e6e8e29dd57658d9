"""Find the first value of a search that contradicts the values it returned before, on small trees.

The value of a final state must be its utility; that of any other the largest or smallest of its
children's, without those that alpha and beta make irrelevant. Trees are made from the root down, so
their values are known without a search, and only a search that answers wrongly is looked into.
Numbers are told as it returned them; in the tree a leaf has its utility. No value is computed here:
this cannot replace a search.
"""

import functools
import io
import math
import random
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, TypeAlias

from games import NestedTree

Tree: TypeAlias = Any  # a list of trees, or a number: the utility of a leaf for MAX
Path: TypeAlias = tuple[int, ...]

COUNT, PLIES = 320, (1, 2, 2, 3, 3, 4, 5, 6, 7, 8)
VALUES = *range(-9, 10), -1500, 1500
LESS = 0, 0, 0.5, 1, 1, 1, 2, 3, 8, 2000  # than the best child has another one
OTHERS = 0, 1, 1, 2, 2, 3, 5  # numbers of children besides the best one
SIGNS = {  # signs of values, where who searches is to move and where not; what is said of it
    (1, 1): "",
    (1, -1): " (Its values are for whoever moves.)",
    (-1, 1): " (Its values are for the other.)",
}


@functools.cache
def trees() -> list[tuple[Tree, Path, float, list[int]]]:
    """Return trees, where to search, the value for who searches there, and the best moves.

    MAX searches in the first ones, and those with few leaves come first. Paths differ in length,
    some moves are forced, and many values are equal.
    """
    chance, rows = random.Random(1950), list[tuple[Tree, Path, float, list[int]]]()
    for number in range(COUNT):
        side, value = 1 if number % 4 else -1, chance.choice(VALUES)
        tree, best = _tree(chance, value, PLIES[number % len(PLIES)], side)
        rows.append((tree, (), value, best) if side == 1 else ([tree], (0,), -value, best))
    rows.sort(key=lambda row: (row[1], repr(row[0]).count(","), len(repr(row[0]))))
    return [row for row in rows if repr(row[0]).count(",") < 40]


def _tree(chance: random.Random, value: float, plies: int, side: int) -> tuple[Tree, list[int]]:
    """Return a tree of this value for MAX, and the best moves; MAX moves on side 1, MIN on -1."""
    others = chance.choice(OTHERS if plies < 4 else OTHERS[:3])
    worths = [value - side * chance.choice(LESS) for _ in range(others)]
    worths.insert(chance.randint(0, others), value)
    ends = [plies == 1 or chance.random() < 0.2 for _ in worths]
    tree = [
        worth if end else _tree(chance, worth, plies - 1, -side)[0]
        for worth, end in zip(worths, ends, strict=True)
    ]
    return tree, [move for move, worth in enumerate(worths) if worth == value]


def smallest(
    watch: Callable[..., Any], search: Callable[..., Any],
    make: Callable[..., Any] = lambda *fields: fields,
) -> tuple[Any, str] | None:  # fmt: skip
    """Return the smallest tree that a search gets wrong, up to its first wrong value, and why.

    `make` makes a node of the tree, such as a `canvas.drawing.Node`, of its fields. None for a
    right search, and if only its answer is known to be wrong. `watch` records a search of a game
    and a state, as `canvas.search.watch` does. What it prints is not shown.
    """
    records = []
    for tree, state, value, best in trees():
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            record = watch(NestedTree(tree), lambda game, state: search(game, state), state)
        records.append(record)
        answer, sides = record.answer, [(value, record.answer)]
        if type(answer) is tuple and len(answer) == 2:  # a value and a move, or the other way round
            sides = [answer, answer[::-1]]
        if any(worth == value and move in best for worth, move in sides):
            continue
        signs = max(SIGNS, key=lambda pair: sum(not View(pair, it).why for it in records))
        view, note = View(signs, record), SIGNS[signs]
        if record.choice is None or not view.why:
            return None
        if state and not note:
            note = " (MIN searches: all numbers are for MIN.)"
        if record.told is None:  # what it has is what the choice is worth
            record.root.value = None
        return record.drawn(make), view.why + note
    return None


class View:
    """The values that a search returned, read with certain signs, up to the first wrong one."""

    def __init__(self, signs: tuple[int, int], record: Any) -> None:
        """Go through the values; `why` tells what is wrong with the one of `node`, if it is."""
        self.signs, self.root, self.why = signs, record.root, ""
        for self.node, event, _ in record.replay():
            worth = self._worth(self.node)
            if event != "value" or self.node is self.root or worth is None:
                continue
            if why := self._why_not(worth):
                self.why = f"It says that {_name(self.node)} is worth {_number(self.node)}. {why}"
                return
        choice = record.choice
        if choice and (worth := self._worth(choice)) is not None:
            text = f"{_name(choice)}, which has {_number(choice)}."
            if why := self._why_not(worth):
                self.why = f"It chooses {text} {why}"
            elif record.told is not None and worth not in record.answer:
                self.why = f"It returns the value {record.told!r} with {text}"

    def _why_not(self, value: float) -> str:
        """Return why the last node cannot be worth this for who searches, or "" if it can."""
        node, who = self.node, self.root.mover
        if not node.mover:
            reason = f"The search ends there, and to {who} that is worth {node.utility:g}."
            return reason if value != node.utility else ""
        children = [child for child in node.children if child.seen]
        worths = [self._worth(child) for child in children]
        if not children or None in worths:
            return ""
        (alpha, beta), largest = self._window(node), node.mover == who
        best = max(worths) if largest else min(worths)
        if value != best and not (value <= alpha >= best or value >= beta <= best):
            word = ("smallest", "largest")[largest] if self.signs == (1, 1) else "best for itself"
            text = ", ".join(map(_number, children))
            place = "there" if node.parent else f"at {_name(node)}"
            return f"{node.mover} moves {place} and takes the {word}; the children have {text}."
        rest = [_name(child) for child in node.children if not child.seen]
        if not rest or (best >= beta if largest else best <= alpha):
            return ""
        best_child = children[worths.index(best)]
        text = f"what it has said elsewhere, and the {_number(best_child)} of {_name(best_child)},"
        return f"It leaves out {rest[0]}: {text} do not make that irrelevant."

    def _worth(self, node: Any) -> Any:
        """Return the value of a node for who searches, its utility if it is a leaf, or None."""
        sign = self.signs[node.depth % 2]
        return node.utility if node.value is None else sign * node.value + 0

    def _window(self, node: Any) -> tuple[float, float]:
        """Return alpha and beta at a node, by the values so far."""
        parent = node.parent
        if parent is None:
            return -math.inf, math.inf
        alpha, beta = self._window(parent)
        rest = [child for child in parent.children if child is not node and child.value is not None]
        if parent.mover == self.root.mover:
            return max([alpha, *map(self._worth, rest)]), beta
        return alpha, min([beta, *map(self._worth, rest)])


def _number(node: Any) -> str:
    """Return the number that a search has said of a node, or else that of a leaf."""
    return f"{node.utility if node.value is None else node.value:g}"


def _name(node: Any) -> str:
    return f"state {node.name}" if node.name else "the root"
