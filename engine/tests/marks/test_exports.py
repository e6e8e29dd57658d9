"""Ask whether marks leave the gradebook whole, in the columns that other programs document.

The gradebook is a real one, made with nbgrader's own functions; its students have names that break
a careless table. Each table is read back with the csv module.
"""

import csv
import datetime
import io
import shutil
from pathlib import Path

import pytest
import reports
import small_course as small
from formgrading import run

from referee.course import CourseError
from referee.marks import entries, exports, files, gradebook
from referee.model import CheckResult, Record, Verdict

NAME = "sums"
DUE = datetime.datetime(2026, 3, 1, 12)
PEOPLE = {  # id: first name, last name, email, LMS id
    "ada": ("Ada, Countess", 'of "Lovelace"', "ada@example.org", "4711"),
    "bär": ("Jörg\nJürgen", "Müßig-Ćwik", "jörg@example.org", None),
    "cleo": ("=1+1", "@SUM(A1)", "+cleo@example.org", None),
    "dora": (None, None, None, None),
    "emil": ("Emil", "Absent", None, "12"),
}
MARKS = {  # id: f by machine and by hand, essay by hand, seconds late, penalty
    "ada": (3.0, None, 4.0, 0, None),
    "bär": (1.0, 2.5, 1.3333, 90_000, 1.0),
    "cleo": (0.0, None, 0.0, 1, 5.0),
    "dora": (2.0, None, None, -60, None),
}


def rows(content: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content, newline="")))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with the marks above, one of the students unmarked and one without a submission."""
    root = tmp_path_factory.mktemp("course")
    settings = (small.COURSE / "nbgrader_config.py").read_text("utf-8")
    titles = f'\nc.Canvas.titles = {{"{NAME}": "Sums (99)"}}\n'  # as Canvas calls it
    (root / "nbgrader_config.py").write_text(settings + titles, "utf-8")
    for name in (NAME, "later"):
        (root / "tests/hidden" / name).mkdir(parents=True)
        (root / "release" / name).mkdir(parents=True)
        (root / "release" / name / f"{name}.ipynb").touch()
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        book.add_assignment("later")
        book.add_notebook("later", "later")
        book.add_grade_cell("score", "later", "later", max_score=9, cell_type="code")
        book.add_assignment(NAME, duedate=DUE)
        book.add_notebook(NAME, NAME)
        book.add_grade_cell("test_f", NAME, NAME, max_score=3, cell_type="code")
        book.add_task_cell("essay", NAME, NAME, max_score=4, cell_type="markdown")
        for name, (first, last, email, lms) in PEOPLE.items():
            book.add_student(name, first_name=first, last_name=last, email=email, lms_user_id=lms)
        for name, (machine, hand, essay, late, penalty) in MARKS.items():
            submission = book.add_submission(NAME, name)
            submission.timestamp = DUE + datetime.timedelta(seconds=late)
            (notebook,) = submission.notebooks
            notebook.late_submission_penalty = penalty
            grades = {grade.name: grade for grade in notebook.grades}
            grades["test_f"].auto_score, grades["test_f"].manual_score = machine, hand
            grades["essay"].manual_score = essay
            for grade in grades.values():  # as formgrader's page does
                grade.needs_manual_grade = grade.auto_score is grade.manual_score is None
            grades["test_f"].extra_credit = 0.5 if name == "ada" else None
        book.db.commit()
    one = "test_f.py::test_one", "f", 'It adds, "always"', Verdict.PASS, 1, 1, ""
    two = "test_f.py::test_two", "f", "-1 is a number", Verdict.WRONG, 0, 2, "=no"
    checks = [CheckResult(*values, details="secret") for values in (one, two)]
    for student in MARKS:
        entries.put(root, NAME, Record(student, "", "", "", "", [], reports.report(checks=checks)))
    return root


def exported(root: Path, table: str) -> str:
    """Export through the command line, in this process."""
    file = root / f"{table}.out"
    said = run(root, "referee", "return", NAME, "--table", table, "--to", file.name)
    left_out = "Left out, since a cell waits for a mark by hand: dora." in said
    assert left_out == (table in IMPORTS)
    content = file.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf") == (table not in IMPORTS)
    return content.decode("utf-8-sig")


SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@pytest.mark.parametrize(
    ("written", "safe"),
    [
        *((f"{sign}1", f"'{sign}1") for sign in SIGNS),
        (" =1+1", "' =1+1"),
        ("\ufeff=1+1", "'\ufeff=1+1"),
        ("\u200b\u00a0 @SUM(A1)", "'\u200b\u00a0 @SUM(A1)"),
        ("x;=1+1", "x;'=1+1"),
        ("x; =1+1;-2", "x;' =1+1;'-2"),
        ("x|+1", "x|'+1"),
        ("x\n=1+1", "x\n'=1+1"),
        ("x\t=1+1", "x\t'=1+1"),
        ("\x00=1", "'\x00=1"),
        ("a=b", "a=b"),
        ("Anna-Lena; Bo", "Anna-Lena; Bo"),
    ],
)
def test_no_part_of_a_text_begins_like_a_formula(written, safe):
    """Is what cannot be seen no disguise, and no other sign that divides fields a way in?"""
    assert rows(exports.as_csv([[written, "1"]]).decode("utf-8")) == [[safe, "1"]]
    assert exports.as_csv([[-1, -0.5, 1 / 3, None]]) == b"-1,-0.5,0.3333,\r\n"


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    """Does the older file stay when the new one cannot be written, and nothing else?

    Does a file that is a link, as /dev/stdout is, stay one, as readable as it was, and is
    /dev/null still a device?
    """
    file, link = tmp_path / "grades.csv", tmp_path / "link"
    files.save(file, b"old")
    file.chmod(0o640)
    with pytest.raises(TypeError):
        files.save(file, None)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("grades.csv", b"old")]
    link.symlink_to(file.name)
    files.save(link, b"new")
    assert link.is_symlink() and file.read_bytes() == b"new"
    assert file.stat().st_mode & 0o777 == 0o640
    files.save(Path("/dev/null"), b"x")
    assert Path("/dev/null").is_char_device()


def test_a_row_says_what_nbgraders_table_would_and_what_a_zero_means(root):
    """Is a score that by hand before the automatic one, with extra credit, the sum less the penalty
    and never below zero, and a day late as soon as it has begun?

    Nothing handed in, and nothing marked yet, is told from no points.
    """
    head, *lines = rows(exported(root, "cells"))
    assert head == [*exports.Cells.columns, "test_f", "max test_f", "essay", "max essay"]
    found = {row["student_id"]: row for row in (dict(zip(head, one, strict=True)) for one in lines)}
    numbers = "raw_score", "score", "seconds_late"
    told = {
        name: (
            row["test_f"], row["essay"], *(float(row[of]) for of in numbers), row["days_late"],
            row["status"],
        )
        for name, row in found.items()
    }  # fmt: skip
    assert told == {
        "ada": ("3.5", "4.0", 7.5, 7.5, 0, "0", "marked"),
        "bär": ("2.5", "1.3333", 3.8333, 2.8333, 90_000, "2", "marked"),
        "cleo": ("0.0", "0.0", 0, 0, 1, "1", "marked"),
        "dora": ("2.0", "", 2, 2, 0, "0", "unmarked"),
        "emil": ("", "", 0, 0, 0, "0", "missing"),
    }
    assert {(row["max test_f"], row["max essay"]) for row in found.values()} == {("3.0", "4.0")}
    assert found["bär"]["late_submission_penalty"] == "1.0"


def test_a_cell_called_like_a_column_has_its_notebooks_name(root):
    """Is there one column "score", although a cell of an assignment is called that?"""
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        header, *lines = exports.Cells(root=str(root)).table(book)
    assert len(header) == len(set(header))
    assert "later/score" in header
    assert len(lines) == 2 * len(PEOPLE)


def test_checks_has_a_row_for_each_check_and_no_secrets(root):
    """Are verdict and points of each check there, without what only we may see?"""
    text = exported(root, "checks")
    head, first, second, *others = rows(text)
    assert head == [
        "assignment", "student", "cell", "check", "title", "verdict", "points", "max_points",
    ]  # fmt: skip
    assert [row[1] for row in (first, second, *others)] == [n for n in MARKS for _ in range(2)]
    assert first == [
        NAME, "ada", "f", "test_f.py::test_one", 'It adds, "always"', "pass", "1.0", "1.0"
    ]  # fmt: skip
    assert second[-4:] == ["'-1 is a number", "wrong", "0.0", "2.0"]
    assert "secret" not in text


IMPORTS = {
    "canvas": [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Sums (99)"],
        ["    Points Possible", "", "", "", "", "7.0"],
        ['of "Lovelace", Ada, Countess', "4711", "", "ada", "", "7.5"],
        ["Müßig-Ćwik, Jörg Jürgen", "", "", "bär", "", "2.8333"],
        ["'@SUM(A1), =1+1", "", "", "cleo", "", "0.0"],
    ],
    "moodle": [
        ["First name", "Last name", "ID number", "Email address", NAME],
        ["Ada, Countess", 'of "Lovelace"', "ada", "ada@example.org", "7.5"],
        ["Jörg Jürgen", "Müßig-Ćwik", "bär", "jörg@example.org", "2.8333"],
        ["'=1+1", "'@SUM(A1)", "cleo", "'+cleo@example.org", "0.0"],
    ],
}


@pytest.mark.parametrize("table", IMPORTS)
def test_a_platform_gets_the_columns_of_its_own_export(root, table):
    """Are there all whose score is finished, and the others left as the platform has them?

    Does the configuration say how Canvas calls an assignment?
    """
    assert rows(exported(root, table)) == IMPORTS[table]


def test_nbgrader_export_writes_the_same_table(root):
    """Does nbgrader's own command, with the exporter named, give what ours gives?"""
    options = ["--exporter=referee.marks.exports.Cells", "--to=nbgrader.csv"]
    run(root, "nbgrader", "export", *options, f"--assignment=['{NAME}']")
    table = (root / "nbgrader.csv").read_bytes().decode("utf-8-sig")
    assert table == exported(root, "cells")


def test_where_nothing_is_graded_is_said_what_to_run(root, tmp_path):
    """Is there a message, and no empty table, also when the results by check are gone?"""
    command = "referee", "return", "later", "--table", "cells"
    said = run(root, *command, "--to", "later.csv", status=2)
    assert "nothing of later was graded yet; run `referee grade later`" in said
    assert not (root / "later.csv").exists()
    course = shutil.copytree(root, tmp_path / "x", ignore=shutil.ignore_patterns(".referee"))
    with (
        gradebook.opened(f"sqlite:///{root}/gradebook.db") as book,
        pytest.raises(CourseError, match="run `referee grade` first"),
    ):
        exports.Checks(root=str(course)).table(book)
