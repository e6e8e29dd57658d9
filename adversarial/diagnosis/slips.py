"""Find the known mistake that makes a search answer and generate states as a student's does.

The file `misconceptions.toml` lists the known slips of a search (`checks.slipped`), with a text for
each misconception. A student has a misconception if one of its slips gives the student's answers
and generated states on all `questions`. Nothing in this file is sent to a student's process.
"""

import itertools
import math
import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from adversarial.checks.slipped import CHANGES as CHANGES
from adversarial.checks.slipped import RIGHT as RIGHT
from adversarial.checks.slipped import STYLES as STYLES
from adversarial.checks.slipped import EndlessPlayError
from adversarial.checks.slipped import Observed as Observed
from adversarial.checks.slipped import Play as Play
from adversarial.checks.slipped import Seen as Seen
from adversarial.checks.slipped import Slip as Slip
from adversarial.checks.slipped import Style as Style
from adversarial.checks.slipped import TreeQuestion as TreeQuestion
from adversarial.games.recorded import EndsEarly, LastFirst
from games import Game, NestedTree, State
from handout.canvas.first_wrong import Ahead

TEXTS = Path(__file__).with_name("misconceptions.toml")
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
PLAIN = 3  # the first slips of each misconception, which are also tried in pairs
FEW = 10  # wrong answers on which slips are tried before they are tried on all
NEARLY = 6  # one wrong answer in so many may stay unexplained
EDGES = {"lost"}  # kinds of questions in which one mistake shows differently in different programs
FAR, TOO_FAR = 30, "nobody is to look as far ahead"  # plies, and the message of the error


class KnownMistake(NamedTuple):
    """A known mistake: its name, its texts, and the slips that are forms of it."""

    name: str
    words: Mapping[str, str]
    slips: Sequence[Slip]


@cache
def known(texts: Path = TEXTS) -> dict[str, KnownMistake]:
    """Return the misconceptions in a file, by their names."""
    entries = tomllib.loads(texts.read_text("utf-8"))
    found = {}
    for name, words in entries.items():
        slips = [  # hashable: tuples in place of lists
            {key: tuple(value) if isinstance(value, list) else value for key, value in one.items()}
            for one in words.pop("slips", [])
        ]
        found[name] = KnownMistake(name, words, slips)
    return found


class Unlimited(Ahead):
    """A tree that goes on below its leaves: a search without a depth limit finds no end."""

    def result(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        """Return the path that is one move longer; EndlessPlayError if it is longer than `FAR`."""
        if len(state) > FAR:
            raise EndlessPlayError(TOO_FAR)
        return super().result(state, move)


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
        return list(map(sign, node)) if isinstance(node, list) else CHANGES["sign"](node)

    return question._replace(game=NestedTree(sign(tree.tree)))


def estimated(question: TreeQuestion) -> TreeQuestion:
    """Return the question with the leaves as estimates: the game goes on below them."""
    tree: Any = question.game
    game = Unlimited(tree)

    def worth(state: State) -> float:
        inside = not state or isinstance(tree.at(state[:-1]), list)
        leaf = tree.at(state)
        return float(leaf) if inside and not isinstance(leaf, list) else estimate(state)

    return question._replace(game=game, depth=_plies(question.game, question.state), worth=worth)


def _plies(game: Game, state: State) -> int:
    moves = list(game.actions(state))
    return 1 + _plies(game, game.result(state, moves[0])) if moves else 0


def _tree(shape: Sequence[int], values: Iterator[float]) -> Any:
    return [_tree(shape[1:], values) for _ in range(shape[0])] if shape else next(values)


def explaining(
    asked: Sequence[Observed], how: Slip, whole: bool, most: int = 2
) -> list[KnownMistake] | None:
    """Return the misconceptions that explain the searches in `asked`; [] if they are right.

    One, or two if `most` allows it; None if no known slip explains all or nearly all of them.
    A single slip need not explain the `EDGES`. `how` changes `RIGHT` for this kind of search;
    `whole` says that it must not prune.
    """
    right = {**RIGHT, **how}
    if fits(asked, right):
        return []
    wrong = [one for one in asked if not fits([one], right)]
    if not wrong:  # right in each question, though not in one style
        return []
    asked = sorted(asked, key=lambda one: (one not in wrong, len(one.trace.generated)))
    limited = any(one.question.worth for one in asked)
    strange = {"prunes" if whole else "whole", "" if limited else "limited"}
    single = [
        (one, slip)
        for one in known().values()
        if one.words.get("kind", "any") not in strange
        for slip in one.slips
    ]
    if alone := _alone(asked, right, single):
        return [alone]
    few = [one for one in asked if one in wrong][:FEW]
    helping = {id(slip): sum(fits([ask], {**right, **slip}) for ask in few) for _, slip in single}
    plain = [(one, slip) for one, slip in single if slip in one.slips[:PLAIN] and helping[id(slip)]]
    for (one, slip), (other, more) in itertools.combinations(plain if most > 1 else [], 2):
        how = {**right, **slip, **more}
        if not slip.keys() & more.keys() and fits(asked, how, told=True):
            return [one, other] if one is not other else [one]
    usual = [one for one in asked if one.question.kind not in EDGES]
    for one, slip in single:
        if fits(usual, {**right, **slip}, told=True) and not fits(usual, right):
            return [one]
    mostly = [(one, slip) for one, slip in single if helping[id(slip)] > len(few) / 2]
    near = _nearest(asked, right, mostly, len(wrong))
    return [near] if near else None


def _alone(
    asked: Sequence[Observed], right: Slip, single: Sequence[tuple[KnownMistake, Slip]]
) -> KnownMistake | None:
    """Return the misconception that explains all answers, states and returned values.

    If no slip explains the values and some value is wrong, values may differ.
    """
    first = None
    wrong_values = any(one.value not in (None, Play(one, right).value) for one in asked)
    for one, slip in single:
        how = {**right, **slip}
        if fits(asked, how, told=True):
            return one
        if wrong_values and not first and fits(asked, how):
            first = one
    return first


def _nearest(
    asked: Sequence[Observed], right: Slip, single: Sequence[tuple[KnownMistake, Slip]], wrong: int
) -> KnownMistake | None:
    """Return the misconception that explains nearly all, if it is the only one."""
    most = wrong // NEARLY
    found: dict[str, int] = {}
    for one, slip in single:
        missed = min(_missed(asked, {**right, **slip}, style, 2 * most + 1) for style in STYLES)
        found[one.name] = min(missed, found.get(one.name, missed))
    best, *others = [*sorted(found, key=found.__getitem__), ""]
    alone = not others or found.get(others[0], math.inf) > 2 * found[best] + 1
    return known()[best] if best and found[best] <= most and alone else None


def _missed(asked: Sequence[Observed], how: Slip, style: Style, most: int) -> int:
    """Return how many questions the slip does not explain; stops counting above `most`."""
    missed = 0
    for one in asked:
        missed += not one.fits(how, style, told=True)
        if missed > most:
            break
    return missed


def fits(asked: Sequence[Observed], how: Slip, told: bool = False) -> bool:
    """Return whether a search done so, in one of the styles, explains all that is in `asked`.

    With `told`, the values that came with the answers must agree, too.
    """
    prunes = {how["max_cuts"], how["min_cuts"]} != {"never"}
    styles = [style for style in STYLES if prunes or not style.narrows]
    return any(all(one.fits(how, style, told) for one in asked) for style in styles)
