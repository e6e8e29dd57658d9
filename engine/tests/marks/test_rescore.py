"""Move marks by hand when the items of a mark scheme have other points in a new release."""

import json
import shutil
from pathlib import Path

import pytest
import small_course as small
from formgrading import rows, run
from notebooks import Cell, cell

from referee.marks import by_hand, grade_log, gradebook
from referee.marks.grade_log import HandMark

SCHEME = "Explain.\n\n=== BEGIN MARK SCHEME ===\n\n{}\n\n=== END MARK SCHEME ===\n"
BEFORE = "(2) The idea is said. (1) It has a reason. (0.5) Plain words."
IDEA, REASON, PLAIN = (
    "- 2 points: The idea is said.",
    "- 1 point: It has a reason.",
    "- 0.5 points: Plain words.",
)
GIVEN = {  # marks by hand; of ada's and bob's a part is no item's
    "ada": (2.5, f"Good. {IDEA}\n{IDEA}\n{PLAIN}"),
    "bob": (1.5, REASON),
    "eve": (3.5, f"{IDEA}\n{REASON}\n{PLAIN}"),
}


def task(text: str) -> Cell:
    """Return a question that a human marks."""
    return cell("essay", text, 4, words=True, task=True)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a written answer of three students, marked by hand."""
    root = small.make(tmp_path_factory.mktemp("rescore") / "course")
    small.release(root, task(SCHEME.format(BEFORE)))
    for student in GIVEN:
        small.hand_in(root, student, more=[task("Explain.")])
    small.grade(root)
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        for student, (mark, text) in GIVEN.items():
            with gradebook.submission(book, small.NAME, student) as row:
                grade = next(one for one in row.grades if one.name == "essay")
                grade.manual_score, grade.needs_manual_grade = mark, student == "eve"
                grade.extra_credit = 0.25
                comment = next(one for one in row.comments if one.name == "essay")
                comment.manual_comment = text
    (root / grade_log.FILE).unlink()
    return root


@pytest.fixture
def root(graded: Path, tmp_path: Path) -> Path:
    """The same course, to be released again."""
    return shutil.copytree(graded, tmp_path / "course")


def write(root: Path, *items: str) -> None:
    """Write the source notebook with a mark scheme of these items, or without a question."""
    cells = [task(SCHEME.format(one)) for one in items]
    source = root / "source" / small.NAME / f"{small.NAME}.ipynb"
    source.write_text(json.dumps(small.notebook(*cells)))


def marks(root: Path) -> dict[str, tuple[float, bool]]:
    """Return the marks by hand, and whether they wait."""
    return {name: cells["essay"][1:] for name, cells in rows(root, small.NAME).items()}


def stands(root: Path, student: str) -> HandMark:
    """Return what stands for a student's answer."""
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        row = book.find_submission_notebook(small.NAME, small.NAME, student)
        return by_hand.marks(book, row.id)["essay"][0]


def test_who_has_the_item_moves_and_nobody_else(root: Path) -> None:
    """Is it told first, then moved with the adjustment, logged, and the same a second time?"""
    write(root, BEFORE.replace("(2)", "(2.5)").replace("(1)", "(0.5)"))
    before = marks(root)
    said = run(root, "referee", "release", small.NAME, status=1)
    assert "ada, essay: 2.5 -> 3 (2 -> 2.5: The idea is said.)" in said
    assert "bob, essay: 1.5 -> 1 (1 -> 0.5: It has a reason.)" in said
    assert marks(root) == before and not (root / grade_log.FILE).exists()
    run(root, "referee", "release", small.NAME, "--yes")
    assert marks(root) == {"ada": (3, False), "bob": (1, False), "eve": (3.5, True)}
    text = "- 2.5 points: The idea is said."
    assert stands(root, "ada") == HandMark(None, 3, 0.25, f"Good. {IDEA}\n{text}\n{PLAIN}")
    lines = grade_log.changes(root, small.NAME)
    moved = {one.student: one.by_hand["essay"][1].score for one in lines}
    assert moved == {"ada": 3, "bob": 1, "eve": 3.5}
    assert "essay" not in run(root, "referee", "release", small.NAME)


def test_what_is_no_item_any_more_is_told_and_moves_nothing(root: Path) -> None:
    """Are items known by their sentences, when one was put before them and one is gone?"""
    write(root, "(1) A new one. (2) The idea is said. (1) It has a reason.")
    before = marks(root)
    said = run(root, "referee", "release", small.NAME, "--yes")
    gone = 'essay: "Plain words." is no item any more; the marks of 2 students (ada, eve) stay'
    assert gone in said and "bob" not in said
    assert marks(root) == before and stands(root, "ada").comment == f"Good. {IDEA}\n{IDEA}\n{PLAIN}"


def test_a_mark_that_would_be_out_of_range_stays_and_is_told(root: Path) -> None:
    """Is nobody's mark cut, and the instructor asked?"""
    write(root, BEFORE.replace("(2)", "(3)"))
    said = run(root, "referee", "release", small.NAME, "--yes")
    assert "it stays, since 4.5 is not between 0 and 4: mark it by hand" in said
    assert marks(root)["eve"] == (3.5, True) and marks(root)["ada"] == (3.5, False)
    assert stands(root, "eve").comment == f"{IDEA}\n{REASON}\n{PLAIN}"


def test_marks_that_go_with_their_cell_are_in_the_log(root: Path) -> None:
    """Is each on record with the one by hand before the automatic one, and told before?"""
    write(root)
    said = run(root, "referee", "release", small.NAME, "--yes")
    assert "essay goes, with marks by hand of 3 students (ada, bob, eve), comments by hand" in said
    lines = grade_log.changes(root, small.NAME)
    assert {one.student: (one.old["essay"], one.new["essay"]) for one in lines} == {
        student: (mark, None) for student, (mark, _) in GIVEN.items()
    }
