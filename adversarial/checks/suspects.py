"""Programs that somebody believes to be alpha-beta, and the trees that give them away.

Students meet them in the assignment break-it: some told in a sentence, some as a black box, a table
of bits over all small trees. Who is who, and what each does in any tree, is known here only.
"""

import base64
import itertools
import math
import random
import zlib
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from adversarial.checks.slipped import RIGHT, STYLES, Observed, Play, Slip, Style, TreeQuestion
from adversarial.games.recorded import Trace
from games import NestedTree, personal_leaves

Tree = list[Any]  # nested lists, with whole numbers as leaves
ORDER = 2026  # another number gives other numbers to boxes and sentences: then `make suspects`
MOST_LEAVES, LEAVES = 5, (-1, 0, 1)  # of the trees that a box answers for


class SuspectProgram(NamedTuple):
    """What a program does, in a sentence; its slip; the fewest leaves that show it, 0 for never."""

    sentence: str
    slip: Slip = MappingProxyType({})
    least: int = 0
    style: Style = STYLES[0]


TOLD = [
    SuspectProgram("In `max_value` the best value so far begins at 0.", {"max_starts": 0}, 4),
    SuspectProgram(
        "At the root it also takes a later move when the value that comes back equals the best so "
        "far.", {"ties": "last"}, 3,
    ),
    SuspectProgram(
        "Each state hands down what it has found out itself. What it was handed from above it uses "
        "to stop, and hands no further.", {"hands": "own"}, 5,
    ),
    SuspectProgram(
        "`max_value` stops as it should, but never raises alpha: all its children get the alpha "
        "that it was given.", {"max_moves": "none"}, 5,
    ),
    SuspectProgram(
        "`min_value` never lowers beta. Instead it raises alpha to the smallest value so far, if "
        "that is more.", {"min_moves": "alpha"}, 4,
    ),
    SuspectProgram(
        "At the root alpha is the value of the move that was looked at last, whatever was found "
        "before.", {"root_moves": "alpha is last"}, 4,
    ),
    SuspectProgram(
        "When `max_value` stops early, it returns the best value from before the move that made it "
        "stop, or -infinity if there was none.", {"max_keeps": False}, 4,
    ),
    SuspectProgram(
        "It looks two moves ahead. A state there in which the game is not over is worth 0 to it.",
        {"plies": 2}, 4,
    ),
    SuspectProgram(
        "No value leaves the window: `max_value` and `min_value` return alpha for what is less "
        "than the alpha they were given, and beta for what is more than beta.",
        style=Style(narrows=True, hard=True, clamps=True),
    ),
    SuspectProgram(
        "It stops only where a value lies beyond a bound, and goes on where it is just the same.",
        style=Style(strict=True),
    ),
    SuspectProgram(
        "At the root it takes the last of several moves that are worth the same, and everywhere it "
        "stops only where a value lies beyond a bound.", style=Style(last=True, strict=True),
    ),
]  # fmt: skip
BOXES = [
    SuspectProgram("`max_value` never stops early.", {"max_cuts": "never"}, 4),
    SuspectProgram("`min_value` never stops early.", {"min_cuts": "never"}, 3),
    SuspectProgram(
        "Each move at the root is searched with alpha = -infinity.", {"root_moves": "none"}, 3
    ),
    SuspectProgram(
        "There is only one alpha for the whole search: what is raised somewhere stays raised.",
        {"hands": "shared alpha"}, 4,
    ),
    SuspectProgram("In `min_value` the best value so far begins at 0.", {"min_starts": 0}, 3),
    SuspectProgram("`max_value` looks at its first move only.", {"max_cuts": "always"}, 4),
    SuspectProgram("In `min_value` each value replaces the one before.", {"min_takes": "last"}, 3),
    SuspectProgram(
        "`min_value` takes a best value of 0 for none yet: the next value replaces it.",
        {"zero": "no value for min"}, 3,
    ),
]  # fmt: skip
MOVING = [3, 4, 5, 6]  # of these boxes, two may be told apart by their moves
RIGHT_BOXES = 4  # black boxes that are right


def mixed(what: str, number: int) -> list[int]:
    """Return the order in which students are given what there are so many of."""
    order = list(range(number))
    random.Random(f"{ORDER} {what}").shuffle(order)
    return order


def threes(what: str, wrong: int, right: int) -> list[list[int]]:
    """Return the groups of three suspects that a student may get: two are wrong, one is right."""
    place = {one: i for i, one in enumerate(mixed(what, wrong + right))}
    chance = random.Random(f"{ORDER} threes {what}")
    found = [
        chance.sample([place[one], place[other], place[wrong + innocent]], 3)
        for one, other in itertools.combinations(range(wrong), 2)
        for innocent in range(right)
    ]
    chance.shuffle(found)
    return found


def handed_out() -> dict[str, Any]:
    """Return what students get: sentences, who gets which suspects, and the tables of the boxes."""
    told = [TOLD[one].sentence for one in mixed("told", len(TOLD))]
    return {
        "told": told,
        "slips": [BOXES[one].sentence for one in mixed("slips", len(BOXES))],
        "three_told": threes("told", 8, len(TOLD) - 8),
        "three_boxes": threes("boxes", len(BOXES), RIGHT_BOXES),
        "pairs": pairs(),
        "boxes": [table(BOXES[one : one + 1]) for one in mixed("boxes", len(BOXES) + RIGHT_BOXES)],
    }


def pairs() -> list[list[int]]:
    """Return the pairs of slips that a student may have to tell apart, by their letters."""
    place = {one: i for i, one in enumerate(mixed("slips", len(BOXES)))}
    return [[place[one], place[other]] for one, other in itertools.combinations(MOVING, 2)]


class Drawn(NamedTuple):
    """The suspects of a student: three told, three boxes with the letters of their slips, two."""

    told: dict[str, SuspectProgram]
    boxes: dict[str, SuspectProgram]
    letters: dict[str, str]
    pair: list[SuspectProgram]


def drawn(student_id: str) -> Drawn:
    """Return a student's suspects, by the leaves of the id, as `suspects.py` in the release."""
    number = int("".join(map(str, personal_leaves(student_id))))
    groups = threes("told", 8, len(TOLD) - 8), threes("boxes", len(BOXES), RIGHT_BOXES)
    picked = []
    for group in (*groups, pairs()):
        number, place = divmod(number, len(group))
        picked.append(group[place])
    order = mixed("told", len(TOLD))
    told = {name: TOLD[order[i]] for name, i in zip("PQR", picked[0], strict=True)}
    numbers = mixed("boxes", len(BOXES) + RIGHT_BOXES)
    who = {name: numbers[i] for name, i in zip("XYZ", picked[1], strict=True)}
    slips = mixed("slips", len(BOXES))
    letters = {n: "ABCDEFGH"[slips.index(i)] if i < len(BOXES) else "" for n, i in who.items()}
    boxes = {n: BOXES[i] if i < len(BOXES) else SuspectProgram("") for n, i in who.items()}
    return Drawn(told, boxes, letters, [BOXES[slips[i]] for i in picked[2]])


# --- trees -----------------------------------------------------------------------------------


def leaves(tree: Any) -> list[Any]:
    """Return the leaves of a tree, from left to right."""
    return [leaf for one in tree for leaf in leaves(one)] if type(tree) is list else [tree]


def small_trees() -> Iterator[Tree]:
    """Yield the trees that a box answers for, in the order of its bits."""
    for count in range(2, MOST_LEAVES + 1):
        for shape in shapes(count):
            for values in itertools.product(LEAVES, repeat=count):
                yield filled(shape, iter(values))


def shapes(count: int) -> Iterator[Any]:
    """Yield all trees of so many leaves in which each state has two moves at least."""
    if count == 1:
        yield 0
    for sizes in _sums(count, count - 1):
        yield from map(list, itertools.product(*(list(shapes(size)) for size in sizes)))


def _sums(count: int, most: int) -> Iterator[list[int]]:
    if count == 0:
        yield []
    for first in range(1, min(count, most) + 1):
        yield from ([first, *rest] for rest in _sums(count - first, most))


def filled(shape: Any, values: Iterator[int]) -> Any:
    """Return a tree of this shape with these leaves."""
    return [filled(one, values) for one in shape] if type(shape) is list else next(values)


def table(suspects: Sequence[SuspectProgram]) -> str:
    """Return a bit for each small tree, whether it gives the suspect away; none if it is right."""
    bits = [any(gives_away(tree, one) for one in suspects) for tree in small_trees()]
    whole = sum(bit << i for i, bit in enumerate(bits))
    return base64.b64encode(zlib.compress(whole.to_bytes(len(bits) // 8 + 1, "little"))).decode()


def gives_away(tree: Tree, suspect: SuspectProgram) -> bool:
    """Return whether a suspect is seen to be wrong: by its move, or by what it looks at."""
    game = Trace(NestedTree(tree))
    seen = _play(tree, suspect).seen
    values = game.values(())
    if seen is None or seen.answer not in values or values[seen.answer] < max(values.values()):
        return True
    return bool(seen.generated - set(game.alpha_beta_generates(())))


def move(tree: Tree, suspect: SuspectProgram) -> Any:
    """Return the move of a suspect at the root of a tree."""
    seen = _play(tree, suspect).seen
    return seen and seen.answer


def _play(tree: Tree, suspect: SuspectProgram) -> Play:
    game = Trace(NestedTree(tree))
    asked = Observed(TreeQuestion("break-it", game), game, None)
    return Play(asked, {**RIGHT, **suspect.slip}, suspect.style)


# --- what students hand in -------------------------------------------------------------------

MOST = 12  # leaves of a tree that is handed in
DEEPEST = 8  # plies
LARGEST = 10**6
INNOCENT = "innocent"
SHOWN = (str, float, bool, type(None), tuple, dict)  # what is shown where a leaf should be


def fault_in_tree(answer: Any, most: int = MOST) -> str:
    """Return what is wrong with an answer that should be a tree, or ""; looks at types first."""
    if type(answer) is not list:
        return 'is no tree: write nested lists, such as [3, [4, 5]], or "innocent" for a suspect'
    level, count, plies = [answer], 0, 0
    while level:
        plies += 1
        if any(len(one) > most for one in level) or plies > DEEPEST:
            return f"is too large: a tree may have {most} leaves and {DEEPEST} plies"
        if any(len(one) < 2 for one in level):
            return "has a state with less than two moves: each list needs two entries at least"
        below = [one for state in level for one in state]
        level = [one for one in below if type(one) is list]
        odd = [one for one in below if type(one) not in (int, list)]
        if odd:
            return (
                f"holds {str(odd[0])[:30] if type(odd[0]) in SHOWN else 'something'}, "
                "where a leaf must be a whole number"
            )
        if any(abs(one) > LARGEST for one in below if type(one) is int):
            return f"has a leaf beyond {LARGEST:,}: smaller numbers do as well"
        count += len(below) - len(level)
        if count > most:
            return f"is too large: a tree may have {most} leaves and {DEEPEST} plies"
    return ""


def expect_trees(answers: Any, name: str, suspects: dict[str, SuspectProgram]) -> dict[str, Any]:
    """Expect a dict with a tree or "innocent" for each suspect, and return it."""
    names = ", ".join(map(repr, suspects))
    assert type(answers) is dict, f"`{name}` must be a dict with the keys {names}."
    missing = [one for one in suspects if one not in answers]
    assert not missing, f"`{name}` has no key {missing[0]!r}."
    assert len(answers) == len(suspects), f"`{name}` has more keys than {names}."
    for one, answer in answers.items():
        fault = "" if _is_innocent(answer) else fault_in_tree(answer)
        assert not fault, f"`{name}[{one!r}]` {fault}."
    return answers


def _is_innocent(answer: Any) -> bool:
    return type(answer) is str and answer.strip().casefold() == INNOCENT


def judged(answers: dict[str, Any], suspects: dict[str, SuspectProgram]) -> list[str]:
    """Return the names of suspects that are judged rightly; an accused innocent takes one away."""
    right, accused = [], 0
    for name, suspect in suspects.items():
        if _is_innocent(answers[name]):
            right += [name] * (not suspect.least)
        elif gives_away(answers[name], suspect):
            right.append(name)
        else:
            accused += not suspect.least
    return right[: len(right) - accused]


def excess(answers: dict[str, Any], suspects: dict[str, SuspectProgram]) -> float:
    """Return how many leaves more than the fewest the largest tree has; infinity without one."""
    found = []
    for name, suspect in suspects.items():
        if suspect.least and (
            _is_innocent(answers[name]) or not gives_away(answers[name], suspect)
        ):
            return math.inf
        if suspect.least:
            found.append(len(leaves(answers[name])) - suspect.least)
    return max(found)
