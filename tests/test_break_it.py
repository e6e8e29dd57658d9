"""Hold the suspects of break-it to what students are told of them, and what guessing earns."""

import itertools
import json
import random
import runpy
from pathlib import Path
from typing import Any

import pytest

from adversarial.checks import suspects
from adversarial.checks.suspects import BOXES, LEAVES, TOLD, SuspectProgram, gives_away, shapes

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "source" / "break-it"
WRONG = [one for one in (*TOLD, *BOXES) if one.least]
RIGHT = [one for one in TOLD if not one.least]
IDS = ["ada", "Kim 7", "reference", *map(str, range(40))]
POINTS = {  # of the checks of trees: suspects judged rightly, one leaf more, as few as possible
    "told": (3, 3, 1.5, 2.5),
    "boxes": (1.5, 2.5, 0, 2),
}
WHOLE = 40  # points of the assignment


@pytest.fixture(scope="module")
def given() -> dict[str, Any]:
    """The module that students get, by its names."""
    return runpy.run_path(str(SOURCE / "suspects.py"))


def drawn_trees(chance: random.Random, count: int, values: range, most: int = 7) -> list[Any]:
    forms = {n: list(shapes(n)) for n in range(2, most + 1)}
    found = []
    for _ in range(count):
        n = chance.randint(2, most)
        leaves = iter([chance.choice(values) for _ in range(n)])
        found.append(suspects.filled(chance.choice(forms[n]), leaves))
    return found


def test_students_get_what_the_checks_mean(given):
    """Are sentences, draws and, in a sample of trees, the bits of the boxes what we know?"""
    told = json.loads((SOURCE / "suspects.json").read_text("utf-8"))
    boxes = told.pop("boxes")
    numbers = suspects.mixed("boxes", len(BOXES) + suspects.RIGHT_BOXES)
    assert told == {
        "told": [TOLD[one].sentence for one in suspects.mixed("told", len(TOLD))],
        "slips": [BOXES[one].sentence for one in suspects.mixed("slips", len(BOXES))],
        "three_told": suspects.threes("told", 8, 3),
        "three_boxes": suspects.threes("boxes", 8, 4),
        "pairs": suspects.pairs(),
    }
    trees = random.Random(7).sample(list(suspects.small_trees()), 60)
    assert list(given["small_trees"]()) == list(suspects.small_trees())
    for number, table in zip(numbers, boxes, strict=True):
        box, one = given["Box"](table), BOXES[number] if number < len(BOXES) else SuspectProgram("")
        assert [box.gives_away(tree) for tree in trees] == [gives_away(tree, one) for tree in trees]


@pytest.mark.parametrize("student", IDS)
def test_the_suspects_of_an_id_are_those_that_are_asked(given, student):
    """Does the release draw the same, two wrong ones and a right one, in both parts?"""
    mine = suspects.drawn(student)
    assert given["sentences"](student) == {name: one.sentence for name, one in mine.told.items()}
    assert [given["slips"]()[x] for x in given["pair"](student)] == [x.sentence for x in mine.pair]
    for group in (mine.told, mine.boxes):
        assert sum(bool(one.least) for one in group.values()) == 2
    for name, box in given["black_boxes"](student).items():
        witness = next((tree for tree in given["small_trees"]() if box.gives_away(tree)), None)
        least = mine.boxes[name].least
        assert (witness is None) if not least else len(suspects.leaves(witness)) == least
        assert not witness or gives_away(witness, mine.boxes[name])


@pytest.mark.parametrize("one", WRONG, ids=lambda one: one.sentence)
def test_no_smaller_tree_gives_a_suspect_away(one):
    """Is the least number of leaves right, whatever the leaves are?"""
    chance, trees = random.Random(3), list[Any]()
    for count in range(2, one.least):
        for shape in shapes(count):
            every = list(itertools.product(range(-2, 3), repeat=count))
            trees += [
                suspects.filled(shape, iter(leaves))
                for leaves in chance.sample(every, min(len(every), 60))
            ]
    assert [tree for tree in trees if gives_away(tree, one)] == []


def test_what_is_right_is_given_away_by_no_tree():
    """Are the innocent innocent, in trees of up to seven leaves?"""
    trees = drawn_trees(random.Random(4), 150, range(-3, 4))
    assert [(tree, one.sentence) for tree in trees for one in RIGHT if gives_away(tree, one)] == []


def points(group: dict[str, SuspectProgram], answers: dict[str, Any], name: str) -> float:
    two, three, nearly, least = POINTS[name]
    right, more = len(suspects.judged(answers, group)), suspects.excess(answers, group)
    return two * (right >= 2) + three * (right == 3) + nearly * (more <= 1) + least * (more <= 0)


def test_guessing_earns_less_than_five_in_a_hundred():
    """What do random trees, letters and larger trees earn for exposing, in the mean?"""
    chance, sums = random.Random(5), dict.fromkeys(("told", "boxes", "which", "apart"), 0.0)
    rounds = 200
    trees = drawn_trees(chance, 6 * rounds, range(-3, 4), 5)
    large = drawn_trees(chance, 40 * rounds, range(3, 40))
    for number in range(rounds):
        mine = suspects.drawn(f"guest {number}")
        for name, group in ("told", mine.told), ("boxes", mine.boxes):
            answers = {one: chance.choice([trees.pop(), "innocent"]) for one in group}
            sums[name] += points(group, answers, name)
            if name == "boxes":
                judged = suspects.judged(answers, group)
                named = [
                    one for one in judged
                    if mine.letters[one] and chance.choice("ABCDEFGH") == mine.letters[one]
                ]  # fmt: skip
                sums["which"] += 2 * bool(named) + 4 * (len(named) == 2)
        tree = next(x for x in large if len(set(y := suspects.leaves(x))) == len(y) > 5)
        large = large[large.index(tree) + 1 :]
        first, second, right = (suspects.move(tree, x) for x in (*mine.pair, SuspectProgram("")))
        sums["apart"] += 1.5 * (first != second) + 2.5 * (len({first, second, right}) == 3)
    means = {name: total / rounds for name, total in sums.items()}
    print(means)
    assert sum(means.values()) < 0.05 * WHOLE


LOOP: list[Any] = [1, 2]
LOOP[1] = LOOP


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("[1, 2]", "is no tree"),
        (7, "is no tree"),
        ((1, 2), "is no tree"),
        ([1], "less than two moves"),
        ([1, []], "less than two moves"),
        ([1, 2.5], "holds 2.5"),
        ([1, (2, 3)], "holds (2, 3)"),
        ([1, {2}], "holds something"),
        ([1, True], "holds True, where a leaf must be a whole number"),
        ([1, None], "holds None"),
        ([1, 10**7], "beyond"),
        ([*range(13)], "too large"),
        ([[1, 2]] * 7, "too large"),
        (LOOP, "too large"),
    ],
)
def test_what_is_no_tree_is_told_so(answer, said):
    """Is there a sentence for each, and none for a tree?"""
    assert said in suspects.fault_in_tree(answer)
    assert suspects.fault_in_tree([3, [4, 5]]) == ""


def test_a_box_says_for_which_trees_it_answers(given):
    """Is a larger tree refused in words?"""
    box = given["black_boxes"]("ada")["X"]
    for tree in [5, 0], [0], "x", [0, [1, [0, [1, [0, 1]]]]]:
        with pytest.raises(ValueError, match="a box answers for trees of two to five leaves"):
            box.gives_away(tree)
    assert set(LEAVES) == set(given["LEAVES"])
