"""The public checks of the assignment break-it.

Run them in the notebook, `check("told")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.told` is what the notebook calls `told`. They ask whether your answers have the right form,
and for part 2 they ask the boxes. Whether a tree gives P, Q or R away they do not know.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from contextlib import suppress
from numbers import Integral

from suspects import black_boxes, numbers

from check import student  # noqa: F401 - pytest finds it by its name
from hints import Hints, look  # noqa: F401 - `check` finds Hints by its name

NOT_COVERED = "all: suspects and mutants play in your trees when it is marked"
MOST, DEEPEST, LARGEST = 12, 8, 10**6


def leaves_of(tree, what, plies=1):
    """Return the leaves of a tree; fail if it is none."""
    if not isinstance(tree, list):
        assert plies > 1, f"{what} is {tree!r:.60}: write a tree as nested lists, as [3, [4, 5]]."
        whole = isinstance(tree, Integral) and not isinstance(tree, bool)
        assert whole, f"{what} has the leaf {tree!r:.60}: write whole numbers in []."
        assert abs(tree) <= LARGEST, f"{what} has a leaf beyond {LARGEST:,}: take a smaller one."
        return [tree]
    assert len(tree) >= 2, f"{what} has the state {tree!r:.60}: it needs two entries at least."
    assert plies <= DEEPEST, f"{what} has more than {DEEPEST} plies."
    leaves = [leaf for child in tree for leaf in leaves_of(child, what, plies + 1)]
    assert len(leaves) <= MOST, f"{what} has {len(leaves)} leaves; a tree may have {MOST}."
    return leaves


def text(answer):
    """Return a text as it is compared, "" for what is none."""
    return answer.strip().casefold() if isinstance(answer, str) else ""


def innocent(answers, name, keys):
    """Return which key is innocent; fail unless exactly one of them is."""
    look(answers, dict.fromkeys(keys), f"{name} is")
    names = [key for key in keys if text(answers[key]) == "innocent"]
    assert len(names) == 1, f'{name} is {answers!r:.200}; expected "innocent" once.'
    return names[0]


class Test_told:
    """Three programs that are told in a sentence."""

    def test_form(self, student):
        """There are trees for two of P, Q and R, and "innocent" for the third"""
        for key in {*"PQR"} - {innocent(student.told, "told", "PQR")}:
            leaves_of(student.told[key], f"told[{key!r}]")


class Test_boxes:
    """Three black boxes."""

    def test_given_away(self, student):
        """One of X, Y and Z is innocent, two have trees, and where a box answers, it agrees"""
        free = innocent(student.boxes, "boxes", "XYZ")
        for key, box in black_boxes(student.student_id).items():
            if key != free:
                tree, shown = student.boxes[key], True
                leaves_of(tree, f"boxes[{key!r}]")
                with suppress(ValueError):  # another tree, for which no box answers
                    shown = box.gives_away(tree)
                assert shown, f"The box {key} says that {tree} does not give it away."


class Test_which:
    """What is wrong with the boxes."""

    def test_form(self, student):
        """There are letters for two of X, Y and Z, and "innocent" for the same as in `boxes`"""
        free = innocent(student.which, "which", "XYZ")
        for key in {*"XYZ"} - {free}:
            letter = student.which[key]
            prefix = f"which[{key!r}] is {letter!r}"
            assert text(letter) in [*"abcdefgh"], f'{prefix}: write a letter from "A" to "H".'
        in_boxes = student.boxes.get(free) if isinstance(student.boxes, dict) else "innocent"
        assert text(in_boxes) == "innocent", (
            f"which calls {free} innocent, but boxes[{free!r}] is {in_boxes!r:.60}."
        )


class Test_apart:
    """A larger tree."""

    def test_form(self, student):
        """It has six to twelve leaves, all different, and none from -2 to 2"""
        leaves = leaves_of(student.apart, "apart")
        assert len(leaves) >= 6, f"apart has {len(leaves)} leaves: it needs six at least."
        assert len(set(leaves)) == len(leaves), "Two leaves of apart are alike."
        near = [leaf for leaf in leaves if abs(leaf) <= 2]
        assert not near, f"apart has the leaves {near}: none may lie from -2 to 2."


class Test_my_trees:
    """Trees that hold alpha-beta up."""

    def test_form(self, student):
        """They are at most six trees, of 20 leaves together, which are numbers of yours"""
        trees, pool = student.my_trees, numbers(student.student_id)
        assert isinstance(trees, list), f"my_trees is {trees!r:.60}: write a list of trees."
        assert 1 <= len(trees) <= 6, f"my_trees holds {len(trees)} trees: write one to six."
        leaves = [leaf for i, t in enumerate(trees) for leaf in leaves_of(t, f"my_trees[{i}]")]
        assert len(leaves) <= 20, f"my_trees have {len(leaves)} leaves together, and may have 20."
        other = [leaf for leaf in leaves if leaf not in pool]
        assert not other, f"my_trees have the leaf {other[0]}: your numbers are {sorted(pool)}."
        assert any(isinstance(child, list) for tree in trees for child in tree), (
            "my_trees holds no tree in which MIN moves: is a pair of brackets missing?"
        )
