"""The public checks of the assignment break-it.

Run them in the notebook, `check("told")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.told` is what the notebook calls `told`. They ask whether your answers have the right form,
and for part 2 they ask the boxes. Whether a tree gives P, Q or R away they do not know.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

import pytest
from suspects import black_boxes

from canvas.recorded import RecordedGame
from check import student  # noqa: F401 - pytest finds it by its name
from games import Fig52Game, NestedTree

NOT_COVERED = "all: suspects play in your trees, and mutants are made, when it is marked"
# Cells that define what the checks of another cell ask for.
DEFINED_IN = {"student_id": "student_id", "alpha_beta_search": "my_search"}
MOST, DEEPEST, LARGEST = 12, 8, 10**6

# --- helpers: what the checks below share ----------------------------------------------------


def leaves_of(tree, what, plies=1, otherwise=""):
    """Return the leaves of a tree; fail if it is none."""
    if not isinstance(tree, list):
        pytest.fail(
            f"{what} is {tree!r:.60}: write a tree as nested lists, such as [3, [4, 5]]{otherwise}."
        )
    assert len(tree) >= 2, f"{what} has the state {tree!r:.60}: it needs two entries at least."
    assert plies <= DEEPEST, f"{what} has more than {DEEPEST} plies."
    found = []
    for one in tree:
        if isinstance(one, list):
            found += leaves_of(one, what, plies + 1)
        else:
            assert type(one) is int, f"{what} has the leaf {one!r:.60}: write whole numbers."
            assert abs(one) <= LARGEST, f"{what} has a leaf beyond {LARGEST:,}: take a smaller one."
            found.append(one)
    assert len(found) <= MOST, f"{what} has {len(found)} leaves; a tree may have {MOST}."
    return found


def is_innocent(answer):
    """Return whether this is the text "innocent", however it is written."""
    return isinstance(answer, str) and answer.strip().casefold() == "innocent"


def the_innocent(answers, name, keys):
    """Return which key has the text "innocent"; fail unless exactly one has."""
    found = [key for key in keys if is_innocent(answers[key])]
    assert len(found) == 1, f"{name} calls {len(found)} innocent; exactly one of {keys} is."
    return found[0]


def verdicts(answers, name, keys):
    """Return which key is innocent; fail unless one is, and the others have trees."""
    assert isinstance(answers, dict), f"{name} is {answers!r:.60}: write a dict."
    for key in keys:
        assert key in answers, f"{name} has no key {key!r}."
        if not is_innocent(answers[key]):
            leaves_of(answers[key], f"{name}[{key!r}]", otherwise=', or the text "innocent"')
    return the_innocent(answers, name, keys)


class Test_told:
    """Three programs that are told in a sentence."""

    def test_form(self, student):
        """There are trees for two of P, Q and R, and "innocent" for the third"""
        verdicts(student.told, "told", "PQR")


class Test_boxes:
    """Three black boxes."""

    def test_given_away(self, student):
        """One of X, Y and Z is innocent, two have trees, and where a box answers, it agrees"""
        innocent = verdicts(student.boxes, "boxes", "XYZ")
        for key, box in black_boxes(student.student_id).items():
            if key == innocent:
                continue
            try:
                shown = box.gives_away(student.boxes[key])
            except ValueError:
                continue  # another tree, for which no box answers
            assert shown, f"The box {key} says that {student.boxes[key]} does not give it away."


class Test_which:
    """What is wrong with the boxes."""

    def test_form(self, student):
        """There are letters for two of X, Y and Z, and "innocent" for the same as in `boxes`"""
        assert isinstance(student.which, dict), f"which is {student.which!r:.60}: write a dict."
        for key in "XYZ":
            answer = student.which.get(key)
            letter = answer.strip().upper() if isinstance(answer, str) else ""
            assert letter in (*"ABCDEFGH", "INNOCENT"), (
                f'which[{key!r}] is {answer!r}: write a letter from "A" to "H", or "innocent".'
            )
        innocent = the_innocent(student.which, "which", "XYZ")
        in_boxes = student.boxes.get(innocent) if isinstance(student.boxes, dict) else "innocent"
        assert is_innocent(in_boxes), (
            f"which calls {innocent} innocent, but boxes[{innocent!r}] is {in_boxes!r:.60}."
        )


class Test_apart:
    """A larger tree."""

    def test_form(self, student):
        """It has six to twelve leaves, all different, and none from -2 to 2"""
        found = leaves_of(student.apart, "apart")
        assert len(found) >= 6, f"apart has {len(found)} leaves: it needs six at least."
        assert len(set(found)) == len(found), "Two leaves of apart are alike."
        near = [leaf for leaf in found if abs(leaf) <= 2]
        assert not near, f"apart has the leaf {near and near[0]}: none may lie from -2 to 2."


class Test_my_search:
    """Your own search."""

    def test_figure(self, student):
        """It finds the right move in A of figure 5.2, and skips C2 and C3"""
        game = RecordedGame(Fig52Game())
        move = student.alpha_beta_search("A", game)
        assert move == "a1", f"In A of figure 5.2 it returned {move!r}, not 'a1'."
        seen = game.generated
        assert "C2" not in seen, (
            "In figure 5.2 it looks at C2: MAX has 3 from B, and C1 is worth 2."
        )
        assert "D3" in seen, "In figure 5.2 it does not look at D3, which matters."

    def test_four_plies(self, student):
        """It finds the right move in a tree of four plies"""
        tree = [[[[8, 1], [4, 9]], [6, [2, 5]]], [[[3, 6], 9], [5, [7, 2]]]]
        move = student.alpha_beta_search((), NestedTree(tree))
        assert move == 1, f"In {tree} it returned {move!r}, not 1."


class Test_my_trees:
    """Trees that hold your search up."""

    def test_form(self, student):
        """They are at most six trees, with at most 20 leaves together"""
        trees = student.my_trees
        assert isinstance(trees, list), f"my_trees is {trees!r:.60}: write a list of trees."
        assert 1 <= len(trees) <= 6, f"my_trees holds {len(trees)} trees: write one to six."
        count = sum(len(leaves_of(tree, f"my_trees[{i}]")) for i, tree in enumerate(trees))
        assert count <= 20, f"my_trees have {count} leaves together, and may have 20."
        assert any(isinstance(one, list) for tree in trees for one in tree), (
            "my_trees holds no tree in which MIN moves: is a pair of brackets missing?"
        )

    def test_search_ends(self, student):
        """Your search finds a move in each of them"""
        for tree in student.my_trees:
            game = NestedTree(tree)
            move = student.alpha_beta_search((), game)
            assert move in game.actions(()), f"In {tree} your search returned {move!r}."
