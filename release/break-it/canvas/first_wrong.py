"""Find the first value of a search that contradicts the values it returned before.

The record of a search (`search.watch`) holds the values that it returned for states. The value of a
final state must be its utility; that of any other the largest or smallest value of its children,
without those that alpha and beta make irrelevant. A contradiction is found without any solution.
`smallest` looks for a tree in which the answer is wrong, and removes children and halves leaves as
long as it stays wrong. No value is computed here, so this cannot replace a search. Numbers are told
as the search returned them. Imports `games` only.
"""

import io
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple, TypeAlias

from games import Game, NestedTree

Tree: TypeAlias = Any  # a list of trees, or a number: the utility of a leaf for MAX
Noted: TypeAlias = Any  # a tree with values: a value and a list of such trees, or a number
Path: TypeAlias = tuple[int, ...]
Said: TypeAlias = dict[Path, float]  # the values of states, as the search returned them
Cut: TypeAlias = dict[Path, str]  # "≤" or "≥" where a value is a bound, "pruned" where none is
View: TypeAlias = tuple[int, int]  # signs of values for who searches: where they move, and others
# A tree, the wrong state, the reason, all values, what was cut. A search that breaks has no tree.
Wrong: TypeAlias = tuple[Tree, Path, str, Said, Cut]

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
    (6, [
        (1, [(1, [1, 0]), (3, [2, 3])]),
        (6, [(6, [2, 6]), (7, [2, 7])]),
        (4, [(4, [3, 4]), (5, [3, 5])]),
    ]),
    (0.5, [(0.25, [0.25, 3]), (0.5, [0.75, 0.5])]),
    (2000, [(1500, [1500, 2500]), (2000, [3000, 2000])]),
    (-1500, [(-2000, [-1500, -2000]), (-1500, [-1000, -1500])]),
]  # fmt: skip
SURE = 999  # the largest value, such as a win
LESS = (0, 0, 1, 2, 3, 5, 8, 2 * SURE)  # how much worse than the best child another one is
CLOSE = (1, 1, 1, 2)  # the same in trees where skipping a leaf soon changes the value
OTHERS = (0, 1, 1, 2, 2, 3, 5)  # numbers of children besides the best one
MOST = 400  # searches at most, to find a wrong one and to make its tree small
DRAWN = 100  # how many of the drawn trees are tried after those above
VIEWS = AS_TOLD, FOR_MOVER, FOR_OTHER = (1, 1), (1, -1), (-1, 1)  # by whom values are seen


class ValueAndMove(NamedTuple):
    """The answer of a search that is asked for both."""

    value: float
    move: Any


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
        answer = search(tree, state, _plies(game.at(state)), tree.estimate)
        pair = isinstance(answer, list | tuple) and len(answer) == 2
        return ValueAndMove(*answer) if pair else answer

    return limited


def smallest(watch: Callable[..., Any], search: Callable[..., Any]) -> Wrong | None:
    """Return the first wrong value of a search, on the smallest tree found, or None.

    `watch` records a search, as `canvas.search.watch` does. The search takes a game and a state;
    `by_state` and `by_depth` adapt others. What it prints is not shown. If it breaks, the tree is
    None and only the reason is there.
    """

    runs = iter(range(MOST))

    def first_of(trees: Iterable[Noted], side: str, sound: bool = False) -> Any:
        for noted in trees:
            if next(runs, None) is None:
                return None
            record = _recorded(watch, search, noted, side)
            broken = _breakdown(record)
            if not (broken and sound) and (broken or _is_wrong(record, noted)):
                return noted, record, broken
        return None

    for side in "MAX", "MIN":
        trees = [*TREES, *(one[0] for one in _noted_trees()[:DRAWN])]
        if found := first_of(trees, side):
            noted, record, broken = found
            if broken:
                where = f"In Tree({_tree(_for(noted, side))}){' state 0' if side == 'MIN' else ''}"
                return None, (), f"{where} {broken}", {}, {}
            while smaller := first_of(_smaller(noted), side, sound=True):
                noted, record, _ = smaller
            view, tree = _view(watch, search), _tree(_for(noted, side))
            if other := _unlike(record, _recorded(watch, search, noted, side)):
                return None, (), f"In Tree({tree}) {other}", {}, {}
            answered = f"In Tree({tree}) {_wrong_answer(record, noted)}"
            return first(record, tree, view) or (None, (), answered, {}, {})
    return None


def _recorded(watch: Any, search: Any, noted: Noted, side: str) -> Any:
    """Return the record of a search in the root of a tree by MAX, or below a root by MIN."""
    state, drawn = () if side == "MAX" else (0,), random.getstate()
    random.seed(1950)  # a search that draws its moves draws the same ones each time
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            game = NestedTree(_tree(_for(noted, side)))
            return watch(game, lambda game, state: search(game, state), state)
    finally:
        random.setstate(drawn)


def _for(noted: Noted, side: str) -> Noted:
    """Return a tree as it is for MAX, or the same one for MIN, below a root with one move."""
    return noted if side == "MAX" else (-noted[0], [_turned(noted)])


def _turned(noted: Noted) -> Noted:
    return (-noted[0], [*map(_turned, noted[1])]) if isinstance(noted, tuple) else -noted


def drawn_trees(count: int = 160) -> list[tuple[Tree, int, float, list[int]]]:
    """Return pseudo-random trees with their plies, values and best moves, the smallest first.

    Paths differ in length, some moves are forced, and many values are equal, but not all at the
    root. In every second tree all compared values differ, by little.
    """
    return [(_tree(noted), *more) for noted, *more in _noted_trees(count)]


def _noted_trees(count: int = 160) -> list[Any]:
    found, chance = list[tuple[Noted, int, float, list[int]]](), random.Random(1950)
    while len(found) < count:
        plies, value = 2 + len(found) % 7, chance.choice((*range(-9, 10), SURE))
        less = CLOSE if len(found) % 2 else LESS
        noted = _drawn(chance, value, plies, less, largest=True)
        best = [move for move, child in enumerate(noted[1]) if _worth(child) == value]
        if len(best) < len(noted[1]):
            found.append((noted, plies, value, best))
    return sorted(found, key=lambda one: len(repr(_tree(one[0]))))


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


def first(record: Any, tree: Tree, view: View = AS_TOLD) -> Wrong | None:
    """Return the first wrong value in the record of a search of a tree, or None.

    Values are taken as they were returned, for who searches, unless another `view` is given.
    """
    said: Said = {}
    step, node, why = _contradiction(record, said, view)
    if not why:
        return None
    if view != AS_TOLD:
        why += f" (Its values are for {'whoever moves' if view == FOR_MOVER else 'the other'}.)"
    elif record.root.state:
        why += " (MIN searches in state 0: values are for MIN, and leaves are drawn for MAX.)"
    cut: Cut = {}
    for other in record.root.here_and_below():
        agrees = not other.mover and _worth_of(other, said, view) == other.utility
        if agrees:  # a leaf is drawn with its own number
            said.pop(other.state, None)
        mark = "pruned" if record.pruned(other, step) else record.bound(other, step)
        if mark and other is not node:
            cut[other.state] = mark
    return tree, node.state, why, said, cut


def _plies(tree: Tree) -> int:
    return 1 + max(map(_plies, tree)) if isinstance(tree, list) else 0


def _worth(noted: Noted) -> float:
    return float(noted[0] if isinstance(noted, tuple) else noted)


def _tree(noted: Noted) -> Tree:
    return [_tree(child) for child in noted[1]] if isinstance(noted, tuple) else noted


def _is_wrong(record: Any, noted: Noted) -> bool:
    """Return whether a search chose a wrong move, or returned a wrong value with it."""
    value, children = noted
    told = record.answer.value if isinstance(record.answer, ValueAndMove) else value
    return _worth(children[record.choice.move]) != value or bool(told != value)


def _wrong_answer(record: Any, noted: Noted) -> str:
    """Return, in a sentence, what is wrong with an answer to which all values below lead."""
    choice, told = record.choice, record.answer
    best = next(i for i, child in enumerate(noted[1]) if _worth(child) == noted[0])
    if _worth(noted[1][choice.move]) == noted[0]:
        return f"it returns the value {told.value:g} with {name(choice.state)}, which is wrong."
    better = name((*record.root.state, best))
    return f"it chooses {name(choice.state)}, and {better} is better. What did it go by?"


def _breakdown(record: Any) -> str:
    """Return what came of a search that did not answer as it should, in a sentence, or ""."""
    answer = record.answer
    if record.trouble and " raised " in record.trouble:
        return f"it {record.trouble.partition(' ')[2]}."
    if record.trouble.startswith("stopped"):
        return f"it was {record.trouble}, without an answer."
    if answer is None:
        return "it returned None: does each way through the function end with `return`?"
    if (
        isinstance(answer, tuple | list)
        and len(answer) == 2
        and not isinstance(answer, ValueAndMove)
    ):
        return f"it returned {_short(answer)}: a move is asked for, and this is a pair."
    if record.choice is None or (isinstance(answer, tuple | list) and len(answer) != 2):
        value = ": is that its value?" if isinstance(answer, int | float) else "."
        return f"it returned {_short(answer)}, which is no move{value}"
    return ""


def _unlike(record: Any, again: Any) -> str:
    """Return, in a sentence, which value two records of one search do not share, or ""."""
    first, second = (
        {
            node.state: f"{node.values[-1][1] + 0:g}"
            for node in one.root.here_and_below()
            if node.parent is not None and node.values
        }
        for one in (record, again)
    )
    for state, value in first.items():
        if value != (other := second.get(state, value)):
            return (
                f"it says that {name(state)} is worth {value}, and {other} when it searches once "
                "more: what does it keep from one search to the next?"
            )
    return ""


def _short(answer: Any) -> str:
    shown = repr(tuple(answer) if isinstance(answer, ValueAndMove) else answer)
    return shown if len(shown) <= 60 else f"{shown[:60]} ..."


def _view(watch: Callable[..., Any], search: Callable[..., Any]) -> View:
    """Return by whom the values of a search are seen: who searches, unless that explains nothing.

    Another view counts if it explains all values in one of the trees, and that one does in none.
    """
    explained = set[View]()
    for noted in TREES:
        record = _recorded(watch, search, noted, "MAX")
        if any(child.values for child in record.root.children) and not _breakdown(record):
            explained |= {view for view in VIEWS if not _contradiction(record, {}, view)[2]}
    return next((view for view in VIEWS if view in explained), AS_TOLD)


def _contradiction(record: Any, said: Said, view: View) -> tuple[int, Any, str]:
    """Return step, node and reason of the first wrong value, "" if there is none.

    The values until then are written into `said`.
    """
    nodes = [node for node in record.root.here_and_below() if node.parent is not None]
    events = [(step, node, value) for node in nodes for step, value in node.values]
    for step, node, value in sorted(events, key=lambda event: (event[0], -event[1].depth)):
        said[node.state] = value + 0  # no -0
        if why := _why_not(node, step, said, view):
            return step, node, why
    return record.last, record.root, _why_not_chosen(record, said, view)


def _why_not_chosen(record: Any, said: Said, view: View) -> str:
    """Return why the choice contradicts the values of the root's children, or "" if it does not."""
    if record.choice is None:
        return str(record.trouble)
    root, choice = record.root, record.choice
    known = [child for child in root.children if _worth_of(child, said, view) is not None]
    best = max(known, key=lambda child: _worth_of(child, said, view), default=choice)
    mine, most = _worth_of(choice, said, view), _worth_of(best, said, view)
    if mine is not None and mine < most:
        (own, verb), (other, its) = _told(choice, said), _told(best, said)
        return f"It chooses {name(choice.state)}, {verb[0]} {own:g}, and {its[1]} {other:g}."
    for child in root.children:
        if child.visited is None and child is not choice:
            return f"It chooses {name(choice.state)} and never looks at {name(child.state)}."
    if isinstance(record.answer, ValueAndMove) and mine is not None and record.answer.value != mine:
        own, verb = _told(choice, said)
        return (
            f"It returns the value {record.answer.value:g} with {name(choice.state)}, "
            f"{verb[0]} {own:g}."
        )
    return ""


def _why_not(node: Any, step: int, said: Said, view: View) -> str:
    """Return why the value of a node is wrong, or "" if it is not."""
    value, who, you = _worth_of(node, said, view), name(node.state), _searcher(node)
    says = f"It says that {who} is worth {said[node.state]:g}."
    if not node.mover:
        ends = f"{says} The tree ends there, and what it is worth to {you} is {node.utility:g}."
        return ends if value != node.utility else ""
    seen = [child for child in node.children if child.seen_at(step)]
    told = {child: worth for child in seen if (worth := _worth_of(child, said, view)) is not None}
    if not seen or len(told) < len(seen):
        return ""
    largest = node.mover == you
    best = (max if largest else min)(seen, key=lambda child: told[child])
    alpha, beta = _window(node, said, view)
    if value != told[best] and not (value <= alpha >= told[best] or value >= beta <= told[best]):
        word = ("smallest", "largest")[largest] if view == AS_TOLD else "best for itself"
        has = _below(seen, said)
        return f"{says} {node.mover} moves there, and {has}: {node.mover} takes the {word}."
    rest = [child for child in node.children if child not in seen]
    if rest and not (told[best] >= beta if largest else told[best] <= alpha):
        return (
            f"It leaves out {name(rest[0].state)}. {node.mover} moves in {who} and has "
            f"{_told(best, said)[0]:g} there: what it has said elsewhere does not make the rest "
            "irrelevant."
        )
    return ""


def _searcher(node: Any) -> str:
    """Return the player who searches: who moves at the root of the record."""
    while node.parent is not None:
        node = node.parent
    return str(node.mover)


def _below(children: Sequence[Any], said: Said) -> str:
    """Tell the values of children: what the search has said, and what leaves are worth."""
    returned = ", ".join(f"{said[one.state]:g}" for one in children if one.state in said)
    leaves = ", ".join(f"{one.utility:g}" for one in children if one.state not in said)
    told = f"of the children it has said {returned}" if returned else ""
    return " and ".join(filter(None, [told, f"the leaves are worth {leaves}" if leaves else ""]))


def _told(node: Any, said: Said) -> tuple[float, tuple[str, str]]:
    """Return the value that a search has said of a node, or that of a leaf, and words for it."""
    if node.state in said:
        return said[node.state], ("of which it has said", "of another child")
    return node.utility, ("which is worth", "another child is worth")


def _worth_of(node: Any, said: Said, view: View) -> Any:
    """Return the value of a node for who searches, or its utility if it is a leaf."""
    if node.state in said:
        return view[node.depth % 2] * said[node.state] + 0
    return None if node.mover else node.utility


def _window(node: Any, said: Said, view: View) -> tuple[float, float]:
    """Return alpha and beta at a node, by the values so far."""
    alpha, beta, you = -math.inf, math.inf, _searcher(node)
    while node.parent is not None:
        siblings = [child for child in node.parent.children if child is not node]
        others = [_worth_of(child, said, view) for child in siblings if child.state in said]
        if node.parent.mover == you:
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
