"""The trees that a search is asked about to name its mistake, and how each search is called.

Nothing in this file is sent to a student's process.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from adversarial.checks.trees import corridors
from adversarial.games.recorded import EndsEarly, LastFirst
from games import Fig52Game, Game, NestedTree, State
from handout.adapters import Ahead
from referee.sandbox.outside.student import Student

TREES: dict[str, list[Any]] = {  # by kind; those of other kinds are drawn
    "lost": [[[-math.inf] * 2] * 2],
    "usual": [
        [[[5, 1], [8, 2], [7, 9]], [[3, 6], [4, 7]]],
        # an alpha cut and a beta cut by a bound from three levels above
        [[[[-7, 31, 12]]], [[[-9, 44, 23]]], [[[18, -25, 6]]]],
        [[[[[-5, 1, -13]]], [[[29, -22, -1], [3, 2, 40]]], [[[-17, 8, -14]]]]],
    ],
    "large": [  # the move 1 is best, and the move 0 comes first
        [[1500, 4000], [3000, 2000]], [[-9000, -3000], [-2000, -8000]],
        [[[-3000, -2000], [-4000, -1500]], [[-1200, -1800], [-1100, -1300]]],
        [[[[3000, 2000]], [[1500, 4000]]], [[[2500, 6000]], [[2600, 9000]]]],
    ],
    "decimals": [[[0.2, 0.9], [0.6, 0.7]], [[[0.1, 0.3], [0.2, 0.4]], [[1.6, 1.1], [1.2, 1.7]]]],
    "above 0": [[[5, 9, 6], [7, 8, 6]]],
    "below 0": [[[-5, -9, -6], [-7, -8, -6]], [[[-5, -3], [-9, -8]], [[-7, -4], [-2, -6]]]],
    "draws": [[[1, 0], [0, -1], [1, 1], [-1, 0]], [[0, 0], [-1, 1], [-1, -1]], [[-1], [0], [-1]]],
    "ties": [[[5, 9], [5, 1], [7, 2]], [[0, 4], [-3, 2], [0, -1]]],
    "zeros": [
        [[0, 4], [-3, 2], [6, 8]], [[[-2, 0], [4, 9]], [[3, 7], [-5, 1]]],
        [[[0, -4], [2, -7]], [[-6, 0], [5, -1]]], [[0, 9, 3], [4, 5, 7], [-1, 0, 2]],
        [[[0, -8], [1, -2], [3, 6]], [[0, -9], [-4, 5], [7, 8]]],
    ],
    "uneven": [
        [4, [[9, 2], [7, 8]], [6, 5]], [[[3, 8], -2], [[[5, 1], 9], 7]], [-3, [-9, -4]],
        [[[[90]]], [89]], [[[[-90]]], [-89]], [[3, 8], 5, [4, 9]], [[5, 6], [[1, 2], [3, 4]]],
    ],
}  # fmt: skip
SHAPES = [  # the numbers of children on each ply of trees that are drawn
    (3, 3), (3, 3), (2, 2, 2), (2, 1, 3, 3), (2, 2, 2, 3), (2, 2, 3, 3),
    (2, 2, 2), (2, 3, 2), (2, 2, 2, 2), (3, 2, 2, 2), (3, 3, 3),
]  # fmt: skip
LEAVES = range(-99, 100)
DEEPER = (1, 2, 2, 2, 2), (2, 1, 2, 2, 2)  # branching of trees one ply deeper than the limit
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


class CallStyle(NamedTuple):
    """How a search is called, and what is asked of it."""

    name: str
    whole: bool = False  # it must not prune
    player: bool = False  # it is a class of players
    by_depth: bool = False  # it takes a depth and an estimate, and returns a value and a move

    def search(self, student: Student, question: TreeQuestion) -> Any:
        """Return a student's search, to be asked with a game and a state, set up for a question."""
        search, worth = getattr(student, self.name), question.worth or estimate
        if self.by_depth:
            return lambda game, state: search(
                game, state, question.depth, lambda one, player: sign(player) * worth(one)
            )
        if not self.player:
            return lambda game, state: search(state, game)
        if self.whole:
            return search()
        begun, mine = len(question.state), sign(question.game.to_move(question.state))
        settings: dict[str, Any] = {"d": min(question.depth, FAR)}
        if question.kind == "cutoff":
            settings["d"] = 4 - question.depth
            settings["cutoff_test"] = lambda one, _: len(one) - begun >= question.depth
        if question.worth:
            settings["eval_fn"] = lambda one: mine * worth(one)
        return search(**settings)


KINDS = {
    "MiniMax": CallStyle("MiniMax", whole=True, player=True),
    "AlphaBeta": CallStyle("AlphaBeta", player=True),
    "minmax_decision": CallStyle("minmax_decision", whole=True),
    "alpha_beta_search": CallStyle("alpha_beta_search"),
    "minimax": CallStyle("minimax", whole=True, by_depth=True),
    "alphabeta": CallStyle("alphabeta", by_depth=True),
}


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


def asks(kind: CallStyle) -> list[TreeQuestion]:
    """Return the questions for this kind of search; the first one is about figure 5.2."""
    chance = random.Random(1975)
    asked = [
        TreeQuestion(name, NestedTree(tree)) for name, trees in TREES.items() for tree in trees
    ]
    drawn = [_tree(shape, iter(chance.sample(LEAVES, 81))) for shape in SHAPES]
    asked += [TreeQuestion("usual", NestedTree(tree)) for tree in drawn]
    asked += [one._replace(kind="from MIN", state=(1,)) for one in asked[-5:]]
    if kind.by_depth:  # depth 2 of the figure would reach final states, worth infinity here
        figure = TreeQuestion("letters", Fig52Game(), "A", 1, "ABCD".index, for_good=True)
        last_first = LastFirst([1, 0, -1] * 9, 3)
        asked = [figure, *map(estimated, asked)]
        asked += [TreeQuestion("order", last_first, (), 2, estimate, for_good=True)]
        asked += map(won_or_lost, limited())
    else:
        numbers = chance.sample(LEAVES, 27)
        lost = TreeQuestion("lost", NestedTree([[-1] * 2] * 2))  # no utility is infinite
        asked = [TreeQuestion("letters", Fig52Game(), "A"), lost, *asked[1:]]
        asked += [TreeQuestion("order", LastFirst(numbers, 3))]
        asked += [TreeQuestion("long", corridors([1, 3, 2], 11))]
    if kind.player:  # the notebook's other games list no moves at the end
        asked += [TreeQuestion("early", EndsEarly(numbers[: 2**plies], 2)) for plies in (3, 4)]
        asked += [one._replace(kind="again") for one in asked[-10:-7]]
    if kind == KINDS["AlphaBeta"]:
        asked += limited()
        asked += [one._replace(kind="cutoff") for one in limited()[:6]]
    trees: list[Any] = [one for one in asked if type(one.game) is NestedTree][1::6]
    return asked + [one._replace(kind="names", game=Renamed(one.game.tree)) for one in trees]


def limited() -> list[TreeQuestion]:
    """Return questions for searches of limited depth with an estimate."""
    chance = random.Random(1989)
    trees = [_tree((2, 2, 2, 2), iter(chance.sample(LEAVES, 16))) for _ in range(6)]
    found = [
        TreeQuestion("limited", NestedTree(tree), state, depth, estimate)
        for tree, (depth, state) in zip(
            trees, itertools.product((1, 2, 3), [(), (1,)]), strict=True
        )
    ]
    for depth in (1, 1, 2, 2, 2, 3, 3, 3):
        a, b, *c = chance.sample(LEAVES, 9)
        tree: Any = [[a, c[:2]], [c[2:4], b], [c[4:6], c[6]]]
        if depth % 2:
            tree = [a, [b, c[:2]], c[2:4]]
        found.append(TreeQuestion("ends", NestedTree(tree), (), depth, estimate))
    deep = [_tree(shape, iter(chance.sample(LEAVES, 16))) for shape in DEEPER]
    found.append(TreeQuestion("drawn", NestedTree([[0, 0], [0, 0]]), (), 2, estimate))
    return [*found, *(TreeQuestion("limited", NestedTree(tree), (), 4, estimate) for tree in deep)]


def estimate(state: Any) -> float:
    """Return an estimate of a path for MAX that depends on each move and is hard to guess."""
    number = sum((move + 1) * 7 ** (ply + 1) for ply, move in enumerate(state))
    return float(number % 97 - 48) / 9


def sign(player: Any) -> int:
    """Return 1 for a player who wants the most, else -1."""
    return 1 if player in ("MAX", "X") else -1


def won_or_lost(question: TreeQuestion) -> TreeQuestion:
    """Return the question with each leaf replaced by its sign, as in games won, drawn or lost."""
    tree: Any = question.game

    def signs(node: Any) -> Any:
        return list(map(signs, node)) if isinstance(node, list) else (node > 0) - (node < 0)

    return question._replace(game=NestedTree(signs(tree.tree)), for_good=True)


def estimated(question: TreeQuestion) -> TreeQuestion:
    """Return the question with the leaves as estimates: the game goes on below them."""
    tree: Any = question.game

    def worth(state: State) -> float:
        inside = not state or isinstance(tree.at(state[:-1]), list)
        leaf = tree.at(state)
        return float(leaf) if inside and not isinstance(leaf, list) else estimate(state)

    node, depth = tree.at(question.state), 0
    while isinstance(node, list):
        node, depth = node[0], depth + 1
    return question._replace(game=Unlimited(tree), depth=depth, worth=worth, for_good=True)


def _tree(shape: Sequence[int], values: Iterator[float]) -> Any:
    return [_tree(shape[1:], values) for _ in range(shape[0])] if shape else next(values)
