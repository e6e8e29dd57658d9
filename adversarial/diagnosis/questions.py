"""The trees that a search is asked about to name its mistake.

Nothing in this file is sent to a student's process.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from adversarial.games.recorded import EndsEarly, LastFirst
from games import Game, NestedTree, State
from handout.adapters import Ahead

UNEVEN = [
    [4, [[9, 2], [7, 8]], [6, 5]], [[[3, 8], -2], [[[5, 1], 9], 7]], [-3, [-9, -4]],
    [[[[90]]], [89]], [[[[-90]]], [-89]], [[3, 8], 5, [4, 9]],
    [[5, 6], [[1, 2], [3, 4]]],
]  # fmt: skip
DEEPER = (1, 2, 2, 2, 2), (2, 1, 2, 2, 2)  # branching of trees one ply deeper than the limit
DEEP_CUTS = [  # an alpha cut and a beta cut by a bound from three levels above
    [[[[-7, 31, 12]]], [[[-9, 44, 23]]], [[[18, -25, 6]]]],
    [[[[[-5, 1, -13]]], [[[29, -22, -1], [3, 2, 40]]], [[[-17, 8, -14]]]]],
]
FAR, TOO_FAR = 30, "nobody is to look as far ahead"  # plies, and the message of the error


class TreeQuestion(NamedTuple):
    """A tree of some kind, the state to search from, and the depth in plies.

    At a limited depth, `worth` is the estimate of a state for MAX. A game is won or lost `for_good`
    if a search has to value that as infinity, and estimates are told the player.
    """

    kind: str
    game: Game
    state: State = ()
    depth: float = math.inf
    worth: Callable[[State], float] | None = None
    for_good: bool = False


class Unlimited(Ahead):
    """A tree that goes on below its leaves: a search without a depth limit finds no end."""

    def result(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        """Return the path that is one move longer; ValueError if it is longer than `FAR`."""
        if len(state) > FAR:
            raise ValueError(TOO_FAR)
        return super().result(state, move)


class Renamed(NestedTree):
    """A tree whose players are called X and O."""

    def to_move(self, state: tuple[int, ...]) -> str:
        """Return the player whose turn it is."""
        return "X" if super().to_move(state) == "MAX" else "O"

    def utility(self, state: tuple[int, ...], player: str) -> float:
        """Return the utility of a leaf; ValueError for a player of another name."""
        if player not in ("X", "O"):
            raise ValueError(f"{player!r} does not play this game: the players are X and O")
        return super().utility(state, "MAX" if player == "X" else "MIN")


def renamed(question: TreeQuestion) -> TreeQuestion:
    """Return a question about a `NestedTree` with players called X and O."""
    tree: Any = question.game
    return question._replace(game=Renamed(tree.tree))


def questions() -> list[TreeQuestion]:
    """Return trees of all kinds, for MAX and for MIN to move, to be searched to the end."""
    chance = random.Random(1975)

    def some(low: int, high: int, unit: float = 1) -> Iterator[float]:
        return (value * unit for value in chance.sample(range(low, high), min(high - low, 81)))

    usual = [(3, 3), (3, 3), (2, 2, 2), (2, 3, 2), (2, 2, 2, 2), (3, 2, 2, 2), (3, 3, 3)]
    usual += [(2, 1, 3, 3), (2, 2, 2, 3)]
    kinds = {
        "usual": [
            *(_tree(shape, some(-99, 100)) for shape in usual),
            [[[5, 1], [8, 2], [7, 9]], [[3, 6], [4, 7]]],
        ],
        "above 0": [_tree((3, 3), some(1, 99)), _tree((2, 2, 2), some(1, 99))],
        "below 0": [_tree((3, 3), some(-99, 0)), _tree((2, 2, 2), some(-99, 0))],
        "decimals": [_tree((3, 3), some(1, 16, 1 / 16)), _tree((2, 2, 2), some(1, 16, 1 / 16))],
        "large": [_tree((3, 3), some(low, low + 7999)) for low in (1001, 1001, -9000, -9000)],
        "lost": [[[-math.inf] * 2] * 2],
        "draws": [
            [[1, 0], [0, -1], [1, 1], [-1, 0]],
            [[0, 0], [-1, 1], [-1, -1]],
            [[-1], [0], [-1]],
        ],
        "ties": [[[5, 9], [5, 1], [7, 2]], [[0, 4], [-3, 2], [0, -1]]],
        "zeros": [
            [[0, 4], [-3, 2], [6, 8]], [[[-2, 0], [4, 9]], [[3, 7], [-5, 1]]],
            [[[0, -4], [2, -7]], [[-6, 0], [5, -1]]], [[0, 9, 3], [4, 5, 7], [-1, 0, 2]],
            [[[0, -8], [1, -2], [3, 6]], [[0, -9], [-4, 5], [7, 8]]],
        ],
        "uneven": UNEVEN,
    }  # fmt: skip
    asked = [TreeQuestion(kind, NestedTree(tree)) for kind in kinds for tree in kinds[kind]]
    asked += [TreeQuestion("early", EndsEarly([*some(-99, 100)][: 2**n], 2)) for n in (3, 4)]
    asked.append(TreeQuestion("order", LastFirst([*some(-99, 100)][:27], 3)))
    deep = [_tree((2, 2, 3, 3), some(-99, 100)), *DEEP_CUTS]
    asked += [TreeQuestion("usual", NestedTree(tree)) for tree in deep]
    from_min = [tree for tree in kinds["usual"][:7] if isinstance(tree[0][0], list)]
    return asked + [TreeQuestion("from MIN", NestedTree(tree), (1,)) for tree in from_min]


def limited() -> list[TreeQuestion]:
    """Return questions for searches of limited depth with an estimate."""
    chance = random.Random(1989)
    trees = [_tree((2, 2, 2, 2), iter(chance.sample(range(-99, 100), 16))) for _ in range(6)]
    asked = itertools.product((1, 2, 3), [(), (1,)])
    found = [TreeQuestion("drawn", NestedTree([[0, 0], [0, 0]]), (), 2, estimate)]
    found += [
        TreeQuestion("no estimate", NestedTree(tree), (), depth, often_zero)
        for tree, depth in zip(trees, (1, 2, 3), strict=False)
    ]
    found += [
        TreeQuestion("limited", NestedTree(tree), state, depth, estimate)
        for tree, (depth, state) in zip(trees, asked, strict=True)
    ]
    for depth in (1, 1, 2, 2, 2, 3, 3, 3):
        a, b, *c = chance.sample(range(-99, 100), 9)
        tree: Any = [[a, c[:2]], [c[2:4], b], [c[4:6], c[6]]]
        if depth % 2:
            tree = [a, [b, c[:2]], c[2:4]]
        found.append(TreeQuestion("ends", NestedTree(tree), (), depth, estimate))
    deep = [_tree(shape, iter(chance.sample(range(-99, 100), 16))) for shape in DEEPER]
    return [*found, *(TreeQuestion("limited", NestedTree(tree), (), 4, estimate) for tree in deep)]


def estimate(state: Any) -> float:
    """Return an estimate of a path for MAX that depends on each move and is hard to guess."""
    number = sum((move + 1) * 7 ** (ply + 1) for ply, move in enumerate(state))
    return float(number % 97 - 48) / 9


def often_zero(state: Any) -> float:
    """Return an estimate that is 0 for about half of all paths."""
    return max(estimate(state), 0)


def won_or_lost(question: TreeQuestion) -> TreeQuestion:
    """Return the question with each leaf replaced by its sign, as in games won, drawn or lost."""
    tree: Any = question.game

    def sign(node: Any) -> Any:
        return list(map(sign, node)) if isinstance(node, list) else (node > 0) - (node < 0)

    return question._replace(game=NestedTree(sign(tree.tree)), for_good=True)


def estimated(question: TreeQuestion) -> TreeQuestion:
    """Return the question with the leaves as estimates: the game goes on below them."""
    tree: Any = question.game
    game = Unlimited(tree)

    def worth(state: State) -> float:
        inside = not state or isinstance(tree.at(state[:-1]), list)
        leaf = tree.at(state)
        return float(leaf) if inside and not isinstance(leaf, list) else estimate(state)

    plies = _plies(question.game, question.state)
    return question._replace(game=game, depth=plies, worth=worth, for_good=True)


def _plies(game: Game, state: State) -> int:
    moves = list(game.actions(state))
    return 1 + _plies(game, game.result(state, moves[0])) if moves else 0


def _tree(shape: Sequence[int], values: Iterator[float]) -> Any:
    return [_tree(shape[1:], values) for _ in range(shape[0])] if shape else next(values)
