"""Ask whether a submission is written whole or not at all, where stock nbgrader looks for it.

A small course whose gradebook nbgrader has made, and a writer on it; what is written is what a
judge could have found. Marks by hand are a human's.
"""

import datetime
import getpass
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
import reports
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.utils import parse_utc
from sqlalchemy import text

from referee import intake
from referee.course import Assignment, Course, CourseError
from referee.intake.folder import choose
from referee.judging import digests
from referee.marks import entries, grade_log, gradebook, standings
from referee.marks.writer import Writer, opened
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
ANSWERS = dict.fromkeys(SCORES, "as before")
FOLDER = {
    "sums.ipynb": NOTEBOOK,
    "tools.py": b"# tools",
    "drawing/boards.py": b"# boards",
    "picture.svg": b"<svg/>",
    "timestamp.txt": IN_TIME.encode(),
}


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
        "source/sums/picture.svg": FOLDER["picture.svg"],
        "release/sums/sums.ipynb": b"the release",
        "release/sums/tools.py": FOLDER["tools.py"],
        "release/sums/drawing/boards.py": FOLDER["drawing/boards.py"],
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return Assignment("sums", Course(tmp_path))


@pytest.fixture
def writer(assignment: Assignment) -> Iterator[Writer]:
    with opened(assignment) as writer:
        yield writer


def write(
    writer: Writer,
    scores: dict[str, float | None] = SCORES,
    student: str = "ada",
    notebook: bytes = NOTEBOOK,
    submission: str = "s",
    timestamp: str | None = IN_TIME,
    **found: Any,
) -> None:
    """Write what a judge has found of a submission."""
    marks = [
        CellMark(name, name.removeprefix("test_"), score, 3.0, needs_manual_grade=score is None)
        for name, score in scores.items()
    ]
    report = reports.report(score=sum(filter(None, scores.values())), max_score=6.0, cells=marks)
    how = submission, "the course", "b", "now", [], report, timestamp
    writer.write(Record(student, *how, notebook=digests.digest(notebook), **found), notebook)


def mark(writer: Writer, name: str, **values: Any) -> None:
    """Change a mark of ada's as formgrader would."""
    with gradebook.submission(writer.book, "sums", "ada") as row:
        (grade,) = (grade for grade in row.grades if grade.name == name)
        for field, value in values.items():
            setattr(grade, field, value)


def files(assignment: Assignment) -> dict[str, bytes]:
    folder = assignment.root / "autograded" / "ada" / "sums"
    found = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in found}


def row(writer: Writer) -> Any:
    writer.book.db.expire_all()
    return writer.book.find_submission_notebook("sums", "sums", "ada")


def rows(writer: Writer) -> dict[str, tuple[Any, ...]]:
    """Return automatic score, score by hand, and whether a human must look, for each cell."""
    return {
        grade.name: (grade.auto_score, grade.manual_score, bool(grade.needs_manual_grade))
        for grade in row(writer).grades
    }


def standing(writer: Writer) -> standings.Standing:
    writer.book.db.expire_all()
    return standings.read(writer.book.db, "sums")["ada"]


def log(assignment: Assignment) -> list[dict[str, Any]]:
    return [one for one, _ in grade_log.lines(assignment.root)]


def test_a_submission_is_written_to_every_place(assignment, writer):
    """Are folder, gradebook, log and record the same submission's?"""
    before = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    write(writer)
    assert files(assignment) == FOLDER
    (record,) = entries.get(assignment.root, "sums").values()
    assert writer.has(record) and record.report.scores == SCORES
    assert standing(writer) == standing(writer)._replace(scores=SCORES, seconds_late=0.0)
    assert standing(writer).timestamp == datetime.datetime(2026, 3, 1, 11, 0)
    (line,) = log(assignment)
    when = datetime.datetime.strptime(line.pop("when"), "%Y-%m-%d %H:%M:%S UTC")
    now = datetime.datetime.now(datetime.UTC)
    assert before <= when.replace(tzinfo=datetime.UTC) <= now
    assert line == {
        "who": getpass.getuser(), "assignment": "sums", "student": "ada",
        "old": {"test_f": None, "test_g": None, "test_h": None},
        "new": {"test_f": 3.0, "test_g": 0.5, "test_h": 0.0},
        "course": "the course", "submission": "s", "handed_in": IN_TIME,
    }  # fmt: skip


def test_an_error_of_the_database_is_one_sentence(writer, caplog):
    """Is nothing of the traceback said that nbgrader would print?"""
    writer.book.db.execute(text("pragma query_only = on"))
    caplog.set_level(logging.WARNING, "traitlets")  # which earlier tests may have set lower
    with pytest.raises(
        CourseError, match=r"gradebook cannot be used \(attempt to write a readonly"
    ):
        write(writer)
    assert caplog.records == []


def test_a_line_that_cannot_be_read_stands_in_nobodys_way(assignment, writer):
    """Are the others read, also after half a line of a killed grader, and is it there still?"""
    (assignment.root / grade_log.FILE).write_bytes(b"{half\n")
    write(writer)
    with (assignment.root / grade_log.FILE).open("ab") as file:
        file.write(b'{"when":"20')
    for score in 1.0, 2.0:
        write(writer, SCORES | {"test_f": score})
    changes = grade_log.changes(assignment.root, "sums")
    assert [one.new["test_f"] for one in changes] == [3.0, 1.0, 2.0]
    assert [one.get("student") for one in log(assignment)] == [None, "ada", None, "ada", "ada"]


@pytest.mark.parametrize(
    "changed",
    [
        {"test_g": (0.5, 1.0)},
        {"test_f": (3.0, None)},
        {"test_f": (3.0, 0.0), "essay": (None, 0.0)},
    ],
    ids=["more", "left to a human", "nothing is not zero"],
)
def test_a_line_has_the_cells_that_change(assignment, writer, changed):
    """Is there nothing in a line of cells that stay, both marks of others, and else no line?"""
    write(writer, dict.fromkeys(SCORES))
    assert log(assignment) == []
    for _ in range(2):
        write(writer)
    new = {cell: pair[1] for cell, pair in changed.items()}
    write(writer, SCORES | new, submission="another")
    _, line = log(assignment)
    assert line["old"] == {cell: pair[0] for cell, pair in changed.items()}
    assert line["new"] == new


def test_what_was_in_the_folder_before_is_gone(assignment, writer):
    """Is a file or a folder of an older grading not taken for one of this, or a link followed?"""
    write(writer)
    folder, elsewhere = assignment.root / "autograded/ada/sums", assignment.root / "elsewhere"
    elsewhere.touch()
    (folder / "tools.py").unlink()
    (folder / "tools.py").symlink_to(elsewhere)
    (folder / "deep").mkdir()
    for place in "old.csv", "deep/old.csv", "drawing/old.csv":
        (folder / place).touch()
    (folder / "link").symlink_to(folder / "drawing")
    write(writer, notebook=NOTEBOOK + b"\n", timestamp=None)
    left = {name: content for name, content in FOLDER.items() if name != "timestamp.txt"}
    assert files(assignment) == left | {"sums.ipynb": NOTEBOOK + b"\n"}
    assert not (folder / "deep").exists() and not (folder / "link").is_symlink()
    assert elsewhere.read_bytes() == b""


@pytest.mark.parametrize(
    "scores",
    [{"test_f": 1.0, "test_g": 1.0}, SCORES | {"test_of_another_release": 1.0}, {}],
    ids=["one missing", "one too many", "none"],
)
def test_a_failure_in_the_middle_leaves_the_old_marks(assignment, writer, scores):
    """When the marks do not fit the gradebook, are marks, time, log and record those of before?"""
    write(writer)
    before = standing(writer), log(assignment), entries.get(assignment.root, "sums")
    with pytest.raises(CourseError):
        write(writer, scores, timestamp=LATE)
    assert (standing(writer), log(assignment), entries.get(assignment.root, "sums")) == before
    with pytest.raises(CourseError):
        write(writer, scores, "eve")
    assert "eve" not in standings.read(writer.book.db, "sums")
    write(writer, SCORES | {"test_g": 1.0})
    assert standing(writer).scores == SCORES | {"test_g": 1.0}


def test_what_is_late_loses_what_the_course_says(assignment, writer):
    """With `penalty_method = "zero"`, is nothing left of a late submission, as in nbgrader?

    Of the score of now, not of the one before; and all of it is back when it is in time.
    """
    for scores, points in (SCORES, 3.5), (SCORES | {"test_g": 3.0}, 6.0):
        write(writer, scores, timestamp=LATE)
        assert row(writer).late_submission_penalty == row(writer).score == points
        assert standing(writer).seconds_late == 3600
    write(writer)
    assert (row(writer).late_submission_penalty, row(writer).score) == (None, 3.5)
    assert entries.get(assignment.root, "sums")["ada"].seconds_late == 0


def test_marks_are_taken_back(assignment, writer):
    """Has a student for whom there is nothing to grade no marks, a line in the log, no record?"""
    write(writer)
    writer.withdraw("ada")
    assert standing(writer).scores == dict.fromkeys(SCORES)
    assert entries.get(assignment.root, "sums") == {}
    first, second = log(assignment)
    assert (second["old"], second["new"]) == (first["new"], dict.fromkeys(first["new"]))
    writer.withdraw("ada")
    writer.withdraw("nobody")
    assert len(log(assignment)) == 2
    assert [student.id for student in writer.book.students] == ["ada"]  # no row was made


def test_a_gradebook_that_does_not_know_an_assignment_is_an_error(assignment, writer):
    """Does the message say how it gets to know it, or whose marks the right one should have?

    Is a file that is no database told, too?
    """
    trees = assignment._replace(name="trees")
    with pytest.raises(CourseError, match=r"trees.*referee release trees"), opened(trees):
        pass
    write(writer)
    entries.rename(assignment.root, "sums", "trees")
    with pytest.raises(CourseError, match=r"trees.* 1 student \(ada\) .*db_url"), opened(trees):
        pass
    (broken := assignment.root / "broken.db").write_bytes(b"no database, and long enough\n" * 100)
    with pytest.raises(CourseError, match="db_url"), gradebook.opened(f"sqlite:///{broken}"):
        pass


def test_a_mark_given_by_hand_is_kept_and_flagged(writer):
    """Does a regrade leave a human's mark alone, and ask the human to look again?"""
    write(writer)
    mark(writer, "test_g", manual_score=2.5, needs_manual_grade=False)
    mark(writer, "essay", manual_score=4.0, extra_credit=1.0, needs_manual_grade=False)
    writer.withdraw("ada")
    write(writer, SCORES | {"test_g": 1.0})
    assert rows(writer) == {
        "test_f": (3.0, None, False),
        "test_g": (1.0, 2.5, True),
        "test_h": (0.0, None, False),
        "essay": (None, 4.0, True),
    }
    assert row(writer).score == 3.0 + 2.5 + 0.0 + 4.0 + 1.0


@pytest.mark.parametrize(
    ("submission", "answers", "auto", "flag"),
    [
        ("s", {}, 1.0, False),  # what belongs to an answer may be told otherwise by now
        ("another", ANSWERS, 1.0, False),
        ("another", ANSWERS, 2.0, True),
        ("another", ANSWERS | {"test_g": "mended", "essay": "mended"}, 1.0, True),
    ],
)
def test_what_a_human_saw_is_not_flagged_again(writer, submission, answers, auto, flag):
    """Is a human asked again only about another answer, or another automatic mark?"""
    write(writer, SCORES | {"test_g": 1.0}, answers=ANSWERS)
    for name in ("test_g", "essay"):
        mark(writer, name, manual_score=2.5, needs_manual_grade=False)
    now = SCORES | {"test_g": auto, "test_f": 0.0}
    write(writer, now, submission=submission, answers=dict.fromkeys(SCORES, "") | answers)
    assert rows(writer)["test_g"] == (auto, 2.5, flag)
    assert rows(writer)["essay"] == (None, 2.5, answers.get("essay") == "mended")
    assert rows(writer)["test_f"] == (0.0, None, False)


def test_an_answer_as_released_is_commented_and_a_humans_comment_is_kept(writer):
    """Does an empty cell say so, until there is something in it?"""
    for unanswered, said in (({"f", "of no cell"}, "No response."), (set(), None)):
        write(writer, unanswered=unanswered)
        for comment in row(writer).comments:
            assert comment.auto_comment == (said if comment.name == "f" else None)
            assert comment.manual_comment == (None if said else f"Look at {comment.name} again.")
            comment.manual_comment = f"Look at {comment.name} again."
        writer.book.db.commit()


def test_each_submission_is_one_transaction(assignment, writer):
    """Does somebody who reads meanwhile see one change for each, and what is taken back in one?"""

    def commits() -> int:
        """Read SQLite's count of transactions from the header of the file."""
        return int.from_bytes((assignment.root / "gradebook.db").read_bytes()[24:28], "big")

    counts = [commits()]
    for change in write, lambda writer: writer.withdraw("ada"), write:
        change(writer)
        counts.append(commits() - sum(counts))
    assert counts[1:] == [1, 1, 1]


def test_the_standings_are_what_the_gradebook_says(writer):
    """Are all automatic marks there, open ones as None, with how late each submission is?

    Of a notebook without marks there is nothing, and of one of several nothing else.
    """
    writer.book.add_notebook("without", "sums")
    writer.book.add_notebook("with", "sums")
    writer.book.add_grade_cell("test_i", "with", "sums", max_score=3, cell_type="code")
    write(writer, timestamp=LATE)
    write(writer, SCORES | {"essay": 2.0}, "bob")
    writer.book.add_assignment("trees")
    writer.book.add_student("eve")
    found = standings.read(writer.book.db, "sums/sums")
    names = {"with/test_i", *(f"sums/{cell}" for cell in SCORES)}
    assert standings.read(writer.book.db, "sums")["bob"].scores.keys() == names
    assert standings.read(writer.book.db, "trees") == {}
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


def test_a_cell_that_waits_says_why(writer):
    """Is a mark by hand that the automatic one has overtaken told, with both numbers?"""
    write(writer)
    for name in ("test_g", "test_h"):
        mark(writer, name, manual_score=1.0, needs_manual_grade=False)
    write(writer, SCORES | {"test_f": None, "test_g": 2.5}, submission="another")
    found = standing(writer)
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


@pytest.mark.parametrize(
    ("stamp", "said"),
    [
        (b"", "an empty file is no time"),
        (b"\xff\xfe", "no text"),
        (b"9" * 400, "is no time"),
        (b"soon\n\n<b>", r"'soon\\n\\n<b>' is no time"),
        (b"2026-03-01 12:30:00.000000 CET", "time zone .*c.Exchange.timestamp_format = '.* %z'"),
        (None, "no file"),
        ("\ufeff2026-03-01 14:00 Europe/Berlin\n".encode(), ""),
    ],
    ids=["empty", "bytes", "large", "lines", "no zone", "a link", "a time"],
)
def test_a_stamp_that_says_no_time_is_told(tmp_path, stamp, said):
    """Is there no time then, and does the report say why?

    One may begin with a mark and end with a line; it is the moment that nbgrader reads, which
    guesses at other forms.
    """
    (tmp_path / "sums.ipynb").write_bytes(NOTEBOOK)
    if stamp is None:
        (tmp_path / "timestamp.txt").symlink_to(tmp_path / "sums.ipynb")
    else:
        (tmp_path / "timestamp.txt").write_bytes(stamp)
    handed_in = intake.collect(tmp_path, "sums.ipynb")
    moment = handed_in.timestamp and parse_utc(handed_in.timestamp)
    assert moment == (None if said else DUE + datetime.timedelta(hours=1))
    accepted = choose(handed_in, "sums.ipynb", intake.parse(NOTEBOOK))
    assert accepted is not None
    told = " ".join(repair for repair in accepted.repairs if "time stamp" in repair)
    assert re.fullmatch(f"the time stamp does not count: .*{said}.*" if said else "", told)
