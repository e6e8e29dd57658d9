"""Change an assignment after its class was graded, and make its release by `referee release`.

The class is graded, has marks by hand and comments, and is graded again afterwards.
"""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import adopted_course
import pytest
from adopted_course import HALF, NAME
from formgrading import rows, run
from notebooks import cell
from shares import sampled

from referee.course import Course, CourseError
from referee.marks import by_hand, grade_log, gradebook, release
from referee.marks.grade_log import HandMark

Source = dict[str, dict[str, Any]]  # the notebooks of the assignment
Change = Callable[[Source], None]
WRITTEN = "Once upon a time."
SCHEME = "Draw it.\n\n=== BEGIN MARK SCHEME ===\n\n{}\n\n=== END MARK SCHEME ===\n"
ITEMS = "(2) The idea is said. (1) It has a reason. (0.5) Plain words."
IDEA, REASON, PLAIN = (
    "- 2 points: The idea is said.", "- 1 point: It has a reason.", "- 0.5 points: Plain words.",
)  # fmt: skip
DRAWN = {  # mark by hand and comment; of ada's and ben's a part is no item's
    "ada": (2.5, f"Good. {IDEA}\n{IDEA}\n{PLAIN}"),
    "ben": (1.5, REASON),
    "eve": (3.5, f"{IDEA}\n{REASON}\n{PLAIN}"),
}


def put(source: Source, name: str, text: str = "", **data: Any) -> None:
    """Change the text of a cell of the source, and nbgrader's data on it."""
    cells = [one for notebook in source.values() for one in notebook["cells"]]
    (one,) = (one for one in cells if one["metadata"]["nbgrader"]["grade_id"] == name)
    one["source"] = text or one["source"]
    one["metadata"]["nbgrader"] |= data
    one["id"] = one["metadata"]["nbgrader"]["grade_id"]


def edit(root: Path, change: Change) -> None:
    """Change the notebooks of the source."""
    folder = root / "source" / NAME
    source = {file.stem: json.loads(file.read_text()) for file in folder.glob("*.ipynb")}
    change(source)
    for file in folder.glob("*.ipynb"):
        file.unlink()
    for name, notebook in source.items():
        (folder / f"{name}.ipynb").write_text(json.dumps(notebook))


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a graded class, marks and comments by hand, and an empty log."""
    root = tmp_path_factory.mktemp("graded")
    shutil.copytree(adopted_course.COURSE, root, dirs_exist_ok=True)
    task = cell("drawing", SCHEME.format(ITEMS), 4, words=True, task=True)
    edit(root, lambda source: source["words"]["cells"].append(task))
    run(root, "nbgrader", "generate_assignment", NAME, "--create")
    for student, written in ("ada", {"essay": WRITTEN}), ("ben", HALF), ("eve", {}):
        adopted_course.hand_in(root, student, written)
    run(root, "referee", "adopt", "--yes")
    run(root, "referee", "grade", NAME, "--workers", "1")
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        for name, mark in {"essay": 1.5, "count_parts": 3}.items():
            grade = book.find_grade(name, "words", NAME, "ada")
            grade.manual_score, grade.needs_manual_grade = mark, False
        book.find_comment("essay", "words", NAME, "ada").manual_comment = "A fine essay."
        for student, (mark, text) in DRAWN.items():
            grade = book.find_grade("drawing", "words", NAME, student)
            grade.manual_score, grade.needs_manual_grade = mark, student == "eve"
            grade.extra_credit = 0.25
            book.find_comment("drawing", "words", NAME, student).manual_comment = text
        book.db.commit()
    (root / grade_log.FILE).unlink()
    return root


@pytest.fixture
def root(graded: Path, tmp_path: Path) -> Path:
    """A copy of the course."""
    return shutil.copytree(graded, tmp_path / "course")


def comments(root: Path) -> dict[str, str]:
    """Return ada's comments by hand."""
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        notebooks = book.find_submission(NAME, "ada").notebooks
        written = [one for notebook in notebooks for one in notebook.comments]
        return {one.name: one.manual_comment for one in written if one.manual_comment}


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def same(root: Path, graded: Path) -> bool:
    """Return whether release and gradebook are as they were."""
    now, before = ((files(one / "release"), rows(one, NAME)) for one in (root, graded))
    return now == before


def add_a_test(source: Source) -> None:
    source["numbers"]["cells"].insert(4, cell("squares_two", "assert squares(2) == [1, 4]", 2))


def remove_a_test(source: Source) -> None:
    cells, gone = source["words"]["cells"], "count_captured"
    cells[:] = [one for one in cells if one["metadata"]["nbgrader"]["grade_id"] != gone]


# A change, what ada has then that is new, the cells that are gone, and what is told.
CHANGES: list[tuple[Change, dict[str, Any], set[str], str]] = [
    (add_a_test, {"squares_two": (2.0, None, False)}, set(),
     "numbers/squares_two is new (2 points)"),
    (remove_a_test, {}, {"count_captured"},
     "words/count_captured goes, with automatic marks of 3 students (ada, ben, eve)"),
    (lambda source: put(source, "essay", grade_id="story"),
     {"story": (None, None, True)}, {"essay"},
     "words/essay goes, with marks by hand of 1 student (ada)"),
    (lambda source: put(source, "count_parts", grade_id="count_all"),
     {"count_all": (4.0, None, False)}, {"count_parts"}, "words/count_all is new (4 points)"),
    (lambda source: put(source, "drawing", "Draw it in ink.", points=5),
     {"drawing": (None, 2.5, True)}, set(),  # the old task is text, and not ours
     "words/drawing has 5 points, not 4; marks by hand stay, to be looked at again: 3 students"),
    (lambda source: put(source, "count_awaited", solution=True, locked=False),
     {"count_awaited": (None, None, True)}, set(),
     "words/count_awaited is marked in another way now"),
    (lambda source: put(source, "essay", points=5), {"essay": (None, 1.5, True)}, set(),
     "words/essay has 5 points, not 2; marks by hand stay, to be looked at again: 1 student"),
    (lambda source: put(source, "mean_right", points=6), {"mean_right": (6.0, None, False)}, set(),
     ""),
]  # fmt: skip


@pytest.mark.proof
@pytest.mark.parametrize("changes", [CHANGES[:-2], CHANGES[-2:]], ids=["cells", "points"])
def test_marks_of_cells_that_stay_are_kept(
    root: Path, changes: list[tuple[Change, dict[str, Any], set[str], str]]
) -> None:
    """Are all other marks, those by hand and the comments as before, graded once more?"""
    before, written = rows(root, NAME), comments(root)
    new, gone = dict[str, Any](), set[str]()
    for change, more, less, _ in changes:
        edit(root, change)
        new |= more
        gone |= less
    said = run(root, "referee", "release", NAME, "--yes")
    assert [told for *_, told in changes if told not in said] == []
    run(root, "referee", "grade", NAME, "--workers", "1")
    after = rows(root, NAME)
    kept = {name: row for name, row in before["ada"].items() if name not in gone}
    assert after["ada"] == kept | new
    assert comments(root) == {name: text for name, text in written.items() if name not in gone}
    others = before["ben"].keys() - new.keys() - gone
    assert {name: after["ben"][name] for name in others} == {n: before["ben"][n] for n in others}


def test_nothing_is_changed_without_a_yes_or_by_a_source_that_is_no_good(
    root: Path, graded: Path
) -> None:
    """Is it asked first, and where nobody is, as with `audit --watch`, is it said who asks?

    Of a source that is no good, is one line said?
    """
    edit(root, remove_a_test)
    run(root, "referee", "release", NAME, status=1)
    with pytest.raises(CourseError, match=f"`referee release {NAME}` tells whose, and asks"):
        release.make(Course(root), NAME)
    assert same(root, graded)
    (root / "source" / NAME / "words.ipynb").write_text("{")
    said = run(root, "referee", "release", NAME, "--yes", status=2)
    words = f"nbgrader cannot make a release of source/{NAME}: words.ipynb: Expecting property name"
    assert said.startswith(f"referee: {words}") and said.count("\n") == 1
    assert same(root, graded)


def test_what_is_told_is_what_is_done(root: Path, graded: Path) -> None:
    """Is nothing changed if somebody has marked what goes since the question?"""

    def agrees(_: list[str]) -> bool:
        with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
            book.find_grade("count_captured", "words", NAME, "ben").manual_score = 1
            book.db.commit()
        return True

    edit(root, remove_a_test)
    with pytest.raises(release.CourseError, match="have changed since this was asked"):
        release.make(Course(root), NAME, agrees)
    assert rows(root, NAME)["ben"]["count_captured"] == (0.0, 1.0, False)
    assert files(root / "release") == files(graded / "release")


STEPS = [(shutil, "rmtree"), (Path, "rename"), (release, "move")]


@pytest.mark.parametrize(("where", "name"), sampled(STEPS, STEPS[1]), ids=str)
def test_a_release_that_is_half_there_is_made_again(
    root: Path, monkeypatch: pytest.MonkeyPatch, where: Any, name: str
) -> None:
    """Does `grade` grade nothing by halves, but name the command that makes it whole?"""
    edit(root, add_a_test)
    place, real = root / "release" / NAME, getattr(where, name)

    def killed(*arguments: Any, **options: Any) -> None:
        if name != "rmtree" or arguments[0] == place:
            raise KeyboardInterrupt
        real(*arguments, **options)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(where, name, killed)
        release.make(Course(root), NAME, lambda _: True)
    if not place.exists():
        said = run(root, "referee", "grade", NAME, status=2)
        assert re.findall(r"make it with `(.*?)`", said) == [f"referee release {NAME}"]
    place.with_name(f".{NAME}.half").mkdir()  # of a process that was killed while it made one
    run(root, "referee", "release", NAME, "--yes")
    run(root, "referee", "grade", NAME, "--workers", "1")
    assert rows(root, NAME)["ada"]["squares_two"] == (2.0, None, False)


# --- marks by hand that items of a mark scheme have given ----------------------------------------


def items(source: Source, text: str) -> None:
    """Change the items of the mark scheme."""
    put(source, "drawing", SCHEME.format(text))


def drawn(root: Path) -> dict[str, HandMark]:
    """Return what stands for each drawing."""
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        drawings = book.notebook_submissions("words", NAME)
        return {row.student.id: by_hand.marks(book, row.id)["drawing"][0] for row in drawings}


def test_who_has_the_item_moves_and_nobody_else(root: Path, graded: Path) -> None:
    """Is it told first, then moved with the adjustment, logged, and the same a second time?"""
    edit(root, lambda source: items(source, ITEMS.replace("(2)", "(2.5)").replace("(1)", "(0.5)")))
    said = run(root, "referee", "release", NAME, status=1)
    assert "ada, drawing: 2.5 -> 3 (2 -> 2.5: The idea is said.)" in said
    assert "ben, drawing: 1.5 -> 1 (1 -> 0.5: It has a reason.)" in said
    assert same(root, graded) and not (root / grade_log.FILE).exists()
    run(root, "referee", "release", NAME, "--yes")
    text = "- 2.5 points: The idea is said."
    found = drawn(root)
    assert found["ada"] == HandMark(0, 3, 0.25, f"Good. {IDEA}\n{text}\n{PLAIN}")
    lines = grade_log.changes(root, f"{NAME}/words")
    assert {one.student: one.by_hand["drawing"][1] for one in lines} == found
    assert {who: (one.score, one.flagged) for who, one in found.items()} == {
        "ada": (3, False), "ben": (1, False), "eve": (3.5, True),
    }  # fmt: skip
    assert "drawing" not in run(root, "referee", "release", NAME)


def test_what_is_no_item_or_would_be_out_of_range_stays_and_is_told(root: Path) -> None:
    """Are items known by their sentences, nobody's mark cut, and the instructor asked?"""
    edit(root, lambda source: items(source, "(1) New. (3) The idea is said. (1) It has a reason."))
    before = drawn(root)
    said = run(root, "referee", "release", NAME, "--yes")
    gone = 'drawing: "Plain words." is no item any more; the marks of 2 students (ada, eve) stay'
    assert gone in said and "ben" not in said
    assert "it stays, since 4.5 is not between 0 and 4: mark it by hand" in said
    text = f"Good. {IDEA}\n- 3 points: The idea is said.\n{PLAIN}"
    assert drawn(root) == before | {"ada": HandMark(0, 3.5, 0.25, text)}


def test_marks_that_go_with_their_cell_are_in_the_log(root: Path) -> None:
    """Is each on record with the one by hand before the automatic one, and told before?"""
    edit(root, lambda source: source["words"]["cells"].pop())
    said = run(root, "referee", "release", NAME, "--yes")
    assert "drawing goes, with marks by hand of 3 students (ada, ben, eve), " in said
    lines = grade_log.changes(root, f"{NAME}/words")
    assert {one.student: (one.old["drawing"], one.new["drawing"]) for one in lines} == {
        student: (mark, None) for student, (mark, _) in DRAWN.items()
    }
