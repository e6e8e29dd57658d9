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
    "other": [
        [[0.2, 0.9], [0.6, 0.7]], [[[0.1, 0.3], [0.2, 0.4]], [[1.6, 1.1], [1.2, 1.7]]],
        # above and below 0
        [[5, 9, 6], [7, 8, 6]],
        [[-5, -9, -6], [-7, -8, -6]], [[[-5, -3], [-9, -8]], [[-7, -4], [-2, -6]]],
        # draws, ties and zeros
        [[1, 0], [0, -1], [1, 1], [-1, 0]], [[0, 0], [-1, 1], [-1, -1]], [[-1], [0], [-1]],
        [[5, 9], [5, 1], [7, 2]], [[0, 4], [-3, 2], [0, -1]],
        [[0, 4], [-3, 2], [6, 8]], [[[-2, 0], [4, 9]], [[3, 7], [-5, 1]]],
        [[[0, -4], [2, -7]], [[-6, 0], [5, -1]]], [[0, 9, 3], [4, 5, 7], [-1, 0, 2]],
        [[[0, -8], [1, -2], [3, 6]], [[0, -9], [-4, 5], [7, 8]]],
        # paths of unequal lengths
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
FAR, TOO_FAR = 30, "the depth is used up"  # plies, and the error of who looks further ahead


class TreeQuestion(NamedTuple):
    """A tree of some kind, the state to search from, and the depth in plies.

    At a limited depth, `worth` is the estimate of a state for MAX. A game is won or lost `for_good`
    if a search has to value that as infinity, and estimates are told the player.
    """

    kind: str
    game: Game
    state: State = ()
    depth: float = math.inf
    worth: Callable[[State], float] = lambda _: 0
    for_good: bool = False

    def estimate(self, state: State, player: Any) -> float:
        """Return the estimate; one that is told no player is for who began the search."""
        mover = player if self.for_good else self.game.to_move(self.state)
        return self.worth(state) * sign(mover)


class CallStyle(NamedTuple):
    """How a search is called, and what is asked of it."""

    name: str
    whole: bool = False  # it must not prune
    player: bool = False  # it is a class of players
    by_depth: bool = False  # it takes a depth and an estimate, and returns a value and a move

    def search(self, student: Student, question: TreeQuestion) -> Any:
        """Return a student's search, to be asked with a game and a state, set up for a question."""
        search = getattr(student, self.name)
        if self.by_depth:
            return lambda game, state: search(game, state, question.depth, question.estimate)
        if not self.player:
            return lambda game, state: search(state, game)
        if self.whole:
            return search()
        settings: dict[str, Any] = {"d": min(question.depth, FAR)}
        if question.kind == "cutoff":
            plies = len(question.state)
            settings["d"] = 4 - question.depth
            settings["cutoff_test"] = lambda state, _: len(state) - plies >= question.depth
        if question.depth < math.inf:
            settings["eval_fn"] = lambda state: question.estimate(state, None)
        return search(**settings)


KINDS = {
    "MiniMax": CallStyle("MiniMax", whole=True, player=True),
    "AlphaBeta": CallStyle("AlphaBeta", player=True),
    "minmax_decision": CallStyle("minmax_decision", whole=True),
    "alpha_beta_search": CallStyle("alpha_beta_search"),
    "minimax": CallStyle("minimax", whole=True, by_depth=True),
    "alphabeta": CallStyle("alphabeta", by_depth=True),
}


class XAndOTree(NestedTree):
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
    questions = [
        TreeQuestion(name, NestedTree(tree)) for name, trees in TREES.items() for tree in trees
    ]
    random_trees = [_tree(shape, iter(chance.sample(LEAVES, 81))) for shape in SHAPES]
    questions += [TreeQuestion("usual", NestedTree(tree)) for tree in random_trees]
    questions += [one._replace(kind="from MIN", state=(1,)) for one in questions[-5:]]
    if kind.by_depth:  # depth 2 of the figure would reach final states, worth infinity here
        figure = TreeQuestion("letters", Fig52Game(), "A", 1, "ABCD".index, for_good=True)
        order = TreeQuestion("order", LastFirst([1, 0, -1] * 9, 3), (), 2, guess, for_good=True)
        questions = [figure, *map(with_estimates, questions), order, *with_limit(for_good=True)]
    else:
        numbers = chance.sample(LEAVES, 27)
        loss = TreeQuestion("lost", NestedTree([[-1] * 2] * 2))  # no utility is infinite
        questions = [TreeQuestion("letters", Fig52Game(), "A"), loss, *questions[1:]]
        questions += [TreeQuestion("order", LastFirst(numbers, 3))]
        questions += [TreeQuestion("long", corridors([1, 3, 2], 11))]
    if kind.player:  # the notebook's other games list no moves at the end
        questions += [TreeQuestion("early", EndsEarly(numbers[: 2**plies], 2)) for plies in (3, 4)]
        questions += [one._replace(kind="again") for one in questions[-10:-7]]
    if kind == KINDS["AlphaBeta"]:
        questions += with_limit()
        questions += [one._replace(kind="cutoff") for one in with_limit()[:6]]
    trees: list[Any] = [one for one in questions if type(one.game) is NestedTree][1::6]
    return questions + [one._replace(kind="names", game=XAndOTree(one.game.tree)) for one in trees]


def with_limit(for_good: bool = False) -> list[TreeQuestion]:
    """Return questions for searches of limited depth with an estimate, of games won for good."""
    chance, questions = random.Random(1989), list[TreeQuestion]()

    def ask(kind: str, tree: Any, depth: int, state: State = ()) -> None:
        questions.append(TreeQuestion(kind, NestedTree(tree), state, depth, guess, for_good))

    def draw(count: int) -> list[int]:
        leaves = chance.sample(LEAVES, count)
        return [(leaf > 0) - (leaf < 0) for leaf in leaves] if for_good else leaves

    for depth, state in itertools.product((1, 2, 3), [(), (1,)]):
        ask("limited", _tree((2, 2, 2, 2), iter(draw(16))), depth, state)
    for depth in (1, 1, 2, 2, 2, 3, 3, 3):
        a, b, *c = draw(9)
        tree: Any = [a, [b, c[:2]], c[2:4]]
        ask("ends", tree if depth % 2 else [[a, c[:2]], [c[2:4], b], [c[4:6], c[6]]], depth)
    ask("drawn", [[0, 0], [0, 0]], 2)
    for shape in DEEPER:
        ask("limited", _tree(shape, iter(draw(16))), 4)
    return questions


def guess(state: Any) -> float:
    """Return an estimate of a path for MAX that depends on each move and is hard to guess."""
    number = sum((move + 1) * 7 ** (ply + 1) for ply, move in enumerate(state))
    return float(number % 97 - 48) / 9


def sign(player: Any) -> int:
    """Return 1 for a player who wants the most, else -1."""
    return 1 if player in ("MAX", "X") else -1


def with_estimates(question: TreeQuestion) -> TreeQuestion:
    """Return the question with the leaves as estimates: the game goes on below them."""
    tree: Any = question.game
    first = [question.state]  # the path of first moves down to a leaf
    while tree.actions(first[-1]):
        first.append((*first[-1], 0))

    def worth(state: State) -> float:
        is_leaf = not isinstance(tree.at(state), list) and isinstance(tree.at(state[:-1]), list)
        return float(tree.at(state)) if is_leaf else guess(state)

    return TreeQuestion(
        question.kind, Ahead(tree, FAR + 1), question.state, len(first) - 1, worth, for_good=True
    )


def _tree(shape: Sequence[int], values: Iterator[float]) -> Any:
    return [_tree(shape[1:], values) for _ in range(shape[0])] if shape else next(values)
