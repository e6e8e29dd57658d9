"""Find the first value of a search that contradicts the values it returned before.

The record of a search (`search.watch`) holds the values that it returned for states. The value of a
final state must be its utility; that of any other the largest or smallest value of its children,
without those that alpha and beta make irrelevant. A contradiction is found without any solution.
`smallest` looks for a tree in which the chosen move is wrong, and removes children and halves
leaves as long as it stays wrong. No value is computed here, so this cannot replace a search.
Imports `games` only.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, TypeAlias

from games import Game, NestedTree

Tree: TypeAlias = Any  # a list of trees, or a number: the utility of a leaf for MAX
Noted: TypeAlias = Any  # a tree with values: a value and a list of such trees, or a number
Path: TypeAlias = tuple[int, ...]
Said: TypeAlias = dict[Path, float]  # the values of states for MAX, by the search
Wrong: TypeAlias = tuple[Tree, Path, str, Said]  # a tree, the wrong state, the reason, all values

# Each state's value stands before its children, so that no search is needed: students read this.
TREES: list[Noted] = [
    (3, [(3, [3, 12, 8]), (2, [2, 4, 6]), (2, [14, 5, 2])]),
    (5, [(1, [1, 20]), (5, [6, 5]), (2, [2, 9])]),
    (6, [(3, [(3, [3, 2]), (9, [9, 8])]), (6, [(6, [5, 6]), (7, [7, 4])])]),
    (-5, [(-8, [(-3, [-3, -12]), (-8, [-19, -8])]), (-5, [(-5, [-5, -16]), (-4, [-17, -4])])]),
    (7, [
        (4, [(6, [(3, [8, 3]), (6, [14, 6])]), (4, [(2, [2, 9]), (4, [4, 11])])]),
        (7, [(7, [(7, [13, 7]), (1, [1, 10])]), (12, [(5, [15, 5]), (12, [16, 12])])]),
    ]),
    (7, [(2, [(2, [2, 1]), (8, [4, 8])]), (7, [(9, [3, 9]), (7, [7, 6])])]),
]  # fmt: skip
SURE = 999  # the largest value, such as a win
LESS = (0, 0, 1, 2, 3, 5, 8, 2 * SURE)  # how much worse than the best child another one is
CLOSE = (1, 1, 1, 2)  # the same in trees where skipping a leaf soon changes the value
OTHERS = (0, 1, 1, 2, 2, 3, 5)  # numbers of children besides the best one
MOST = 400  # searches at most, to find a wrong one and to make its tree small


class Ahead(Game):
    """A tree for a search of limited depth: the game goes on below leaves, which are estimates."""

    def __init__(self, game: Any) -> None:
        """Go on below the leaves of `game`, a `NestedTree` or a record of one."""
        self.game, self.initial = game, game.initial

    def actions(self, state: Path) -> list[int]:
        """Return the numbers of the children; below a leaf there is one."""
        return list(self.game.actions(state)) if self._is_inside(state) else [0]

    def result(self, state: Path, move: int) -> Path:
        """Return the path that is one move longer."""
        return self.game.result(state, move) if self._is_inside(state) else (*state, move)

    def utility(self, state: Path, player: str) -> float:
        """Raise ValueError: the game goes on everywhere."""
        raise ValueError(f"the game is not over in {name(state)}")

    def terminal_test(self, state: Path) -> bool:
        """Return that the game goes on."""
        return False

    def to_move(self, state: Path) -> str:
        """Return the player whose turn it is."""
        return str(self.game.to_move(state))

    def estimate(self, state: Path, player: str) -> float:
        """Return the value of a leaf for `player`; ValueError for a state above the leaves."""
        if self._is_inside(state):
            raise ValueError(f"{name(state)} was estimated, but the search goes on there")
        value = self.game.at(state)
        worth: float = value if player == "MAX" else -value
        return worth

    def _is_inside(self, state: Path) -> bool:
        return isinstance(self.game.at(state), list)


def by_state(search: Callable[..., Any]) -> Callable[..., Any]:
    """Return the search with a game and a state as arguments, for one that takes state and game."""
    return lambda game, state: search(state, game)


def by_depth(search: Callable[..., Any]) -> Callable[..., Any]:
    """Return a search to the leaves of a tree, for one that also takes a depth and an estimate."""

    def limited(game: Any, state: Path) -> Any:
        tree = Ahead(game)
        answer = search(tree, state, _plies(game.tree), tree.estimate)
        return tuple(answer) if isinstance(answer, list) else answer

    return limited


def smallest(watch: Callable[..., Any], search: Callable[..., Any]) -> Wrong | None:
    """Return the first wrong value of a search, on the smallest tree found, or None.

    `watch` records a search, as `canvas.search.watch` does. The search takes a game and a state;
    `by_state` and `by_depth` adapt others.
    """

    def asked(game: Game, state: Path) -> Any:
        return search(game, state)

    runs = iter(range(MOST))

    def wrong(noted: Noted) -> tuple[Noted, Wrong] | None:
        if next(runs, None) is None or not isinstance(noted, tuple):
            return None
        value, children = noted
        record = watch(NestedTree(_tree(noted)), asked)
        chosen = record.choice and _worth(children[record.choice.move])
        told = first(record, _tree(noted)) if record.trouble or chosen != value else None
        return told and (noted, told)

    found = next(filter(None, map(wrong, TREES)), None)
    while found and (smaller := next(filter(None, map(wrong, _smaller(found[0]))), None)):
        found = smaller
    return found and found[1]


def drawn_trees(count: int = 160) -> list[tuple[Tree, int, float, list[int]]]:
    """Return pseudo-random trees with their plies, values and best moves, the smallest first.

    Paths differ in length, some moves are forced, and many values are equal, but not all at the
    root. In every second tree all compared values differ, by little.
    """
    found, chance = list[tuple[Tree, int, float, list[int]]](), random.Random(1950)
    while len(found) < count:
        plies, value = 2 + len(found) % 7, chance.choice((*range(-9, 10), SURE))
        less = CLOSE if len(found) % 2 else LESS
        noted = _drawn(chance, value, plies, less, largest=True)
        best = [move for move, child in enumerate(noted[1]) if _worth(child) == value]
        if len(best) < len(noted[1]):
            found.append((_tree(noted), plies, value, best))
    return sorted(found, key=lambda one: len(repr(one[0])))


def full_tree(plies: int = 9, chance: random.Random | None = None) -> Tree:
    """Return a tree with two moves in each state; by default always the same tree."""
    chance = chance or random.Random(1975)
    return [full_tree(plies - 1, chance) for _ in range(2)] if plies else chance.randrange(1000)


def _drawn(
    chance: random.Random, value: int, plies: int, less: Sequence[int], largest: bool
) -> Noted:
    """Return a random tree with the given value, made from the root down."""
    if not plies:
        return value
    side = 1 if largest else -1
    count = chance.choice(OTHERS if plies < 4 else OTHERS[:3])
    near = chance.randint(-9, 9) if value == side * SURE else value
    others = [near - side * chance.choice(less) for _ in range(count)]
    worths = [max(-SURE, min(SURE, other)) for other in others]
    worths.insert(chance.randint(0, count), value)
    below = [plies - 1 if chance.random() < 0.8 else 0 for _ in worths]
    return value, [
        _drawn(chance, worth, left, less, not largest)
        for worth, left in zip(worths, below, strict=True)
    ]


def first(record: Any, tree: Tree) -> Wrong | None:
    """Return the first wrong value in the record of a search of a tree, or None.

    A search may have values for MAX or for MIN on each level: all combinations of signs are tried,
    and the one that fits the longest counts.
    """
    deepest = max(node.depth for node in record.root.here_and_below())
    found = [_contradiction(record, signs) for signs in product((1, -1), repeat=deepest + 1)]
    if None in found:
        return None
    _, node, why, said = max(found, key=lambda one: one[0])
    return tree, node.state, why, said


def _plies(tree: Tree) -> int:
    return 1 + max(map(_plies, tree)) if isinstance(tree, list) else 0


def _worth(noted: Noted) -> float:
    return float(noted[0] if isinstance(noted, tuple) else noted)


def _tree(noted: Noted) -> Tree:
    return [_tree(child) for child in noted[1]] if isinstance(noted, tuple) else noted


def _contradiction(record: Any, signs: tuple[int, ...]) -> Any:
    """Return step, node and reason of the first wrong value, and all values so far; or None."""
    nodes = [node for node in record.root.here_and_below() if node.parent is not None]
    events = [(step, node, value) for node in nodes for step, value in node.values]
    said: Said = {}
    for step, node, value in sorted(events, key=lambda event: (event[0], -event[1].depth)):
        said[node.state] = signs[node.depth] * value + 0  # no -0
        if why := _why_not(node, step, said):
            return step, node, why, said
    if record.trouble:
        return record.last, record.root, f"{record.trouble}.".replace("asked", "It", 1), said
    told = {child.state: _told(child, said) for child in record.root.children}
    mine, chosen = told[record.choice.state], name(record.choice.state)
    best = max((worth for worth in told.values() if worth is not None), default=0)
    if mine is not None and mine < best:
        why = f"It chooses {chosen}, of which it has said {mine:g}, and of another child {best:g}."
        return record.last, record.root, why, said
    for child in record.root.children:
        if child.visited is None and child is not record.choice:
            why = f"It chooses {chosen} and never looks at {name(child.state)}."
            return record.last, record.root, why, said
    return None


def _why_not(node: Any, step: int, said: Said) -> str:
    """Return why the value of a node is wrong, or "" if it is not."""
    value, who = said[node.state], name(node.state)
    if not node.mover and value != node.utility:
        return (
            f"It says that {who} is worth {value:g}. The tree ends there, and what it is worth to "
            f"MAX is {node.utility:g}."
        )
    seen = [child for child in node.children if child.seen_at(step)]
    told = [worth for child in seen if (worth := _told(child, said)) is not None]
    if not seen or len(told) < len(seen):
        return ""
    largest = node.mover == "MAX"
    best, word = (max(told), "largest") if largest else (min(told), "smallest")
    alpha, beta = _window(node, said)
    if value != best and not (value <= alpha >= best or value >= beta <= best):
        numbers = ", ".join(f"{one:g}" for one in told)
        return (
            f"It says that {who} is worth {value:g}. {node.mover} moves there, and of the children "
            f"it has said {numbers}: {node.mover} takes the {word}."
        )
    rest = [child for child in node.children if child not in seen]
    if rest and not (best >= beta if largest else best <= alpha):
        return (
            f"It leaves out {name(rest[0].state)}. {node.mover} moves in {who} and has {best:g} "
            f"there: what it has said elsewhere does not make the rest irrelevant."
        )
    return ""


def _told(node: Any, said: Said) -> float | None:
    """Return the value of a node by the search, or its utility if it is a leaf."""
    return said.get(node.state, None if node.mover else node.utility)


def _window(node: Any, said: Said) -> tuple[float, float]:
    """Return alpha and beta at a node, by the values so far."""
    alpha, beta = -math.inf, math.inf
    while node.parent is not None:
        others = [said[c.state] for c in node.parent.children if c is not node and c.state in said]
        if node.parent.mover == "MAX":
            alpha = max([alpha, *others])
        else:
            beta = min([beta, *others])
        node = node.parent
    return alpha, beta


def _smaller(noted: Noted) -> Iterator[Noted]:
    """Yield the tree without a child or a forced pair of moves, then with all leaves halved.

    Only a child is removed without which its parent keeps its value.
    """
    yield from _with_one_less(noted)
    if (halved := _halved(noted)) != noted:
        yield halved


def _with_one_less(noted: Noted) -> Iterator[Noted]:
    if not isinstance(noted, tuple):
        return
    value, children = noted
    if len(children) == 1 and isinstance(children[0], tuple) and len(children[0][1]) == 1:
        yield children[0][1][0]
    for i, child in enumerate(children):
        others = children[:i] + children[i + 1 :]
        if value in map(_worth, others):
            yield value, others
        for less in _with_one_less(child):
            yield value, [*children[:i], less, *children[i + 1 :]]


def _halved(noted: Noted) -> Noted:
    if isinstance(noted, tuple):
        return int(noted[0] / 2), [_halved(child) for child in noted[1]]
    return int(noted / 2)


def name(state: Path) -> str:
    """Return the name of a state in pictures and messages."""
    return "state " + "".join(map(str, state)) if state else "the root"
