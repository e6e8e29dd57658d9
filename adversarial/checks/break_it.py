"""Suspects and mutants of alpha-beta, which students meet in the assignment break-it.

A suspect is a program that somebody believes to be alpha-beta: some are told in a sentence, some
are a black box, a table of bits over all small trees. A secret draws those of a year, and the id
those of a student. All ids are equally hard: in each group the fewest leaves that give a suspect
away are alike, and the share of the trees of so many leaves that do differs less than threefold.

A mutant is a copy with one small change, the same for everybody. A tree kills it if it does
anything else there than alpha-beta: it makes a move that is worth more or less, looks at other
states, or raises an error. Random trees that are handed in kill 12 of 40 in the mean, and seldom
more than 28.
"""

import base64
import functools
import itertools
import math
import random
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from adversarial.games.recorded import Trace
from adversarial.search import Edits, edited, edits_of, search_text
from games import NestedTree
from handout.trees import personal_leaves, small_trees

Tree = list[Any]  # nested lists, with whole numbers as leaves


class SuspectProgram(NamedTuple):
    """What a program does, in a sentence; its edits; the fewest leaves that show it, or 0."""

    sentence: str
    edits: Edits = ()
    least: int = 0


RIGHT = SuspectProgram("")
# In the folder of the checks, whose digests cover it.
TABLE = Path(__file__).parents[2] / "tests/hidden/break-it/suspects.toml"
LEAST = {"easy": 4, "hard": 4, "harmless": 0, "moving": 3, "still": 3}  # leaves, by group


@functools.cache
def table() -> dict[str, Any]:
    """Return the table of suspects and mutants."""
    return tomllib.loads(TABLE.read_text("utf-8"))


def programs(group: str) -> list[SuspectProgram]:
    """Return the suspects of a group."""
    return [
        SuspectProgram(sentence, edits_of(edits), LEAST[group])
        for sentence, edits in table()[group].items()
    ]


def fair_pairs(suspects: Sequence[SuspectProgram]) -> list[list[SuspectProgram]]:
    """Return the pairs of some moving suspects that are equally hard to tell apart."""
    moving = programs("moving")
    uneven = [{moving[first - 1], moving[second - 1]} for first, second in table()["uneven"]]
    return [[*two] for two in itertools.combinations(suspects, 2) if {*two} not in uneven]


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
    told = [chance.sample(programs(group), 3) for group in ("easy", "hard", "harmless")]
    moving, still = chance.sample(programs("moving"), 4), chance.sample(programs("still"), 4)
    boxes, slips = [moving, still, [RIGHT] * 4], chance.sample([*moving, *still], 8)
    pairs = fair_pairs(moving)
    chance.shuffle(told)
    chance.shuffle(boxes)
    chance.shuffle(pairs)
    return Year(number, told, boxes, slips, pairs)


def handout(secret: str) -> dict[str, Any]:
    """Return what students get: sentences, the tables of the boxes, pairs, the year's number."""
    now = year(secret)
    letters = {one: letter for letter, one in zip("ABCDEFGH", now.slips, strict=True)}
    masks = itertools.count()
    return {
        "year": now.number,
        "told": [[one.sentence for one in group] for group in now.told],
        "boxes": [[box(one, next(masks)) for one in group] for group in now.boxes],
        "slips": {letter: one.sentence for one, letter in letters.items()},
        "pairs": [[letters[one] for one in pair] for pair in now.pairs],
    }


class PersonalSuspects(NamedTuple):
    """What a student gets: three told, three boxes, the letters of their slips, a pair, numbers."""

    told: dict[str, SuspectProgram]
    boxes: dict[str, SuspectProgram]
    letters: dict[str, str]
    pair: list[SuspectProgram]
    numbers: list[int]


def personal_suspects(now: Year, student_id: str) -> PersonalSuspects:
    """Return a student's suspects, by the leaves of the id, as `suspects.py` in the release."""
    leaves = personal_leaves(f"{now.number} {student_id.strip()}")
    told = dict(zip("PQR", _three(now.told, leaves), strict=True))
    boxes = dict(zip("XYZ", _three(now.boxes, leaves[6:]), strict=True))
    letters = {
        name: "ABCDEFGH"[now.slips.index(box)] if box.least else "" for name, box in boxes.items()
    }
    pair = now.pairs[leaves[12] % len(now.pairs)]
    return PersonalSuspects(told, boxes, letters, pair, [-n for n in leaves[13:19]] + leaves[19:25])


def _three(groups: Sequence[Sequence[Any]], leaves: Sequence[int]) -> list[Any]:
    """Return one of each of three groups, in an order of the student's own."""
    choices = [group[leaf % len(group)] for group, leaf in zip(groups, leaves, strict=False)]
    return [choices[i] for i in sorted(range(3), key=lambda i: leaves[3 + i])]


# --- trees -----------------------------------------------------------------------------------


def leaves(tree: Any) -> list[Any]:
    """Return the leaves of a tree, from left to right."""
    return [leaf for one in tree for leaf in leaves(one)] if type(tree) is list else [tree]


def box(suspect: SuspectProgram, mask: int) -> str:
    """Return a bit for each small tree, whether it gives the suspect away.

    Random bits hide them, or else a box that is right could be told without asking it.
    """
    bits = [gives_away(tree, suspect) for tree in small_trees()]
    whole = sum(bit << i for i, bit in enumerate(bits)) ^ random.Random(mask).getrandbits(len(bits))
    return base64.b64encode(whole.to_bytes(len(bits) // 8 + 1, "little")).decode()


def gives_away(tree: Tree, suspect: SuspectProgram) -> bool:
    """Return whether a suspect is seen to be wrong: by its move, or by what it looks at."""
    move, game = move_and_trace(tree, suspect.edits)
    values, allowed_states = game.values(()), Trace(game.game).alpha_beta_generates(())
    return values[move] < max(values.values()) or not set(game.generated) <= set(allowed_states)


def move(tree: Tree, suspect: SuspectProgram) -> Any:
    """Return the move of a suspect at the root of a tree."""
    return move_and_trace(tree, suspect.edits)[0]


def move_and_trace(tree: Tree, edits: Edits) -> tuple[Any, Trace]:
    """Return the move of a search at the root of a tree, and what it has looked at."""
    game = Trace(NestedTree(tree))
    return edited(edits)(game, ()), game


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
    count, branches = 0, list[tuple[Any, int]]([(answer, 0)])  # with how many plies down each is
    while branches:
        branch, plies = branches.pop()
        count += type(branch) is not list
        if count > MOST or plies > DEEPEST or (type(branch) is list and len(branch) > MOST):
            return f"is too large: a tree may have {MOST} leaves and {DEEPEST} plies"
        if type(branch) is list and len(branch) < 2:
            return "has a state with less than two moves: each list needs two entries at least"
        if type(branch) not in (int, list):
            what = str(branch)[:30] if type(branch) in SHOWN else "something"
            return f"holds {what}, where a leaf must be a whole number"
        if type(branch) is int and abs(branch) > LARGEST:
            return f"has a leaf beyond {LARGEST:,}: smaller numbers do as well"
        branches += [(below, plies + 1) for below in branch] if type(branch) is list else []
    return ""


def expect_trees(answers: Any, name: str, suspects: dict[str, SuspectProgram]) -> dict[str, Any]:
    """Expect a dict with a tree or "innocent" for each suspect, and return it."""
    names = ", ".join(map(repr, suspects))
    assert type(answers) is dict, f"`{name}` must be a dict with the keys {names}."
    missing_keys = [key for key in suspects if key not in answers]
    assert not missing_keys, f"`{name}` has no key {missing_keys[0]!r}."
    assert len(answers) == len(suspects), f"`{name}` has more keys than {names}."
    for key, answer in answers.items():
        fault = "" if _is_innocent(answer) else fault_in_tree(answer)
        assert not fault, f"`{name}[{key!r}]` {fault}."
    return answers


def _is_innocent(answer: Any) -> bool:
    return type(answer) is str and answer.strip().casefold() == INNOCENT


def excess(answers: dict[str, Any], suspects: dict[str, SuspectProgram]) -> dict[str, float]:
    """Return for each suspect that is judged rightly how many leaves its tree has too many.

    One that is innocent has none. It is infinity for one that is let go or not given away, and
    -infinity for an innocent one that is accused.
    """
    counts = dict[str, float]()
    for name, suspect in suspects.items():
        if _is_innocent(answers[name]):
            counts[name] = math.inf if suspect.least else 0
        elif gives_away(answers[name], suspect):
            counts[name] = len(leaves(answers[name])) - suspect.least
        else:
            counts[name] = math.inf if suspect.least else -math.inf
    return counts


def names_judged_rightly(answers: dict[str, Any], suspects: dict[str, SuspectProgram]) -> list[str]:
    """Return the names of suspects that are judged rightly; an accused innocent takes one away."""
    more = excess(answers, suspects)
    right = [name for name in suspects if math.isfinite(more[name])]
    return right[: len(right) - [*more.values()].count(-math.inf)]


# --- mutants ---------------------------------------------------------------------------------

MOST_TREES, MOST_LEAVES = 6, 20
WORDS = {  # what stands for the game in the listing that students read
    "game.to_move(state)": "who moves at the root",
    "game.terminal_test(state)": "the game is over",
    "game.utility(state, player)": "its worth for player",
    "game.actions(state)": "its moves",
    "game.result(state, move)": "the state after move",
    "def ": "",
}


def mutants() -> list[tuple[str, str]]:
    """Return each mutant: what stands in the search once, and what takes its place."""
    return [(old, new) for old, texts in table()["mutants"].items() for new in texts]


def expect_small_trees(trees: Any, numbers: list[int]) -> list[Any]:
    """Expect a list of a few trees whose leaves are among a student's numbers, and return it."""
    assert type(trees) is list, "`my_trees` must be a list of trees."
    assert trees, "`my_trees` is empty."
    assert len(trees) <= MOST_TREES, f"`my_trees` holds more than {MOST_TREES} trees."
    for i, tree in enumerate(trees):
        assert not (fault := fault_in_tree(tree)), f"`my_trees[{i}]` {fault}."
        other = [leaf for leaf in leaves(tree) if leaf not in numbers]
        assert not other, f"`my_trees[{i}]` has the leaf {other[0]}, which is none of your numbers."
    count = sum(len(leaves(tree)) for tree in trees)
    assert count <= MOST_LEAVES, (
        f"`my_trees` have {count} leaves together, and may have {MOST_LEAVES}."
    )
    return trees


def expect_killed(trees: list[Any], least: int) -> None:
    """Expect that trees kill so many mutants."""
    right = [does(tree) for tree in trees]
    every = mutants()
    alive = [one for one in every if [does(tree, one) for tree in trees] == right]
    lines: dict[int, list[str]] = {}
    for line, text in (changed_line(*one) for one in alive):
        lines.setdefault(line, []).append(f"`{text}`")
    places = "; ".join(f"line {line} as {' or '.join(texts)}" for line, texts in lines.items())
    assert len(every) - len(alive) >= least, (
        f"Your trees kill {len(every) - len(alive)} mutants. Alive: {places}."
    )


def does(tree: Any, *edits: tuple[str, str]) -> tuple[Any, list[Any]]:
    """Return the worth of a search's move in a tree, or its error, and the states it generates."""
    game = Trace(NestedTree(tree))
    try:
        move = edited(edits)(game, ())
    except TypeError as error:
        return str(error), game.generated
    return game.values(()).get(move), game.generated


def listing(edits: Edits = ()) -> list[str]:
    """Return the lines of the search as students read them; the first is empty, and has number 0.

    Words stand for what it asks the game.
    """
    text = search_text(edits)
    for name, words in WORDS.items():
        text = text.replace(name, words)
    return text.splitlines()


def changed_line(old: str, new: str) -> tuple[int, str]:
    """Return the number of the line in which a mutant differs, and what stands there."""
    right, mutant = listing(), listing(((old, new),))
    line = next(i for i, text in enumerate(right) if text != mutant[i])
    return line, mutant[line].strip()
