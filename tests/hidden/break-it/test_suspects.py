"""Hidden checks of the suspects: the cells told, boxes, which and apart."""

import pytest

from adversarial.checks.break_it import (
    RIGHT,
    excess,
    expect_trees,
    fault_in_tree,
    leaves,
    move,
    names_judged_rightly,
)
from adversarial.checks.figure import answer_in


def answers(student, suspects, name):
    """Return what the cell says of each of its suspects, and these."""
    group = getattr(suspects, name)
    return expect_trees(answer_in(student, name), name, group), group


def expect_judged(judgements, least):
    assert len(names_judged_rightly(*judgements)) >= least, (
        f"Fewer than {least} of the three are judged rightly: a tree must give its program away, "
        "and whoever accuses a right program loses one of the others."
    )


def expect_small(judgements, more):
    most = max(excess(*judgements).values())
    assert most <= more, "Not every wrong program is given away by so small a tree."


@pytest.mark.check(
    cell="told", points=3, hint="Play the program by hand, beside alpha-beta. Where do they part?"
)
def test_told_two(student, suspects):
    """Of P, Q and R two are judged rightly, and none is accused wrongly
    Needed for wrong/told_texts and wrong/told_a_list."""
    expect_judged(answers(student, suspects, "told"), 2)


@pytest.mark.check(
    cell="told", points=3, hint="Which of the three does only what the lesson leaves to taste?"
)
def test_told_three(student, suspects):
    """P, Q and R are all judged rightly
    Needed for wrong/told_one_guilty_let_go and wrong/told_accuses_the_innocent."""
    expect_judged(answers(student, suspects, "told"), 3)


@pytest.mark.check(
    cell="told", points=1.5, hint="Take leaves away, one at a time: does it still show?"
)
def test_told_small(student, suspects):
    """The wrong ones of P, Q and R are given away with at most one leaf too many
    Needed for wrong/told_large and wrong/told_one_guilty_let_go."""
    expect_small(answers(student, suspects, "told"), 1)


@pytest.mark.check(cell="told", points=2.5, hint="Is there really no tree with one leaf less?")
def test_told_smallest(student, suspects):
    """The wrong ones of P, Q and R are given away with as few leaves as possible
    Needed for wrong/told_a_leaf_too_many and wrong/told_large."""
    expect_small(answers(student, suspects, "told"), 0)


@pytest.mark.check(
    cell="boxes", points=1.5, hint="Ask the boxes. Who says no to every tree is innocent."
)
def test_boxes_two(student, suspects):
    """Of the boxes X, Y and Z two are judged rightly, and none is accused wrongly
    Needed for wrong/boxes_guessed and wrong/boxes_all_innocent."""
    expect_judged(answers(student, suspects, "boxes"), 2)


@pytest.mark.check(
    cell="boxes", points=2.5, hint="Ask the boxes. Who says no to every tree is innocent."
)
def test_boxes_three(student, suspects):
    """The boxes X, Y and Z are all judged rightly
    Needed for wrong/boxes_one_not_found."""
    expect_judged(answers(student, suspects, "boxes"), 3)


@pytest.mark.check(cell="boxes", points=2, hint="Begin with the trees that have few leaves.")
def test_boxes_smallest(student, suspects):
    """The wrong boxes are given away with as few leaves as possible
    Needed for wrong/boxes_large."""
    expect_small(answers(student, suspects, "boxes"), 0)


def named_boxes(student, suspects):
    """Return the wrong boxes whose slip is named; a box counts only with a tree against it."""
    judgements = answers(student, suspects, "boxes")
    which = answer_in(student, "which")
    assert type(which) is dict, "`which` must be a dict with the keys 'X', 'Y', 'Z'."
    assert all(type(text) is str for text in (*which, *which.values())), (
        '`which` must hold texts: a letter from "A" to "H", or "innocent".'
    )
    letters = {name: letter.strip().upper() for name, letter in which.items()}
    right = {name for name in names_judged_rightly(*judgements) if suspects.boxes[name].least}
    return [name for name in right if letters.get(name) == suspects.letters[name]], letters


@pytest.mark.check(
    cell="which", points=2, hint="Find a tree on which two slips differ, and ask the box."
)
def test_which_one(student, suspects):
    """The slip of one wrong box is named, and there is a tree against that box
    Needed for wrong/which_sentences and wrong/which_guessed."""
    boxes, _ = named_boxes(student, suspects)
    assert boxes, "Of no box that you have given away the slip is named."


@pytest.mark.check(
    cell="which", points=4, hint="Find a tree on which two slips differ, and ask the box."
)
def test_which_both(student, suspects):
    """The slips of both wrong boxes are named, and the third is called innocent
    Needed for wrong/which_one_alike and wrong/which_names_the_right."""
    boxes, letters = named_boxes(student, suspects)
    right = [name for name, letter in suspects.letters.items() if not letter]
    assert len(boxes) == 2, "Not every wrong box that you have given away has its slip named."
    assert all(letters.get(name) == "INNOCENT" for name in right), (
        "A box that no tree gives away has no slip."
    )


def larger_tree(student):
    tree = answer_in(student, "apart")
    assert not (fault := fault_in_tree(tree)), f"`apart` {fault}."
    numbers = leaves(tree)
    assert len(numbers) >= 6, "`apart` must have six leaves at least."
    assert len(set(numbers)) == len(numbers), "`apart` must have different leaves."
    assert all(abs(number) > 2 for number in numbers), (
        "`apart` must have no leaf from -2 to 2: a box could know it."
    )
    return tree


@pytest.mark.check(
    cell="apart", points=1.5, hint="What does each of the two make of a state that MIN moves in?"
)
def test_apart(student, suspects):
    """In the larger tree the two slips lead to different moves
    Needed for wrong/apart_small and wrong/apart_known_leaves."""
    tree = larger_tree(student)
    first, second = (move(tree, one) for one in suspects.pair)
    assert first != second, "In `apart` both slips lead to the same move."


@pytest.mark.check(
    cell="apart", points=2.5, hint="Three moves at the root: one for each of the three programs."
)
def test_apart_from_right(student, suspects):
    """In the larger tree the two slips and alpha-beta make three different moves
    Needed for wrong/apart_two_moves."""
    tree = larger_tree(student)
    moves = {move(tree, one) for one in (*suspects.pair, RIGHT)}
    assert len(moves) == 3, "In `apart` two of the three programs make the same move."
