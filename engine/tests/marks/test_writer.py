"""Ask whether a submission is written whole or not at all, where stock nbgrader looks for it.

A small course whose gradebook nbgrader has made, and a writer on it; what is written is what a
judge could have found. Marks by hand are a human's.
"""

import datetime
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
import reports
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.api import MissingEntry
from nbgrader.utils import parse_utc

from referee import intake
from referee.course import Assignment, Course, CourseError
from referee.intake.folder import choose
from referee.judging import digests
from referee.marks import entries, grade_log, gradebook, standings, writer
from referee.model import CellMark, Record

DUE = datetime.datetime(2026, 3, 1, 12, 0)
IN_TIME, LATE = "2026-03-01 11:00:00", "2026-03-01 13:00:00 UTC"
CONFIG = """\
c = get_config()
c.CourseDirectory.root = {root!r}
c.CourseDirectory.course_id = "sums"
c.LateSubmissionPlugin.penalty_method = "zero"
"""
NOTEBOOK = f"{nbformat.writes(new_notebook(cells=[new_markdown_cell('Well.', id='a')]))}\n".encode()
SCORES = {"test_f": 3.0, "test_g": 0.5, "test_h": 0.0, "essay": None}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A gradebook with an assignment that is due, which nobody has handed in."""
    file = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    with gradebook.opened(f"sqlite:///{file}") as book:
        book.add_assignment("sums", duedate=DUE)
        book.add_notebook("sums", "sums")
        for name in ("test_f", "test_g", "test_h"):
            book.add_grade_cell(name, "sums", "sums", max_score=3, cell_type="code")
        book.add_task_cell("essay", "sums", "sums", max_score=4, cell_type="markdown")
        for name in ("f", "g"):
            book.add_solution_cell(name, "sums", "sums")
        book.add_student("ada")
    return file.read_bytes()


@pytest.fixture
def assignment(tmp_path: Path, template: bytes) -> Assignment:
    """The course that the gradebook belongs to."""
    files = {
        "nbgrader_config.py": CONFIG.format(root=str(tmp_path)).encode(),
        "gradebook.db": template,
        "source/sums/sums.ipynb": b"the source",
        "source/sums/picture.svg": b"<svg/>",
        "release/sums/sums.ipynb": b"the release",
        "release/sums/tools.py": b"# tools",
        "release/sums/drawing/boards.py": b"# boards",
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return Assignment("sums", Course(tmp_path))


@pytest.fixture
def open_writer(assignment: Assignment) -> Iterator[writer.Writer]:
    with writer.opened(assignment) as opened:
        yield opened


def write(
    to: writer.Writer,
    student: str = "ada",
    scores: dict[str, float | None] = SCORES,
    timestamp: str | None = IN_TIME,
    notebook: bytes = NOTEBOOK,
) -> None:
    """Write what a judge has found of a submission."""
    marks = [
        CellMark(name, name.removeprefix("test_"), score, 3.0, needs_manual_grade=score is None)
        for name, score in scores.items()
    ]
    total = sum(score or 0.0 for score in scores.values())
    report = reports.report(score=total, max_score=6.0, cells=marks)
    how = "s", "the course", "b", "now", [], report, timestamp
    record = Record(student, *how, notebook=digests.digest(notebook))
    to.write(record, notebook)


def files(assignment: Assignment, student: str = "ada") -> dict[str, bytes]:
    folder = assignment.root / "autograded" / student / "sums"
    found = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


def row(of: writer.Writer, student: str = "ada") -> Any:
    of.book.db.expire_all()
    return of.book.find_submission("sums", student)


def standing(of: writer.Writer) -> standings.Standing:
    of.book.db.expire_all()
    return standings.read(of.book.db, "sums")["ada"]


def log(assignment: Assignment) -> list[dict[str, Any]]:
    file = assignment.root / grade_log.FILE
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [json.loads(line) for line in lines]


def test_a_submission_is_written_to_every_place(assignment, open_writer):
    """Are folder, gradebook, log and record the same submission's?"""
    write(open_writer)
    assert files(assignment) == {
        "sums.ipynb": NOTEBOOK,
        "tools.py": b"# tools",
        "drawing/boards.py": b"# boards",
        "picture.svg": b"<svg/>",
        "timestamp.txt": IN_TIME.encode(),
    }
    (record,) = entries.get(assignment.root, "sums").values()
    assert open_writer.has(record)
    assert standing(open_writer) == standing(open_writer)._replace(scores=SCORES, seconds_late=0.0)
    assert row(open_writer).timestamp == datetime.datetime(2026, 3, 1, 11, 0)
    (line,) = log(assignment)
    assert line["new"] == {"test_f": 3.0, "test_g": 0.5, "test_h": 0.0}
    assert line["course"] == "the course"
    assert entries.get(assignment.root, "sums")["ada"].report.scores == SCORES


def test_what_was_in_the_folder_before_is_gone(assignment, open_writer):
    """Is a file or a folder of an older grading not taken for one of this?"""
    write(open_writer)
    folder = assignment.root / "autograded" / "ada" / "sums"
    (folder / "old.csv").touch()
    (folder / "deep").mkdir()
    for place in "deep", "drawing":
        (folder / place / "old.csv").touch()
    (folder / "link").symlink_to(folder / "drawing")
    write(open_writer, timestamp=None, notebook=NOTEBOOK + b"\n")
    assert files(assignment) == {
        "sums.ipynb": NOTEBOOK + b"\n",
        "tools.py": b"# tools",
        "drawing/boards.py": b"# boards",
        "picture.svg": b"<svg/>",
    }
    assert not (folder / "deep").exists() and not (folder / "link").is_symlink()


@pytest.mark.parametrize(
    "scores",
    [{"test_f": 1.0, "test_g": 1.0}, SCORES | {"test_of_another_release": 1.0}, {}],
    ids=["one missing", "one too many", "none"],
)
def test_a_failure_in_the_middle_leaves_the_old_marks(assignment, open_writer, scores):
    """When the marks do not fit the gradebook, are marks, time, log and record those of before?"""
    write(open_writer)
    before = standing(open_writer), log(assignment), entries.get(assignment.root, "sums")
    with pytest.raises(CourseError):
        write(open_writer, scores=scores, timestamp=LATE)
    after = standing(open_writer), log(assignment), entries.get(assignment.root, "sums")
    assert after == before
    with pytest.raises(CourseError):
        write(open_writer, "eve", scores)
    assert "eve" not in standings.read(open_writer.book.db, "sums")
    write(open_writer, scores=SCORES | {"test_g": 1.0})
    assert standing(open_writer).scores == SCORES | {"test_g": 1.0}


def test_what_is_late_loses_what_the_course_says(open_writer):
    """With `penalty_method = "zero"`, is nothing left of a late submission, as in nbgrader?

    Of the score of now, not of the one before; and all of it is back when it is in time.
    """
    for scores in (SCORES, SCORES | {"test_g": 3.0}):
        write(open_writer, scores=scores, timestamp=LATE)
        (notebook,) = row(open_writer).notebooks
        assert (
            notebook.late_submission_penalty == notebook.score == sum(filter(None, scores.values()))
        )
        assert standing(open_writer).seconds_late == 3600
    write(open_writer)
    (notebook,) = row(open_writer).notebooks
    assert (notebook.late_submission_penalty, notebook.score) == (None, 3.5)
    assert entries.get(open_writer._assignment.root, "sums")["ada"].seconds_late == 0


def test_marks_are_taken_back(assignment, open_writer):
    """Has a student for whom there is nothing to grade no marks, a line in the log, no record?"""
    write(open_writer)
    open_writer.withdraw("ada")
    assert standing(open_writer).scores == dict.fromkeys(SCORES)
    assert entries.get(assignment.root, "sums") == {}
    first, second = log(assignment)
    assert (second["old"], second["new"]) == (first["new"], dict.fromkeys(first["new"]))
    open_writer.withdraw("ada")
    open_writer.withdraw("nobody")
    assert len(log(assignment)) == 2
    assert [student.id for student in open_writer.book.students] == ["ada"]


def test_an_assignment_that_was_never_released_is_an_error(assignment):
    """Does the message say how the gradebook gets to know it?"""
    with (
        pytest.raises(CourseError, match=r"trees.*referee release trees"),
        writer.opened(assignment._replace(name="trees")),
    ):
        pass


@pytest.fixture
def url(template: bytes, tmp_path: Path) -> str:
    """A gradebook of the test's own, with a submission of ada's."""
    (tmp_path / "own.db").write_bytes(template)
    save(url := f"sqlite:///{tmp_path}/own.db", dict.fromkeys(SCORES), make=True)
    return url


def save(url: str, scores: gradebook.Scores, *more: set[str], make: bool = False) -> None:
    """Enter ada's marks."""
    with gradebook.opened(url) as book, gradebook.submission(book, "sums", "ada", make=make) as row:
        gradebook.fill(row, scores, *more)


def mark(url: str, name: str, **values: Any) -> None:
    """Change a mark of ada's as formgrader would."""
    with gradebook.opened(url) as book, gradebook.submission(book, "sums", "ada") as row:
        (grade,) = (grade for grade in row.grades if grade.name == name)
        for field, value in values.items():
            setattr(grade, field, value)


def rows(url: str) -> dict[str, tuple[Any, ...]]:
    """Return automatic score, score by hand, and whether a human must look, for each cell."""
    with gradebook.opened(url) as book:
        notebook = book.find_submission_notebook("sums", "sums", "ada")
        return {
            grade.name: (grade.auto_score, grade.manual_score, bool(grade.needs_manual_grade))
            for grade in notebook.grades
        }


# --- marks by hand, and one transaction ------------------------------------------------------


def test_a_mark_given_by_hand_is_kept_and_flagged(url):
    """Does a regrade leave a human's mark alone, and ask the human to look again?"""
    save(url, SCORES)
    mark(url, "test_g", manual_score=2.5, needs_manual_grade=False)
    mark(url, "essay", manual_score=4.0, extra_credit=1.0, needs_manual_grade=False)
    save(url, dict.fromkeys(SCORES))
    save(url, SCORES | {"test_g": 1.0})
    assert rows(url) == {
        "test_f": (3.0, None, False),
        "test_g": (1.0, 2.5, True),
        "test_h": (0.0, None, False),
        "essay": (None, 4.0, True),
    }
    with gradebook.opened(url) as book:
        assert book.find_submission("sums", "ada").score == 3.0 + 2.5 + 0.0 + 4.0 + 1.0


@pytest.mark.parametrize(
    ("same", "auto", "flag"), [(True, 1.0, False), (False, 1.0, True), (True, 2.0, True)]
)
def test_what_a_human_saw_is_not_flagged_again(url, same, auto, flag):
    """Is a human asked again only about another answer, or another automatic mark?"""
    save(url, SCORES | {"test_g": 1.0})
    for name in ("test_g", "essay"):
        mark(url, name, manual_score=2.5, needs_manual_grade=False)
    names = {"test_g", "essay", "test_f"} if same else set[str]()
    save(url, SCORES | {"test_g": auto, "test_f": 0.0}, set(), names)
    assert rows(url)["test_g"] == (auto, 2.5, flag)
    assert rows(url)["essay"] == (None, 2.5, not same)
    assert rows(url)["test_f"] == (0.0, None, False)


def test_an_answer_as_released_is_commented_and_a_humans_comment_is_kept(url):
    """Does an empty cell say so, until there is something in it?"""
    for unanswered, said in (({"f", "of no cell"}, "No response."), (set(), None)):
        with gradebook.opened(url) as book, gradebook.submission(book, "sums", "ada") as row:
            for comment in row.comments:
                comment.manual_comment = f"Look at {comment.name} again."
            gradebook.fill(row, SCORES, unanswered)
            found = {one.name: (one.auto_comment, one.manual_comment) for one in row.comments}
        assert found["f"] == (said, "Look at f again.")
        assert found["g"] == (None, "Look at g again.")


@pytest.mark.parametrize(
    ("assignment", "student"), [("sums", "eve"), ("trees", "ada"), ("trees", "eve")]
)
def test_an_unknown_submission_raises_and_makes_no_row(url, assignment, student):
    """Is a name that the gradebook does not know an error, and not a new row?"""
    with gradebook.opened(url) as book:
        with (
            pytest.raises(MissingEntry),
            gradebook.submission(book, assignment, student) as row,
        ):
            gradebook.fill(row, SCORES)
        assert [student.id for student in book.students] == ["ada"]
        assert len(book.assignment_submissions("sums")) == 1


def test_each_submission_is_one_transaction(url):
    """Does somebody who reads meanwhile see one change for a reset and one for a save?"""
    file = Path(url.removeprefix("sqlite:///"))

    def commits() -> int:
        """Read SQLite's count of transactions from the header of the file."""
        return int.from_bytes(file.read_bytes()[24:28], "big")

    save(url, SCORES)
    before = commits()
    save(url, dict.fromkeys(SCORES))
    between = commits()
    save(url, SCORES, {"f"})
    assert (between - before, commits() - between) == (1, 1)


def test_the_standings_are_what_the_gradebook_says(open_writer):
    """Are all automatic marks there, open ones as None, with how late each submission is?"""
    write(open_writer, timestamp=LATE)
    write(open_writer, "bob", SCORES | {"essay": 2.0})
    open_writer.book.add_assignment("trees")
    open_writer.book.add_student("eve")
    found = standings.read(open_writer.book.db, "sums")
    assert standings.read(open_writer.book.db, "trees") == {}
    assert found == {
        "ada": standings.Standing(
            SCORES, 3600, {}, {}, {"sums": 3.5}, {"essay": standings.NO_MARK},
            DUE + datetime.timedelta(hours=1),
        ),
        "bob": standings.Standing(
            SCORES | {"essay": 2.0}, 0.0, timestamp=DUE - datetime.timedelta(hours=1)
        ),
    }  # fmt: skip
    assert [standing.total for standing in found.values()] == [3.5, 5.5]


def test_a_cell_that_waits_says_why(url):
    """Is a mark by hand that the automatic one has overtaken told, with both numbers?"""
    save(url, SCORES)
    for name in ("test_g", "test_h"):
        mark(url, name, manual_score=1.0, needs_manual_grade=False)
    save(url, SCORES | {"test_f": None, "test_g": 2.5})
    with gradebook.opened(url) as book:
        found = standings.read(book.db, "sums")["ada"]
    assert found.waiting == {
        "test_f": standings.NO_MARK,
        "essay": standings.NO_MARK,
        "test_g": "1 by hand is below 2.5, which it would have without",
        "test_h": "answer or points have changed since it got 1 by hand",
    }
    assert [one.partition(":")[0] for one in found.questions] == [
        "test_g waits for your mark", "test_h waits for your mark"
    ]  # fmt: skip


def test_a_gradebook_that_is_made_here_is_private(tmp_path):
    """Is a new gradebook the grader's alone, and one that was there as it was?"""
    file = tmp_path / "new.db"
    for mode in (0o600, 0o660):
        with gradebook.opened(f"sqlite:///{file}?timeout=60"):
            assert file.stat().st_mode & 0o777 == mode
        file.chmod(0o660)


# --- time stamps -----------------------------------------------------------------------------


def test_a_time_stamp_may_begin_with_a_mark_and_end_with_a_line(tmp_path):
    """Is it the moment that nbgrader reads, which guesses at other forms?"""
    (tmp_path / "timestamp.txt").write_text("\ufeff2026-03-01 14:00 Europe/Berlin\n", "utf-8")
    stamp, timeless = intake.time_stamp(tmp_path)
    assert (parse_utc(stamp), timeless) == (DUE + datetime.timedelta(hours=1), None)


@pytest.mark.parametrize(
    ("stamp", "said"),
    [
        (b"", "an empty file is no time"),
        (b"\xff\xfe", "no text"),
        (b"9" * 400, "is no time"),
        (b"soon\n\n<b>", r"'soon\\n\\n<b>' is no time"),
        (b"2026-03-01 12:30:00.000000 CET", "time zone .*c.Exchange.timestamp_format = '.* %z'"),
        (None, "no file"),
    ],
    ids=["empty", "bytes", "large", "lines", "no zone", "a link"],
)
def test_a_stamp_that_says_no_time_is_told(tmp_path, stamp, said):
    """Is there no time then, and does the report say why?"""
    (tmp_path / "sums.ipynb").write_bytes(NOTEBOOK)
    if stamp is None:
        (tmp_path / "timestamp.txt").symlink_to(tmp_path / "sums.ipynb")
    else:
        (tmp_path / "timestamp.txt").write_bytes(stamp)
    handed_in = intake.collect(tmp_path, "sums.ipynb")
    assert handed_in.timestamp is None
    accepted = choose(handed_in, "sums.ipynb", intake.parse(NOTEBOOK))
    assert accepted is not None
    (sentence,) = (repair for repair in accepted.repairs if "time stamp" in repair)
    assert re.fullmatch(f"the time stamp does not count: .*{said}.*", sentence)
