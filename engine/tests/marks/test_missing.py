"""Take away what marks were made with: is it a question, and does no mark change by it?"""

import errno
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
import small_course as small
from formgrading import rows
from small_course import NAME

from referee.judging import cache
from referee.marks import entries, gradebook
from referee.model import Verdict

MARKS = {"ada": 10.0, "bob": 6.0}


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A class of two that was graded, one of them wrong in one cell and marked by hand there."""
    root = small.make(tmp_path_factory.mktemp("template") / "course")
    small.hand_in(root, "ada")
    small.hand_in(root, "bob", square="def square(n):\n    return n * 3")
    small.grade(root)
    with gradebook.opened(f"sqlite:///{root / 'gradebook.db'}") as book:
        (grade,) = (
            one
            for one in book.find_submission_notebook(NAME, NAME, "bob").grades
            if one.name == "test_square"
        )
        grade.manual_score, grade.needs_manual_grade = 3.0, False
        book.db.commit()
    return root


@pytest.fixture
def root(template: Path, tmp_path: Path) -> Path:
    """The same class."""
    return Path(shutil.copytree(template, tmp_path / "course"))


def totals(root: Path) -> dict[str, float]:
    """Return the sums of the automatic marks that stand in the gradebook."""
    with gradebook.opened(f"sqlite:///{root / 'gradebook.db'}") as book:
        return {name: one.total for name, one in gradebook.standings(book, NAME).items()}


def flat(text: str) -> str:
    return " ".join(text.split())


def by_hand(root: Path) -> tuple[float | None, float | None, bool]:
    return rows(root, NAME)["bob"]["test_square"]


def lose_a_file(root: Path) -> None:
    (root / f"tests/hidden/{NAME}/test_square.py").unlink()


def lose_a_check(root: Path) -> None:
    file = root / f"tests/hidden/{NAME}/test_double.py"
    file.write_text(file.read_text().partition('@pytest.mark.check(cell="double", points=1')[0])


def rename_a_check(root: Path) -> None:
    file = root / f"tests/hidden/{NAME}/test_square.py"
    file.write_text(file.read_text().replace("def test_square", "def test_squares"))


def rename_a_file(root: Path) -> None:
    file = root / f"tests/hidden/{NAME}/test_square.py"
    file.rename(file.with_name("squares.py"))


def lose_the_results(root: Path) -> None:
    (root / cache.FILE).unlink()


def lose_the_folder_of_results(root: Path) -> None:
    shutil.rmtree((root / cache.FILE).parent)


def lose_the_secret(root: Path) -> None:
    (root / f"tests/hidden/{NAME}/seed.txt").unlink()


def lose_rows(root: Path) -> None:
    with gradebook.opened(f"sqlite:///{root / 'gradebook.db'}") as book:
        gradebook.remove(book, ["bob"])


LOSSES = {
    lose_a_file: "test_square.py::test_square is gone, but marks depend on it: 2 students (ada,",
    lose_a_check: "test_double.py::test_double_negative is gone, but marks depend on it: 2",
    rename_a_check: "test_square.py::test_square is gone, but marks depend on it: 2 students",
    rename_a_file: "test_square.py::test_square is gone, but marks depend on it: 2 students",
    lose_the_results: "results.db has lost all results",
    lose_the_folder_of_results: "results.db has lost all results",
    lose_the_secret: f"{NAME}/seed.txt is gone, but marks depend on it: 2 students (ada, bob)",
    lose_rows: "the gradebook has no marks any more that were entered there: 1 student (bob)",
}


@pytest.mark.parametrize("lose", LOSSES)
def test_what_is_gone_is_a_question(root: Path, lose) -> None:
    """Does the run end before anybody is judged, with what is gone, and what to do about it?"""
    lose(root)
    before, left = totals(root), rows(root, NAME)
    said = flat(small.grade(root, status=2))
    assert LOSSES[lose] in said
    assert f"`referee grade {NAME} --accept-removed`; no mark has changed" in said
    assert (totals(root), rows(root, NAME)) == (before, left)


@pytest.mark.parametrize("lose", LOSSES)
def test_what_is_meant_to_be_gone_is_said_once(root: Path, lose) -> None:
    """Does the class get its marks by what is left, as the sentence says, and is it then still?"""
    lose(root)
    small.grade(root, "--accept-removed")
    assert totals(root)["ada"] == 10.0
    assert by_hand(root)[1] == (None if lose is lose_rows else 3.0)
    small.grade(root)


def test_a_file_that_comes_back_is_no_question(root: Path) -> None:
    """Is all as before where the advice was followed?"""
    file = root / f"tests/hidden/{NAME}/test_square.py"
    content = file.read_bytes()
    lose_a_file(root)
    small.grade(root, status=2)
    file.write_bytes(content)
    small.grade(root)
    assert (totals(root), by_hand(root)) == (MARKS, (0.0, 3.0, False))


@pytest.mark.parametrize("options", [[], ["--never-lower"], ["--force"]])
def test_a_notebook_that_vanished_keeps_its_marks(root: Path, options: list[str]) -> None:
    """Is a file that is gone from its folder told, and are the others graded?"""
    (root / f"submitted/ada/{NAME}/{NAME}.ipynb").unlink()
    small.hand_in(root, "bob")
    said = flat(small.grade(root, *options, status=1))
    assert f"ada needs you: no notebook in submitted/ada/{NAME}; put it back, or take" in said
    assert "not graded, the marks are as before" in said
    assert totals(root) == {"ada": 10.0, "bob": 10.0}
    small.grade(root, "--accept-removed", status=1)
    assert totals(root) == {"ada": 0.0, "bob": 10.0}


def test_results_that_are_damaged_are_not_thrown_away(root: Path) -> None:
    """Is the file named and left as it is, and is the advice good?"""
    file = root / cache.FILE
    content = file.read_bytes()
    file.write_bytes(content[:100] + b"x" * 5000)
    damaged = file.read_bytes()
    said = flat(small.grade(root, status=2))
    assert f"{file} is damaged" in said and "put your last copy back" in said
    assert file.read_bytes() == damaged
    file.write_bytes(content)
    small.grade(root)
    assert by_hand(root) == (0.0, 3.0, False)
    file.rename(file.with_suffix(".old"))
    assert "each mark by hand be flagged: 2 students (ada, bob)" in flat(
        small.grade(root, status=2)
    )


def test_another_gradebook_is_told_by_what_is_known(root: Path) -> None:
    """Where the setting names none, or an empty one, is it said whose marks it should have?"""
    config = root / "nbgrader_config.py"
    right = config.read_text()
    with config.open("a") as file:
        file.write(f"c.CourseDirectory.db_url = 'sqlite:///{root}/gradebok.db'\n")
    said = flat(small.grade(root, status=2))
    assert (
        "gradebok.db does not know numbers, where results of 2 students (ada, bob) were entered"
        in said
    )
    assert "c.CourseDirectory.db_url" in said and "referee release" not in said
    (root / "gradebok.db").unlink(missing_ok=True)
    config.write_text(right)
    small.grade(root)
    assert (totals(root), by_hand(root)) == (MARKS, (0.0, 3.0, False))


def test_damaged_rows_of_one_student_stop_nobody_else(root: Path) -> None:
    """Is the one whose rows are damaged told, and are those after them graded?"""
    for student in MARKS:
        small.hand_in(root, student, double="def double(n):\n    return n + n")
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute(
            "delete from grade where notebook_id in (select s.id from submitted_notebook s join "
            "submitted_assignment a on s.assignment_id = a.id where a.student_id = 'ada') "
            "and cell_id in (select id from base_cell where name = 'test_square')"
        )
    said = flat(small.grade(root, status=1))
    assert "ada needs you: its rows in the gradebook are damaged" in said
    assert entries.get(root, NAME)["bob"].report.scores == {"test_double": 6.0, "test_square": 4.0}


def test_an_autograded_notebook_of_somebody_else_is_not_as_before(root: Path) -> None:
    """Is a notebook that was overwritten by another student's, or edited, written again?"""
    mine, other = (root / f"autograded/{name}/{NAME}/{NAME}.ipynb" for name in MARKS)
    content = mine.read_bytes()
    mine.chmod(0o644)
    mine.write_bytes(other.read_bytes())
    assert "1 entered, 1 as before" in small.grade(root)
    assert mine.read_bytes() == content


# --- what cannot be opened -----------------------------------------------------------------------

REFUSES = """
import os, sys
sys.path[:0] = {path!r}
from referee.doors import cli

def refuse(event, args, refused={refused!r}):
    if event in ("open", "os.listdir"):
        for place, number in refused.items():
            if os.fsdecode(str(args[0])).endswith(place):
                raise OSError(number, os.strerror(number), args[0])

sys.addaudithook(refuse)
sys.argv = ["referee", "grade", "numbers", "--workers", "1"]
cli.main()
"""
OWN = ("", f"/{NAME}.ipynb", "/timestamp.txt")  # in a student's folder
NUMBERS = {  # by student, the error of what lies in the student's folder
    "eve": errno.EIO, "fay": errno.ESTALE, "gus": errno.EACCES, "hal": errno.EPERM,
    "ivy": errno.ETIMEDOUT, "joe": errno.ENOENT,
}  # fmt: skip
EVERYBODYS = [
    *((number, f"submitted/ada/{NAME}/{NAME}.ipynb") for number in (
        errno.EMFILE, errno.ENFILE, errno.ENOMEM,
    )),
    *((errno.EIO, place) for place in (
        f"release/{NAME}/{NAME}.ipynb", f"source/{NAME}/{NAME}.ipynb", "grades.jsonl",
        f"tests/hidden/{NAME}/test_square.py", "nbgrader_config.py", "submitted",
    )),
]  # fmt: skip


@pytest.fixture(scope="module")
def crowded(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same class with six more, who have all points."""
    root = Path(shutil.copytree(template, tmp_path_factory.mktemp("crowded") / "course"))
    for name in NUMBERS:
        small.hand_in(root, name)
    small.grade(root)
    return root


def hand_in_again(root: Path, names: Iterable[str]) -> None:
    """Hand in another `double`, which is wrong."""
    for name in names:
        file = small.hand_in(root, name, double="def double(n):\n    return n + n + n")
        file.with_name("timestamp.txt").write_text("2026-01-01 00:00:00 UTC")


def refusing(root: Path, refused: dict[str, int]) -> tuple[int, str]:
    """Grade while paths that end so cannot be opened; return the exit code and what is said."""
    code = REFUSES.format(path=sys.path, refused=refused)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=small.environment(), capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    said = flat(done.stdout + done.stderr)
    assert ("Traceback" in said, "last-error" in said) == (False, False)
    return done.returncode, said


@pytest.mark.parametrize("place", OWN)
def test_what_cannot_be_opened_is_not_the_students_fault(
    crowded: Path, tmp_path: Path, place: str
) -> None:
    """Do those keep their marks whose file is not read, whatever the error, and only those?"""
    root = Path(shutil.copytree(crowded, tmp_path / "course"))
    hand_in_again(root, [*MARKS, *NUMBERS])
    numbers = dict(NUMBERS)
    if place == "/timestamp.txt":
        del numbers["joe"]  # a time stamp may be missing
    refused = {f"submitted/{name}/{NAME}{place}": number for name, number in numbers.items()}
    status, said = refusing(root, refused)
    assert (status, [path for path in refused if path not in said]) == (1, [])
    now = dict.fromkeys([*MARKS, *NUMBERS], 4.0) | dict.fromkeys(numbers, 10.0)
    assert totals(root) == now, said
    small.grade(root)
    assert totals(root) == dict.fromkeys([*MARKS, *NUMBERS], 4.0)


@pytest.mark.parametrize(("number", "place"), EVERYBODYS)
def test_what_concerns_all_is_nobodys_fault(root: Path, number: int, place: str) -> None:
    """Is nobody graded where the machine, or a file of the course, is what fails?"""
    hand_in_again(root, MARKS)
    status, said = refusing(root, {place: number})
    assert (status, place in said, totals(root)) == (2, True, MARKS), said
    small.grade(root)
    assert totals(root) == {"ada": 4.0, "bob": 4.0}


def test_checks_that_python_cannot_read_change_no_mark(root: Path) -> None:
    """Is it a sentence, and no mark, where the folder of a worker's checks cannot be listed?"""
    hand_in_again(root, MARKS)
    status, said = refusing(root, {f"tests/hidden/{NAME}": errno.ESTALE})
    assert status in (1, 2)
    assert "Stale file handle" in said
    assert totals(root) == MARKS


# --- what cannot be judged -----------------------------------------------------------------------


def test_what_cannot_be_judged_keeps_the_mark_that_is_there(root: Path) -> None:
    """Does a check that the reference fails take no mark away, and is the cell flagged?"""
    file = root / f"tests/hidden/{NAME}/test_square.py"
    right = file.read_text()
    file.write_text(right.replace("== 49", "== 48"))
    said = flat(small.grade(root, status=1))
    assert "Suspended, since the reference solution does not pass" in said
    assert totals(root) == MARKS
    assert rows(root, NAME)["ada"]["test_square"] == (4.0, None, True)
    small.hand_in(root, "ada", square="def square(n):\n    return n ** 2")
    small.grade(root, status=1)  # another answer, about which nothing is known
    assert rows(root, NAME)["ada"]["test_square"] == (None, None, True)
    file.write_text(right)
    small.grade(root)
    assert totals(root) == MARKS


def test_marks_of_stock_nbgrader_stay_where_a_check_is_suspended(root: Path) -> None:
    """Is a mark that came from elsewhere kept, and flagged, where nothing can be said of it?"""
    file = root / f"tests/hidden/{NAME}/test_square.py"
    file.write_text(file.read_text().replace("== 49", "== 48"))
    shutil.rmtree((root / cache.FILE).parent)
    (root / "grades.jsonl").unlink()
    small.grade(root, status=1)
    assert rows(root, NAME)["ada"]["test_square"] == (4.0, None, True)


# --- the reference -------------------------------------------------------------------------------

KILLER = """
import os, signal, pytest

@pytest.fixture(autouse=True)
def killed(student, request):
    process = student._process
    if hasattr(process, "pid") and "test_double" == request.node.name:
        os.kill(process.pid, signal.SIGKILL)
"""


def test_an_accident_to_the_reference_is_no_wrong_check(root: Path) -> None:
    """Is the run ended, with all marks as they were, where its process is killed each time?"""
    conftest = root / f"tests/hidden/{NAME}/conftest.py"
    conftest.write_text(KILLER)
    check = conftest.with_name("test_double.py")
    check.write_text(check.read_text().replace("double(4) == 8", "double(5) == 10"))
    said = flat(small.grade(root, status=2))
    assert "instructor's notebook of numbers could not be asked" in said
    assert "test_double.py::test_double was stopped" in said and "no mark has changed" in said
    assert (totals(root), by_hand(root)) == (MARKS, (0.0, 3.0, False))
    conftest.unlink()
    small.grade(root)
    assert totals(root) == MARKS


def test_an_accident_in_a_cell_of_the_reference_is_no_wrong_check(
    root: Path, tmp_path: Path
) -> None:
    """Where a cell of it ends the process, once and again, is nobody's check suspended?"""
    source = root / f"source/{NAME}/{NAME}.ipynb"
    right = source.read_text()
    source.write_text(right.replace("return 2 * n", "return 2 * n\\nimport os; os._exit(1)"))
    said = flat(small.grade(root, status=2))
    assert "could not be asked, since one of its cells was stopped" in said
    assert totals(root) == MARKS
    source.write_text(right)
    small.grade(root)
    assert {check.verdict for check in entries.get(root, NAME)["ada"].report.checks} == {
        Verdict.PASS
    }


def test_a_reference_that_is_missing_is_said(root: Path) -> None:
    """Is nobody judged by checks that were not tried on the solution before?"""
    (root / f"source/{NAME}/{NAME}.ipynb").unlink()
    small.hand_in(root, "cleo")
    said = flat(small.grade(root, status=2))
    assert f"source/{NAME}/{NAME}.ipynb: there is no such file or folder; put it back" in said
    assert totals(root) == MARKS
