"""Let the machine fail while a class is graded, or the instructor: does no mark change by it?"""

import errno
import os
import random
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import commands
import pytest
from classes import KILLER, Class
from shares import NIGHTLY, sampled
from small_course import NAME, SOLVED
from terminal import hear_ctrl_c

from referee import grading
from referee.judging import bundle
from referee.marks import files
from referee.model import Verdict

MARKS = {"ada": 10.0, "bob": 6.0}  # of the graded class
STOPPED = "stopped; what was done is kept, run it again to go on"
TRIPLE = "def square(n):\n    return n * 3"


@pytest.fixture
def kills(two: Class, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the file that says how often processes are still to be killed: by default, one's."""
    file = tmp_path / "kills"
    file.write_text("0")
    two.hidden("conftest.py").write_text(KILLER)
    monkeypatch.setenv("KILLS", str(file))
    monkeypatch.setenv("WHOM", "one")
    yield file


@pytest.mark.parametrize("whom", sampled(("one", "all"), "all"))
def test_a_process_that_was_killed_is_asked_again(
    two: Class, kills: Path, monkeypatch: pytest.MonkeyPatch, whom: str
) -> None:
    """Do kills from outside, of a check's process or of the whole submission, cost nothing?"""
    monkeypatch.setenv("WHOM", whom)
    kills.write_text("2")
    two.grade("--force")  # else what was said before would answer
    assert kills.read_text() == "0"
    assert two.totals() == MARKS
    assert {check.verdict for check in two.report("ada").checks} == {Verdict.PASS}


def test_one_that_is_killed_each_time_is_asked_again_next_time(two: Class, kills: Path) -> None:
    """Does a kill from outside cost nothing, and does the next run, as usual, mend it?"""
    two.grade()
    kills.write_text("1000")
    two.grade("--force", status=1)
    assert two.totals() == MARKS
    two.hand_in("cleo", square="def square(n):\n    return n * n  # mine")
    two.grade(status=1)
    assert two.report("cleo").checks[0].verdict is Verdict.UNCLEAR
    waits = None, None, True
    assert two.rows()["cleo"] == dict.fromkeys(("test_double", "test_square"), waits)
    kills.write_text("0")
    two.grade()
    assert two.totals() == {**MARKS, "cleo": 10.0}


def test_a_gradebook_is_closed_to_others(two: Class) -> None:
    """Can nobody outside its group read what nbgrader has made for everybody to read?"""
    two.path("gradebook.db").chmod(0o664)
    two.grade()
    assert two.path("gradebook.db").stat().st_mode & 0o777 == 0o660


def test_a_check_that_is_edited_meanwhile_is_asked_later(
    two: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Are marks those of the course at the start, and of the edited one in the next run?"""
    two.hand_in("bob", square="def square(n):\n    return n ** 2")
    check, files_of = two.hidden("test_square.py"), bundle.files

    def edited(*of: Any) -> dict[str, bytes]:
        found = files_of(*of)
        check.write_text(check.read_text().replace("== 49", "== 50"))
        return found

    with monkeypatch.context() as patch:
        patch.setattr(bundle, "files", edited)
        assert "The course was edited while the class was graded" in two.grade(status=1)
    assert two.totals() == {"ada": 10.0, "bob": 10.0}
    two.grade(status=1)
    assert two.report("ada").scores == {"test_double": 6.0, "test_square": None}


def test_a_wrong_check_lowers_nobody(two: Class) -> None:
    """Is a check that the reference does not pass suspended, with the reason, its cell left to a
    human, and all well again when it was mended? And is a harder one told of?
    """
    file = two.hidden("test_square.py")
    right = file.read_text()
    for wrong, why in (
        ("== 48", "an assert without a message fails"),
        ("== forty_nine", "NameError: name 'forty_nine' is not defined. Mend"),
    ):
        file.write_text(right.replace("== 49", wrong))
        said = two.grade(status=1)
        assert "your own notebook does not pass test_square.py::test_square: ada, bob" in said
        assert f"test_square.py::test_square: {why}" in said
        assert two.report("ada").scores == {"test_double": 6.0, "test_square": None}
    file.write_text(right)
    two.hand_in("ada", square="def square(n):\n    return n * abs(n)")
    two.grade()
    assert two.totals() == MARKS
    harder = f"{right}    assert student.square(-7) == 49\n"
    for name in ("test_square", "test_squares"):  # also where it is another one
        file.write_text(harder.replace("def test_square(", f"def {name}("))
        said = two.grade("--accept-removed")
        assert f"Lower than before: 1 of 2, by test_square.py::{name} (1): ada 10 -> 6." in said
        file.write_text(right)
        two.grade("--accept-removed")


def test_a_full_disk_takes_no_marks_back(two: Class, tmp_path: Path) -> None:
    """Do old marks stay when there is no room for a worker's files, and is it said in one line?"""
    two.hand_in("bob", square="def square(n):\n    return n ** 2")
    two.hidden("notes.txt").write_text("an edit\n")
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(nowhere)], check=False
    )
    if mounted.returncode != 0:
        pytest.skip("only root can make a small disk")
    try:
        code, said = graded_in(two.root, {"TMPDIR": str(nowhere)})
    finally:
        subprocess.run(["umount", "-l", str(nowhere)], check=True)
    assert code == 2, said
    assert said.startswith("referee: ") and "Traceback" not in said
    assert os.strerror(errno.ENOSPC) in said
    assert two.totals() == MARKS


# What a check does before it asks, of students only: it stops the grader.
STOPPER = """
import multiprocessing, os, signal, time, pytest

@pytest.fixture(autouse=True)
def stopped(student):
    if "STOP" in os.environ and (grader := multiprocessing.parent_process()):
        os.kill(grader.pid, signal.SIGINT)
        time.sleep(60)
"""


def test_a_grader_that_is_stopped_leaves_nothing(two: Class, tmp_path: Path) -> None:
    """Do no files of the course, nor what student code was to import, stay in other folders?"""
    two.hidden("conftest.py").write_text(STOPPER)
    two.grade()  # so that the reference is not asked again
    two.hand_in("bob", square="def square(n):\n    return n ** 2")
    (place := tmp_path / "place").mkdir()
    code, said = graded_in(two.root, {"TMPDIR": str(place), "STOP": "1"})
    assert (code, said) == (130, f"referee: {STOPPED}")
    assert list(place.iterdir()) == []
    assert two.totals() == MARKS


CHANGING = {  # settings of the interpreter that change what a check means
    "no asserts": {"PYTHONOPTIMIZE": "1"},
    "no columns": {"PYTHONNODEBUGRANGES": "1"},
    "no UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
HARMLESS = {
    "PYTHONWARNINGS": "error", "PYTHONINTMAXSTRDIGITS": "640", "PYTHONDEVMODE": "1",
    "PYTEST_ADDOPTS": "-k nothing", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
}  # fmt: skip
# What the settings above would change: a warning, and a number of a thousand digits.
TOUCHY = """
import warnings, pytest

@pytest.mark.check(cell="square", points=4, hint="By itself.")
def test_square(student):
    \"\"\"It squares, whatever \\d says\"\"\"
    warnings.warn("an old way")
    assert student.square(7) == int("9" * 1000) * 0 + 49
"""


def graded_in(root: Path, environment: dict[str, str], *start: str) -> tuple[int, str]:
    """Grade the class in a process with some variables set; return exit code, and what was said."""
    done = subprocess.run(
        [*start, commands.BIN / "referee", "grade", NAME, "--workers", "1"], cwd=root,
        env=commands.environment() | environment, capture_output=True, text=True, check=False,
        preexec_fn=hear_ctrl_c,
    )  # fmt: skip
    return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize("name", sampled(CHANGING, "no asserts"))
def test_what_changes_the_meaning_of_a_check_is_refused(two: Class, name: str) -> None:
    """Does nobody get full marks because Python leaves asserts out, now or in the next run?"""
    two.hand_in("cleo", square=f"{TRIPLE}  # mine")
    code, said = graded_in(two.root, CHANGING[name])
    assert (code, two.totals()) == (2, MARKS), said
    assert next(iter(CHANGING[name])) in said and "Traceback" not in said
    two.grade()
    assert two.totals() == {**MARKS, "cleo": 6.0}


def test_no_mark_depends_on_the_environment(two: Class) -> None:
    """Is a check asked as always, though warnings are errors, and numbers short?"""
    two.hidden("test_square.py").write_text(TOUCHY)
    assert graded_in(two.root, HARMLESS)[0] == 0
    assert two.totals() == MARKS


NUMBER = ("unshare", "-U", "--map-user=4711", "--map-group=4711")
NOBODY_IN_PARTICULAR = {  # users as containers have them
    "without a name": (*NUMBER, "env", "HOME=/", "env"),
    "without a home": (*NUMBER, "env", "-u", "HOME"),
    "who cannot write to /proc": (
        "unshare", "-m", "sh", "-c", 'mount -o remount,ro,bind /proc && exec "$@"', "sh", "env"
    ),
}  # fmt: skip


@pytest.mark.parametrize("user", sampled(NOBODY_IN_PARTICULAR, "without a name"))
def test_any_user_can_grade(two: Class, user: str) -> None:
    """Does a user without a name, without a home, or alone in the house grade as others do?"""
    start = NOBODY_IN_PARTICULAR[user]
    if subprocess.run([*start, "true"], check=False, capture_output=True).returncode:
        pytest.skip("the kernel makes no such user here")
    two.hand_in("cleo", square=f"{TRIPLE}  # mine")
    two.hand_in("ada", square=TRIPLE)  # whose file in autograded/ nbgrader has locked
    nameless = [word for name in ("LOGNAME", "USER", "LNAME", "USERNAME") for word in ("-u", name)]
    code, said = graded_in(two.root, {}, *start, *nameless)
    assert (code, "referee: " in said) == (0, False), said
    assert two.totals() == {"ada": 6.0, "bob": 6.0, "cleo": 6.0}


def test_one_at_a_time_enters_marks(two: Class) -> None:
    """Is a second grader told who is at work since when, and does the lock end with its holder?"""
    with files.alone(two.path(f".referee/{NAME}.lock"), f"grading {NAME}"):
        said = two.grade(status=2)
    assert f"process {os.getpid()}, is grading {NAME} since 20" in said
    assert "wait until that is done" in said
    two.grade()


def test_a_fault_of_ours_is_a_line_and_a_file(two: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    """Does no traceback reach the screen when something unforeseen happens?"""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("unforeseen")

    monkeypatch.setattr(grading, "grade", broken)
    said = two.grade(status=2)
    assert "Traceback" not in said
    story = two.path(".referee/last-error.txt")
    assert str(story) in said
    assert "ZeroDivisionError: unforeseen" in story.read_text()


# --- what students hand in -----------------------------------------------------------------------

LEAK = """def square(n):
    text = f'{n} ' + 'x' * 500
    code = f'def leak{n}():\\n    raise KeyError({text!r})'
    exec(compile(code, f'<cell of {n}>', 'exec'))
    locals()[f'leak{n}']()"""
SLEEPS = "import time\ndef square(n):\n    time.sleep(1000)"


def test_one_that_sleeps_gets_no_points(two: Class) -> None:
    """Is code that does nothing for long, of its own will, asked three times, named and not asked
    again in the next run?

    And does hardly anything of what a check asks reach a student by way of an exception?
    """
    with two.path("nbgrader_config.py").open("a") as file:
        file.write("c.Limits.check_cpu_seconds, c.Limits.check_wall_seconds = 0.5, 1.0\n")
    for student, square in (("sleeps", SLEEPS), ("leaks", LEAK)):
        two.hand_in(student, square=square)
    two.grade()
    found = {name: two.report(name).checks[-1] for name in ("sleeps", "leaks")}
    assert {check.cell for check in found.values()} == {"square"}
    assert found["sleeps"].verdict is Verdict.IDLE
    said = "Your code was stopped: it did nothing for 1 seconds, at: cell"
    assert found["sleeps"].message.startswith(said)
    first, *lines = found["leaks"].message.splitlines()
    assert not any(digit in first for digit in "0123456789")
    assert len(first) < 120
    assert lines == ["  at cell square, line 5, in square: locals()[f'leak{n}']()"]
    assert f"0 entered, {len(MARKS) + 2} as before" in two.grade()
    two.hand_in("sleeps")
    two.grade()
    assert two.totals()["sleeps"] == 10


# --- graders that are killed; the long form runs by `make nightly` --------------------------------

KILLS = 20 if NIGHTLY else 1
STUDENTS = [f"s{number:02}" for number in range(8 if NIGHTLY else 4)]
BLANK = "def square(n): ..."


def hand_in(made: Class, square: str) -> None:
    """Let everybody hand in a notebook of their own with this solution."""
    for name in STUDENTS:
        made.hand_in(name, square=f"# {name}\n{square}")


def killed(made: Class, seconds: float | None) -> None:
    """Grade, and kill the grader and what it has started if it takes as many seconds."""
    grader = subprocess.Popen(
        [commands.BIN / "referee", "grade", NAME, "--workers", "1"],
        cwd=made.root,
        env=commands.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        grader.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(grader.pid, signal.SIGKILL)
        grader.wait()


@pytest.mark.proof
def test_a_killed_grader_leaves_old_marks_or_new_ones(tmp_path: Path) -> None:
    """Is the gradebook sound at any moment, every submission old or new, and a rerun complete?

    What a human gave, marks and comments, stays throughout.
    """
    made, chance = Class.made(tmp_path / "course"), random.Random(1)
    hand_in(made, BLANK)
    made.grade()
    made.sql("UPDATE grade SET manual_score = 9, extra_credit = 1")
    made.sql("UPDATE comment SET manual_comment = 'Well argued.'")
    states = {}
    for square in (SOLVED["square"], BLANK):
        hand_in(made, square)
        begin = time.monotonic()
        killed(made, None)
        seconds = time.monotonic() - begin
        states[square] = made.rows()
    assert [state[STUDENTS[0]]["test_square"][:2] for state in states.values()] == [(4, 9), (0, 9)]
    for number in range(KILLS):
        square = list(states)[number % 2]
        hand_in(made, square)
        killed(made, chance.uniform(0.5, 1.0) * seconds)
        assert made.sql("PRAGMA integrity_check") == [("ok",)]
        now = made.rows()
        for name in STUDENTS:
            assert now[name] in [state[name] for state in states.values()]
        made.grade()
        places = [made.path(f"autograded/{name}/{NAME}") for name in STUDENTS]
        assert all((place / f"{NAME}.ipynb").is_file() for place in places)
        assert made.rows() == states[square]
    assert made.sql("SELECT DISTINCT manual_comment FROM comment") == [("Well argued.",)]
    assert made.sql("SELECT DISTINCT manual_score, extra_credit FROM grade") == [(9, 1)]
