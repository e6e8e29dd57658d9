"""Find the first value of a search that contradicts the values it returned before, on small trees.

The value of a final state must be its utility; that of any other the largest or smallest of its
children's, without those that alpha and beta make irrelevant. Trees are made from the root down, so
their values are known without a search, and only a search that answers wrongly is looked into.
Numbers are told as it returned them. No value is computed here: this cannot replace a search.
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
# A tree, the wrong state, the reason, the values that came back, and beside which of them stands
# "≤", "≥" or "pruned".
Wrong: TypeAlias = tuple[Tree, Path, str, dict[Path, float], dict[Path, str]]

COUNT, PLIES = 320, (1, 2, 2, 3, 3, 4, 5, 6, 7, 8)
VALUES = *range(-9, 10), -1500, 1500
LESS = 0, 0, 0.5, 1, 1, 1, 2, 3, 8, 2000  # than the best child has another one
OTHERS = 0, 1, 1, 2, 2, 3, 5  # numbers of children besides the best one
VIEWS = {  # signs of values, where who searches is to move and where not; what is said of it
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
    chance, found = random.Random(1950), list[tuple[Tree, Path, float, list[int]]]()
    for number in range(COUNT):
        side, value = 1 if number % 4 else -1, chance.choice(VALUES)
        tree, best = _made(chance, value, PLIES[number % len(PLIES)], side)
        found.append((tree, (), value, best) if side == 1 else ([tree], (0,), -value, best))
    found.sort(key=lambda one: (one[1], repr(one[0]).count(","), len(repr(one[0]))))
    return [one for one in found if repr(one[0]).count(",") < 40]


def _made(chance: random.Random, value: float, plies: int, side: int) -> tuple[Tree, list[int]]:
    """Return a tree of this value for MAX, and the best moves; MAX moves on side 1, MIN on -1."""
    others = chance.choice(OTHERS if plies < 4 else OTHERS[:3])
    worths = [value - side * chance.choice(LESS) for _ in range(others)]
    worths.insert(chance.randint(0, others), value)
    ends = [plies == 1 or chance.random() < 0.2 for _ in worths]
    tree = [
        worth if end else _made(chance, worth, plies - 1, -side)[0]
        for worth, end in zip(worths, ends, strict=True)
    ]
    return tree, [move for move, worth in enumerate(worths) if worth == value]


def smallest(watch: Callable[..., Any], search: Callable[..., Any]) -> Wrong | None:
    """Return the first wrong value of a search, on the smallest tree that it gets wrong.

    None for a right search, and if only its answer is known to be wrong. `watch` records a search
    of a game and a state, as `canvas.search.watch` does. What it prints is not shown.
    """
    records = []
    for tree, state, value, best in trees():
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            record = watch(NestedTree(tree), lambda game, state: search(game, state), state)
        records.append(record)
        choice, answer = record.choice, record.answer
        if choice and choice.move in best and (type(answer) is not tuple or answer[0] == value):
            continue
        view = max(VIEWS, key=lambda one: sum(not Told(record, one).why for record in records))
        told = Told(record, view)
        if choice is None or not told.why:
            return None
        note = VIEWS[view]
        if state and not note:
            note = " (MIN searches in state 0: values are for MIN, and leaves are drawn for MAX.)"
        said = {it.state: one for it, one in told.said.items() if it.mover or it is told.node}
        marks = {
            node.state: "pruned" if record.pruned(node, told.step) else mark
            for node in record.root.here_and_below()
            if (mark := record.bound(node, told.step)) or record.pruned(node, told.step)
        }
        return tree, told.node.state, told.why + note, said, marks
    return None


def _values(record: Any) -> list[tuple[int, Any, float]]:
    """Return the values that came back, in order: at which step, and of which node."""
    below = list(record.root.here_and_below())[1:]
    found = [(step, node, value + 0) for node in below for step, value in node.values]  # no -0
    return sorted(found, key=lambda one: (one[0], -one[1].depth))


class Told:
    """What a search has told in a record, seen by a view, until the first value that is wrong."""

    def __init__(self, record: Any, view: tuple[int, int]) -> None:
        """Go through the values; `why` tells what is wrong with the one of `node`, if it is."""
        self.record, self.view, self.why = record, view, ""
        self.said: dict[Any, float] = {}  # by node
        for self.step, self.node, value in _values(record):
            self.said[self.node] = value
            if why := self._why_not(self._worth(self.node)):
                says = f"It says that {name(self.node.state)} is worth {self._number(self.node)}."
                self.why = f"{says} {why}"
                return
        self.step, self.node, choice = record.last, record.root, record.choice
        if choice is None:
            self.why = record.trouble
        elif (worth := self._worth(choice)) is not None:
            has, answer = f"{name(choice.state)}, which has {self._number(choice)}.", record.answer
            if why := self._why_not(worth):
                self.why = f"It chooses {has} {why}"
            elif type(answer) is tuple and len(answer) == 2 and answer[0] != worth:
                self.why = f"It returns the value {answer[0]!r} with {has}"

    def _why_not(self, value: float) -> str:
        """Return why the last node cannot be worth this for who searches, or "" if it can."""
        node, who = self.node, self.record.root.mover
        if not node.mover:
            ends = f"The search ends there, and to {who} that is worth {node.utility:g}."
            return ends if value != node.utility else ""
        seen = [child for child in node.children if child.seen_at(self.step)]
        worths = [self._worth(child) for child in seen]
        if not seen or None in worths:
            return ""
        (alpha, beta), largest = self._window(node), node.mover == who
        best = max(worths) if largest else min(worths)
        if value != best and not (value <= alpha >= best or value >= beta <= best):
            word = ("smallest", "largest")[largest] if self.view == (1, 1) else "best for itself"
            has = ", ".join(map(self._number, seen))
            place = "there" if node.parent else f"at {name(node.state)}"
            return f"{node.mover} moves {place} and takes the {word}; the children have {has}."
        rest = [name(child.state) for child in node.children if child not in seen]
        if not rest or (best >= beta if largest else best <= alpha):
            return ""
        known = seen[worths.index(best)]
        has = f"what it has said elsewhere, and the {self._number(known)} of {name(known.state)},"
        return f"It leaves out {rest[0]}: {has} do not make that irrelevant."

    def _worth(self, node: Any) -> Any:
        """Return the value of a node for who searches, its utility if it is a leaf, or None."""
        said = self.said.get(node)
        return node.utility if said is None else self.view[node.depth % 2] * said + 0

    def _number(self, node: Any) -> str:
        """Return the number that a search has said of a node, or else that of a leaf."""
        return f"{self.said.get(node, node.utility):g}"

    def _window(self, node: Any) -> tuple[float, float]:
        """Return alpha and beta at a node, by the values so far."""
        if node.parent is None:
            return -math.inf, math.inf
        alpha, beta = self._window(node.parent)
        others = [it for it in node.parent.children if it is not node and it in self.said]
        if node.parent.mover == self.record.root.mover:
            return max([alpha, *map(self._worth, others)]), beta
        return alpha, min([beta, *map(self._worth, others)])


def name(state: Path) -> str:
    """Return the name of a state in pictures and messages."""
    return "state " + "".join(map(str, state)) if state else "the root"
