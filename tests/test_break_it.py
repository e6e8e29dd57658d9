"""Hold break-it to what students are told, ids to be equally hard, and guesses to earn little."""

import itertools
import json
import random
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from shares import sampled
from solution import cells_of

from adversarial.checks import break_it
from adversarial.checks.break_it import RIGHT, SuspectProgram, gives_away, programs
from handout.trees import small_trees

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "source" / "break-it"
SECRET = (ROOT / "tests/hidden/break-it/year.txt").read_text("utf-8")
EASY, HARD, HARMLESS = map(programs, ("easy", "hard", "harmless"))
MOVING = programs("moving")
GROUPS = {"easy": EASY, "hard": HARD, "boxes": [*MOVING, *programs("still")]}
IDS = ["ada", "Kim 7", " reference", *map(str, range(40))]
YEARS = [f"year {number}" for number in range(12)]
POINTS = {  # of the checks of trees: suspects judged rightly, one leaf more, as few as possible
    "told": (3, 3, 1.5, 2.5),
    "boxes": (1.5, 2.5, 0, 2),
}
WHOLE = 40  # points of the assignment


@pytest.fixture(scope="module")
def given() -> dict[str, Any]:
    """The module that students get, by its names."""
    return runpy.run_path(str(SOURCE / "suspects.py"))


@cache
def shapes(count: int) -> list[Any]:
    return [tree for tree in small_trees(count, (0,)) if len(break_it.leaves(tree)) == count]


def filled(shape: Any, leaves: Iterator[int]) -> Any:
    return [filled(one, leaves) for one in shape] if isinstance(shape, list) else next(leaves)


def drawn_trees(chance: random.Random, count: int, values: Any, most: int = 7) -> list[Any]:
    forms = {n: shapes(n) for n in range(2, most + 1)}
    found = []
    for _ in range(count):
        n = chance.randint(2, most)
        leaves = iter([chance.choice(values) for _ in range(n)])
        found.append(filled(chance.choice(forms[n]), leaves))
    return found


def test_students_get_what_the_checks_mean(given):
    """Are sentences, draws and, in a sample of trees, the bits of the boxes what we know?

    Is a larger tree refused in words?
    """
    told, now = json.loads((SOURCE / "suspects.json").read_text("utf-8")), break_it.year(SECRET)
    assert told["year"] == now.number
    assert told["told"] == [[one.sentence for one in group] for group in now.told]
    assert [*told["slips"].values()] == [one.sentence for one in now.slips]
    trees = random.Random(7).sample(list(small_trees()), 60)
    for number, (one, table) in enumerate(
        zip(itertools.chain(*now.boxes), itertools.chain(*told["boxes"]), strict=True)
    ):
        box = given["Box"](number, table)
        assert [box.gives_away(tree) for tree in trees] == [gives_away(tree, one) for tree in trees]
        for tree in [5, 0], [0], "x", [0, [1, [0, [1, [0, 1]]]]]:
            with pytest.raises(ValueError, match="a box answers for trees of two to five leaves"):
                box.gives_away(tree)


@pytest.mark.parametrize("student", sampled(IDS, *IDS[:8]))
def test_what_an_id_gets_is_what_is_asked(given, student):
    """Does the release draw the same, two wrong ones and a right one, in both parts?"""
    mine = break_it.personal_suspects(break_it.year(SECRET), student)
    assert given["sentences"](student) == {name: one.sentence for name, one in mine.told.items()}
    assert [given["slips"]()[x] for x in given["pair"](student)] == [x.sentence for x in mine.pair]
    assert given["numbers"](student) == mine.numbers
    assert len({*mine.numbers}) == 12 and sum(one < 0 for one in mine.numbers) == 6
    for group in (mine.told, mine.boxes):
        assert sum(bool(one.least) for one in group.values()) == 2
    for name, box in given["black_boxes"](student).items():
        witness = next((tree for tree in small_trees() if box.gives_away(tree)), None)
        least = mine.boxes[name].least
        assert (witness is None) if not least else len(break_it.leaves(witness)) == least
        assert not witness or gives_away(witness, mine.boxes[name])


@pytest.mark.parametrize("group", GROUPS)
def test_the_suspects_of_a_group_are_equally_hard(group):
    """Do as few leaves give each away, and does the share of such trees differ less than 3-fold?"""
    chance, shares = random.Random(3), []
    for one in GROUPS[group]:
        few = [tree for tree in small_trees(one.least) if len(break_it.leaves(tree)) == one.least]
        shares.append(sum(gives_away(tree, one) for tree in few) / len(few))
        trees = [tree for n in range(2, one.least) for shape in shapes(n) for tree in (
            filled(shape, iter(leaves)) for leaves in chance.choices(
                [*itertools.product(range(-2, 3), repeat=n)], k=60)
        )]  # fmt: skip
        assert [tree for tree in trees if gives_away(tree, one)] == [], one.sentence
    assert 0 < max(shares) <= 3 * min(shares)


@pytest.mark.proof
def test_pairs_are_equally_hard_to_tell_apart():
    """Does the share of random trees that do it differ less than threefold?"""
    chance, values = random.Random(4), [one for one in range(-40, 41) if abs(one) > 2]
    forms = [shape for n in (6, 7, 8) for shape in shapes(n)]
    pairs = [(one, other) for one, other in break_it.fair_pairs(MOVING)]
    found = dict.fromkeys(pairs, 0)
    for _ in range(6000):
        tree = filled(chance.choice(forms), iter(chance.sample(values, 8)))
        right, moves = break_it.move(tree, RIGHT), {x: break_it.move(tree, x) for x in MOVING}
        for two in pairs:
            found[two] += len({right, moves[two[0]], moves[two[1]]}) == 3
    assert max(found.values()) < 3 * min(found.values())


def test_what_is_right_is_given_away_by_no_tree():
    """Are the innocent innocent, in trees of up to seven leaves?"""
    trees = drawn_trees(random.Random(4), 150, range(-3, 4))
    seen = [(tree, one.sentence) for tree in trees for one in HARMLESS if gives_away(tree, one)]
    assert seen == []


@pytest.mark.proof
def test_no_two_slips_are_given_away_by_the_same_trees():
    """Can each be told from each other one by the boxes' answers?"""
    trees = random.Random(2).sample(list(small_trees()), 500)
    found = {tuple(gives_away(tree, one) for tree in trees) for one in GROUPS["boxes"]}
    assert len(found) == len(GROUPS["boxes"])


@pytest.mark.parametrize("secret", sampled(YEARS, *YEARS[:3]))
def test_the_reference_solves_any_year(secret):
    """Are its answers right for some ids, whatever was drawn?"""
    now = break_it.year(secret)
    letters, cells = dict(zip("ABCDEFGH", now.slips, strict=True)), cells_of("break-it")
    for student in IDS[:4]:
        mine = break_it.personal_suspects(now, student)
        names: dict[str, Any] = {
            "student_id": student,
            "sentences": lambda _, mine=mine: {x: one.sentence for x, one in mine.told.items()},
            "black_boxes": lambda _, mine=mine: {
                x: SimpleNamespace(gives_away=lambda tree, one=one: gives_away(tree, one))
                for x, one in mine.boxes.items()
            },
            "slips": lambda: {letter: one.sentence for letter, one in letters.items()},
            "pair": lambda _, mine=mine: [x for x, one in letters.items() if one in mine.pair],
            "numbers": lambda _, mine=mine: mine.numbers,
            "small_trees": lambda: small_trees(3),
        }
        for name in ("told", "boxes", "which", "apart", "my_trees"):
            exec(cells[name], names)  # noqa: S102 - our own
        assert points(mine.told, names["told"], "told") == 10
        assert points(mine.boxes, names["boxes"], "boxes") == 6
        assert names["which"] == {x: mine.letters[x] or "innocent" for x in "XYZ"}
        assert len({break_it.move(names["apart"], x) for x in (*mine.pair, RIGHT)}) == 3
        break_it.expect_killed(break_it.expect_small_trees(names["my_trees"], mine.numbers), 39)


def points(group: dict[str, SuspectProgram], answers: dict[str, Any], name: str) -> float:
    two, three, nearly, least = POINTS[name]
    right = len(break_it.names_judged_rightly(answers, group))
    more = max(break_it.excess(answers, group).values())
    return two * (right >= 2) + three * (right == 3) + nearly * (more <= 1) + least * (more <= 0)


@pytest.mark.proof
def test_the_sheet_of_a_year_is_worth_a_third_in_the_next():
    """What does who has all answers of one year earn in another, with a guess at the others?"""
    witness = {
        one: next((tree for tree in small_trees(4) if gives_away(tree, one)), "innocent")
        for one in (*EASY, *HARD, *HARMLESS)
    }
    total, rounds = 0.0, 0
    for before, after in itertools.permutations(YEARS[:8], 2):
        known = {one for group in break_it.year(before).told for one in group}
        now = break_it.year(after)
        for student in IDS[:6]:
            mine = break_it.personal_suspects(now, student).told
            answers = {x: witness[one] if one in known else None for x, one in mine.items()}
            spare = next((x for x in answers if answers[x] is None), "")
            if spare and "innocent" not in answers.values():
                answers[spare] = "innocent"
            answers = {x: one or [-1, [0, [-1, 0]]] for x, one in answers.items()}
            total, rounds = total + points(mine, answers, "told"), rounds + 1
    assert total / rounds < 10 / 3


def test_guessing_earns_less_than_five_in_a_hundred():
    """What do random trees, letters and larger trees earn, in the mean?"""
    chance, sums = random.Random(5), dict.fromkeys(("told", "boxes", "which", "apart"), 0.0)
    rounds = 200
    trees = drawn_trees(chance, 6 * rounds, range(-3, 4), 5)
    large = drawn_trees(chance, 40 * rounds, range(3, 40))
    for number in range(rounds):
        mine = break_it.personal_suspects(break_it.year(f"{number}"), f"guest {number}")
        for name, group in ("told", mine.told), ("boxes", mine.boxes):
            answers = {one: chance.choice([trees.pop(), "innocent"]) for one in group}
            sums[name] += points(group, answers, name)
            if name == "boxes":
                judged = break_it.names_judged_rightly(answers, group)
                named = [
                    one for one in judged
                    if mine.letters[one] and chance.choice("ABCDEFGH") == mine.letters[one]
                ]  # fmt: skip
                sums["which"] += 2 * bool(named) + 4 * (len(named) == 2)
        tree = next(x for x in large if len(set(y := break_it.leaves(x))) == len(y) > 5)
        large = large[large.index(tree) + 1 :]
        first, second, right = (break_it.move(tree, x) for x in (*mine.pair, RIGHT))
        sums["apart"] += 1.5 * (first != second) + 2.5 * (len({first, second, right}) == 3)
    means = {name: total / rounds for name, total in sums.items()}
    print(means)
    assert sum(means.values()) < 0.05 * WHOLE


@pytest.mark.proof
def test_random_trees_that_hold_alpha_beta_up_earn_nothing():
    """Do as many mutants live in 200 hand-ins of 20 leaves, in all shapes, that no check passes?"""
    chance = random.Random(6)
    for number in range(200):
        numbers = break_it.personal_suspects(break_it.year(SECRET), str(number)).numbers
        sizes = chance.choice([(7, 7, 6), (4,) * 5, (5,) * 4, (3, 3, 3, 3, 4, 4), (6, 5, 5, 4)])
        forms = [chance.choice(shapes(n)) for n in sizes]
        trees = [filled(form, iter(chance.choices(numbers, k=7))) for form in forms]
        with pytest.raises(AssertionError, match=r"mutants\. Alive: line"):
            break_it.expect_killed(trees, 30)


def test_the_notebook_shows_the_search_whose_mutants_are_counted():
    """Is each line there with its number, and does a mutant name the line that it changes?"""
    lines = [f"{n:2}  {line}".rstrip() for n, line in enumerate(break_it.listing()) if n]
    assert "\n".join(lines) in cells_of("break-it")["part-5"]
    assert len({*break_it.mutants()}) == 40
    assert break_it.changed_line("best >= beta", "best > beta") == (11, "if best > beta:")


@pytest.mark.parametrize(
    ("trees", "said"),
    [
        ({}, "must be a list"),
        ([], "is empty"),
        ([[-3, 4]] * 7, "more than 6 trees"),
        ([[4, 4, [4, 4, 4, 4, 4]]] * 3, "21 leaves together"),
        ([[4, 5]], "has the leaf 5, which is none of your numbers"),
        ([[4, True]], "holds True"),
        ([4], "is no tree"),
    ],
)
def test_what_is_no_list_of_small_trees_is_told_so(trees, said):
    """Is there a sentence for each, before any mutant is asked?"""
    with pytest.raises(AssertionError, match=said):
        break_it.expect_small_trees(trees, [-3, 4])


LOOP: list[Any] = [1, 2]
LOOP[1] = LOOP


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("[1, 2]", "is no tree"),
        ((1, 2), "is no tree"),
        ([1], "less than two moves"),
        ([1, 2.5], "holds 2.5"),
        ([1, (2, 3)], "holds (2, 3)"),
        ([1, {2}], "holds something"),
        ([1, True], "holds True, where a leaf must be a whole number"),
        ([1, 10**7], "beyond"),
        ([[1, 2]] * 7, "too large"),
        (LOOP, "too large"),
    ],
)
def test_what_is_no_tree_is_told_so(answer, said):
    """Is there a sentence for each, and none for a tree?"""
    assert said in break_it.fault_in_tree(answer)
    assert break_it.fault_in_tree([3, [4, 5]]) == ""


def test_a_public_check_takes_whole_numbers_for_leaves(monkeypatch):
    """Also those of numpy, and no array of them?"""
    monkeypatch.syspath_prepend(SOURCE)
    leaves_of = runpy.run_path(str(SOURCE / "test_break_it.py"))["leaves_of"]
    assert leaves_of([np.int64(3), [4, 5]], "apart") == [3, 4, 5]
    for leaf in True, 1.0, int, np.array([1, 2]):
        with pytest.raises(AssertionError, match="write whole numbers"):
            leaves_of([leaf, 4], "apart")
