"""Programs that somebody believes to be alpha-beta, and the trees that give them away.

Students meet them in the assignment break-it: some told in a sentence, some as a black box, a table
of bits over all small trees. A secret draws those of a year, and the id those of a student. All ids
are equally hard: in each group the fewest leaves that do it are alike, and the share of the trees
of so many leaves differs less than threefold.
"""

import base64
import functools
import itertools
import math
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from adversarial.games.recorded import Trace
from adversarial.search import ONE_ALPHA, ONE_WINDOW, Edits, edited
from games import NestedTree
from handout.trees import personal_leaves, small_trees

Tree = list[Any]  # nested lists, with whole numbers as leaves


class SuspectProgram(NamedTuple):
    """What a program does, in a sentence; its edits; the fewest leaves that show it, or 0."""

    sentence: str
    edits: Edits = ()
    least: int = 0


def _programs(least: int, edits: dict[str, Edits]) -> list[SuspectProgram]:
    return [SuspectProgram(sentence, edit, least) for sentence, edit in edits.items()]


RIGHT = SuspectProgram("")
STRICT_MAX, STRICT_MIN = ("best >= beta", "best > beta"), ("worst <= alpha", "worst < alpha")
LATER = ("value > most", "value >= most")
LEAF = "game.utility(state, player)"
IN_MAX, IN_MIN = (
    f"def {side}_value(state, alpha, beta):\n        if game.terminal_test(state):\n"
    f"            return {LEAF}"
    for side in ("max", "min")
)
MAX_MOVES, MIN_MOVES, ROOT_MOVES = (
    f"{start}infinity\n{indent}for move in game.actions(state)"
    for start, indent in (
        ("best = -", " " * 8), ("worst = ", " " * 8), ("best_move, most = None, -", " " * 4),
    )
)  # fmt: skip


def _moves(loop: str, part: str) -> Edits:
    return ((loop, loop.replace("game.actions(state)", f"list(game.actions(state))[{part}]")),)


def _leaves(value: str, *places: str) -> Edits:
    return tuple((place, place.replace(LEAF, value.format(LEAF))) for place in places)


EASY = _programs(4, {
    "`min_value` stops as it should, but never lowers beta: all its children get the beta that it "
    "was given.": (("            beta = min(beta, worst)\n", ""),),
    "`min_value` does not lower beta after its first move, only after each later one.": (
        ("beta = min(beta, worst)", "beta = min(beta, worst) if move else beta"),
    ),
    "`max_value` never stops early.": (
        ("            if best >= beta:\n                return best\n", ""),
    ),
    "`max_value` never stops after its first move, only later.": (
        ("if best >= beta", "if move and best >= beta"),
    ),
    "`max_value` stops where its value reaches alpha, in place of beta.": (
        ("best >= beta", "best >= alpha"),
    ),
    "When `max_value` stops early, it returns the best value from before the move that made it "
    "stop, or -infinity if there was none.": (
        ("best = max(best, min_value", "value = max(-infinity, min_value"),
        ("best >= beta", "value >= beta"),
        ("alpha = max(alpha, best)", "alpha = max(alpha, best := max(best, value))"),
    ),
    "`max_value` looks at its first move only.": (("if best >= beta", "if True"),),
    "`max_value` leaves out its last move.": _moves(MAX_MOVES, ":-1"),
    "`max_value` goes through its moves from right to left.": _moves(MAX_MOVES, "::-1"),
    "From each value that comes back `max_value` takes 1 away.": (
        ("best = max(best, min_value", "best = max(best, -1 + min_value"),
    ),
    "`min_value` hands its bounds down the wrong way round: its beta as alpha, its alpha as beta.":
        (("worst, max_value(game.result(state, move), alpha, beta)",
          "worst, max_value(game.result(state, move), beta, alpha)"),),
    "There is only one alpha for the whole search: what is raised somewhere stays raised.":
        ONE_ALPHA,
    "There is only one alpha and one beta for the whole search: what is raised or lowered "
    "somewhere stays so.": ONE_WINDOW,
    "It looks two moves ahead. A state there in which the game is not over is worth 0 to it.": (
        ("best = -inf", "if len(state) == 2:\n            return 0\n        best = -inf"),
    ),
})  # fmt: skip
HARD = _programs(4, {
    "In `max_value` the best value so far begins at 0.": (("best = -infinity", "best = 0"),),
    "Where `max_value` has looked at all moves, it returns 0 in place of what is less than 0.": (
        ("        return best\n\n", "        return max(best, 0)\n\n"),
    ),
    "`max_value` takes a best value of 0 for none yet: the next value replaces it.": (
        ("max(best, ", "max(best or -infinity, "),
    ),
    "In `max_value` each value replaces the one before.": (
        ("max(best, min_value(game.result(state, move), alpha, beta))",
         "min_value(game.result(state, move), alpha, beta)"),
    ),
    "`max_value` takes not the larger of the best value so far and a new one, but their mean; the "
    "first value it takes as it is.": (
        ("best = max(best, min_value(game.result(state, move), alpha, beta))",
         "value = min_value(game.result(state, move), alpha, beta)\n"
         "            best = value if best == -infinity else (best + value) / 2"),
    ),
    "`max_value` stops too early: where its value is 1 less than beta, or more.": (
        ("best >= beta", "best >= beta - 1"),
    ),
    "`min_value` lowers beta too far: to 1 less than the smallest value so far.": (
        ("beta = min(beta, worst)", "beta = min(beta, worst - 1)"),
    ),
    "`min_value` looks at its first two moves only.": _moves(MIN_MOVES, ":2"),
    "At the root alpha is the value of the move that was looked at last, whatever was found "
    "before.": (("alpha = max(alpha, most)", "alpha = value"),),
    "At the root alpha stays what the first move was worth.": (
        ("alpha = max(alpha, most)", "alpha = most if alpha == -infinity else alpha"),
    ),
})  # fmt: skip
HARMLESS = _programs(0, {
    "No value leaves the window: `max_value` and `min_value` return alpha for what is less than "
    "the alpha they were given, and beta for what is more than beta.": (
        ("return best\n            alpha", "return beta\n            alpha"),
        ("        return best\n\n", "        return alpha\n\n"),
        ("return worst\n            beta", "return alpha\n            beta"),
        ("        return worst\n\n", "        return beta\n\n"),
    ),
    "Where `max_value` stops early it returns infinity, and where `min_value` does, -infinity.": (
        ("return best\n            alpha", "return infinity\n            alpha"),
        ("return worst\n            beta", "return -infinity\n            beta"),
    ),
    "In `max_value` the best value so far begins at the alpha that it was given.": (
        ("best = -infinity", "best = alpha"),
    ),
    "In `min_value` the smallest value so far begins at the beta that it was given.": (
        ("worst = infinity", "worst = beta"),
    ),
    "It stops only where a value lies beyond a bound, and goes on where it is just the same.": (
        STRICT_MAX, STRICT_MIN,
    ),
    "`max_value` goes on where its value is just the same as beta.": (STRICT_MAX,),
    "`min_value` goes on where its value is just the same as alpha.": (STRICT_MIN,),
    "At the root it takes the last of several moves that are worth the same, and everywhere it "
    "stops only where a value lies beyond a bound.": (STRICT_MAX, STRICT_MIN, LATER),
    "At the root it takes the last of several moves that are worth the same, and `min_value` goes "
    "on where its value is just the same as alpha.": (STRICT_MIN, LATER),
    "At the root alpha is the best value so far less a half.": (
        ("alpha = max(alpha, most)", "alpha = max(alpha, most - 0.5)"),
    ),
    "Each leaf counts twice what it is worth.": _leaves("2 * {}", IN_MAX, IN_MIN),
    "Each leaf counts 100 more than it is worth.": _leaves("100 + {}", IN_MAX, IN_MIN),
})  # fmt: skip
MOVING = _programs(3, {
    "`min_value` looks at its first move only.": (("if worst <= alpha", "if True"),),
    "`min_value` leaves out its last move.": _moves(MIN_MOVES, ":-1"),
    "`min_value` leaves out its first move.": _moves(MIN_MOVES, "1:"),
    "At the root it looks at the first two moves only.": _moves(ROOT_MOVES, ":2"),
    "A leaf below a move of MIN's counts with the other sign.": _leaves("-{}", IN_MAX),
    "A leaf below a move of MIN's counts without its sign.": _leaves("abs({})", IN_MAX),
    "When `min_value` stops early, it returns the smallest value from before the move that made it "
    "stop, or infinity if there was none.": (
        ("worst = min(worst, max_value", "value = min(infinity, max_value"),
        ("worst <= alpha", "value <= alpha"),
        ("beta = min(beta, worst)", "beta = min(beta, worst := min(worst, value))"),
    ),
})  # fmt: skip
FIRST, LAST, SECOND, TWO, SIGN, ABS, BEFORE = MOVING
# Too hard or too easy to tell apart.
UNEVEN = (
    {FIRST, LAST}, {LAST, SECOND}, {LAST, ABS}, {SECOND, ABS}, {TWO, ABS}, {TWO, BEFORE},
)  # fmt: skip
STILL = _programs(3, {  # some of them make wrong moves, too
    "`min_value` never stops early.": (
        ("            if worst <= alpha:\n                return worst\n", ""),
    ),
    "`min_value` never stops after its first move, only later.": (
        ("if worst <= alpha", "if move and worst <= alpha"),
    ),
    "`min_value` goes through its moves from right to left.": _moves(MIN_MOVES, "::-1"),
    "To each value that comes back `min_value` adds 1.": (
        ("worst = min(worst, max_value", "worst = min(worst, 1 + max_value"),
    ),
    "Each move at the root is searched with alpha = -infinity.": (
        ("        alpha = max(alpha, most)\n", ""),
    ),
    "At the root it goes through the moves from right to left.": _moves(ROOT_MOVES, "::-1"),
    "At the root it never raises alpha. Instead it lowers beta to the best value so far.": (
        ("alpha = max(alpha, most)", "beta = min(beta, most)"),
    ),
    "A leaf below a move of MIN's counts 0 if it is less than 0.": _leaves("max(0, {})", IN_MAX),
    "A leaf counts one point more for every move that leads to it.":
        _leaves("{} + len(state)", IN_MAX, IN_MIN),
})  # fmt: skip


class Year(NamedTuple):
    """The suspects of a year, drawn by a secret.

    Of each of three groups a student gets one. One of the groups is right, and none says which.
    """

    number: int
    told: list[list[SuspectProgram]]
    boxes: list[list[SuspectProgram]]
    slips: list[SuspectProgram]
    pairs: list[list[SuspectProgram]]


@functools.cache
def year(secret: str) -> Year:
    """Return the suspects that a secret draws."""
    chance = random.Random(f"suspects {secret.strip()}")
    number = chance.randrange(10**6)
    told = [chance.sample(group, 3) for group in (EASY, HARD, HARMLESS)]
    moving, still = chance.sample(MOVING, 4), chance.sample(STILL, 4)
    boxes, slips = [moving, still, [RIGHT] * 4], chance.sample([*moving, *still], 8)
    pairs = [[*two] for two in itertools.combinations(moving, 2) if {*two} not in UNEVEN]
    chance.shuffle(told)
    chance.shuffle(boxes)
    chance.shuffle(pairs)
    return Year(number, told, boxes, slips, pairs)


def handed_out(secret: str) -> dict[str, Any]:
    """Return what students get: sentences, the tables of the boxes, pairs, the year's number."""
    now = year(secret)
    letters = {one: letter for letter, one in zip("ABCDEFGH", now.slips, strict=True)}
    masks = itertools.count()
    return {
        "year": now.number,
        "told": [[one.sentence for one in group] for group in now.told],
        "boxes": [[table(one, next(masks)) for one in group] for group in now.boxes],
        "slips": {letter: one.sentence for one, letter in letters.items()},
        "pairs": [[letters[one] for one in pair] for pair in now.pairs],
    }


class Drawn(NamedTuple):
    """What a student gets: three told, three boxes, the letters of their slips, two, numbers."""

    told: dict[str, SuspectProgram]
    boxes: dict[str, SuspectProgram]
    letters: dict[str, str]
    pair: list[SuspectProgram]
    numbers: list[int]


def drawn(now: Year, student_id: str) -> Drawn:
    """Return a student's suspects, by the leaves of the id, as `suspects.py` in the release."""
    leaves = personal_leaves(f"{now.number} {student_id.strip()}")
    told = dict(zip("PQR", _three(now.told, leaves), strict=True))
    boxes = dict(zip("XYZ", _three(now.boxes, leaves[6:]), strict=True))
    letters = {
        name: "ABCDEFGH"[now.slips.index(one)] if one.least else "" for name, one in boxes.items()
    }
    pair = now.pairs[leaves[12] % len(now.pairs)]
    return Drawn(told, boxes, letters, pair, [-one for one in leaves[13:19]] + leaves[19:25])


def _three(groups: Sequence[Sequence[Any]], leaves: Sequence[int]) -> list[Any]:
    """Return one of each of three groups, in an order of the student's own."""
    picked = [group[leaf % len(group)] for group, leaf in zip(groups, leaves, strict=False)]
    return [picked[i] for i in sorted(range(3), key=lambda i: leaves[3 + i])]


# --- trees -----------------------------------------------------------------------------------


def leaves(tree: Any) -> list[Any]:
    """Return the leaves of a tree, from left to right."""
    return [leaf for one in tree for leaf in leaves(one)] if type(tree) is list else [tree]


def table(suspect: SuspectProgram, mask: int) -> str:
    """Return a bit for each small tree, whether it gives the suspect away.

    Random bits hide them, or else a box that is right could be told without asking it.
    """
    bits = [gives_away(tree, suspect) for tree in small_trees()]
    whole = sum(bit << i for i, bit in enumerate(bits)) ^ random.Random(mask).getrandbits(len(bits))
    return base64.b64encode(whole.to_bytes(len(bits) // 8 + 1, "little")).decode()


def gives_away(tree: Tree, suspect: SuspectProgram) -> bool:
    """Return whether a suspect is seen to be wrong: by its move, or by what it looks at."""
    game, rules = Trace(NestedTree(tree)), Trace(NestedTree(tree))
    values = rules.values(())
    if values[edited(suspect.edits)(game, ())] < max(values.values()):
        return True
    return not set(game.generated) <= set(rules.alpha_beta_generates(()))


def move(tree: Tree, suspect: SuspectProgram) -> Any:
    """Return the move of a suspect at the root of a tree."""
    return edited(suspect.edits)(NestedTree(tree), ())


# --- what students hand in -------------------------------------------------------------------

MOST = 12  # leaves of a tree that is handed in
DEEPEST = 8  # plies
LARGEST = 10**6
INNOCENT = "innocent"
SHOWN = (str, float, bool, type(None), tuple, dict)  # what is shown where a leaf should be


def fault_in_tree(answer: Any) -> str:
    """Return what is wrong with an answer that should be a tree, or ""; looks at types first."""
    if type(answer) is not list:
        return 'is no tree: write nested lists, such as [3, [4, 5]], or "innocent" for a suspect'
    level, count, plies = [answer], 0, 0
    while level:
        plies += 1
        if any(len(one) > MOST for one in level) or plies > DEEPEST:
            return f"is too large: a tree may have {MOST} leaves and {DEEPEST} plies"
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
        if count > MOST:
            return f"is too large: a tree may have {MOST} leaves and {DEEPEST} plies"
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
