"""Let the machine fail while a class is graded, or the instructor: does no mark change by it?"""

import errno
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from classes import Class
from formgrading import BIN, rows
from shares import sampled
from small_course import NAME

from referee import course, grading, intake
from referee.judging import suspension
from referee.model import CheckResult, Verdict
from referee.sandbox.outside import meter

FULL = {"ada": 10.0, "bob": 10.0}
UNMARKED = None, None, True  # it waits for a human
# What a check does before it asks: it ends the player as somebody else could, so many times.
KILLER = """
import os, pathlib, signal, pytest

@pytest.fixture(autouse=True)
def killed(student, request):
    left = pathlib.Path(os.environ["KILLS"])
    process = student._process
    if int(left.read_text()) and hasattr(process, "pid"):  # none where the record answers
        left.write_text(str(int(left.read_text()) - 1))
        os.kill(process.family if os.environ["WHOM"] == "all" else process.pid, signal.SIGKILL)
"""
# And here it changes what the class is checked by, when the first one is asked.
EDITOR = """
import os, pathlib, pytest

@pytest.fixture(autouse=True)
def edited(request):
    course = pathlib.Path(os.environ["COURSE"])
    file = course / "tests" / "hidden" / "numbers" / "test_square.py"
    if "== 50" not in file.read_text() and os.environ["EDIT"] == "yes":
        file.write_text(file.read_text().replace("== 49", "== 50"))
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A class of two who are right; KILLS is the file that says how many kills are left."""
    root = Class.made(tmp_path / "course", *FULL).root
    monkeypatch.setenv("COURSE", str(root))
    monkeypatch.setenv("KILLS", str(tmp_path / "kills"))
    (tmp_path / "kills").write_text("0")
    return root


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """The same class, graded."""
    made = Class.made(tmp_path_factory.mktemp("template") / "course", *FULL)
    made.grade()
    return made


@pytest.fixture
def marked(root: Path, template: Class) -> Path:
    """A copy of the graded class, in place of the other."""
    shutil.rmtree(root)
    return template.copy(root).root


def hidden(root: Path) -> Path:
    return root / "tests" / "hidden" / NAME


@pytest.mark.parametrize("whom", sampled(("one", "all"), "all"))
def test_a_process_that_was_killed_is_asked_again(
    marked: Path, monkeypatch: pytest.MonkeyPatch, whom: str
) -> None:
    """Do kills from outside, of a check's process or of the whole submission, cost nothing?"""
    (hidden(marked) / "conftest.py").write_text(KILLER)
    monkeypatch.setenv("WHOM", whom)
    Path(os.environ["KILLS"]).write_text("2")
    small.grade(marked, "--force")  # else what was said before would answer
    assert Path(os.environ["KILLS"]).read_text() == "0"
    assert Class(marked).totals() == FULL
    assert {check.verdict for check in Class(marked).report("ada").checks} == {Verdict.PASS}


def test_one_that_is_killed_each_time_is_asked_again_next_time(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Does a kill from outside cost nothing, and does the next run, as usual, mend it?"""
    (hidden(root) / "conftest.py").write_text(KILLER)
    monkeypatch.setenv("WHOM", "one")
    small.grade(root)
    Path(os.environ["KILLS"]).write_text("1000")
    small.grade(root, "--force", status=1)
    assert Class(root).totals() == FULL
    small.hand_in(root, "cleo", square="def square(n):\n    return n * n  # mine")
    small.grade(root, status=1)
    assert Class(root).report("cleo").checks[0].verdict is Verdict.UNCLEAR
    assert rows(root, NAME)["cleo"] == dict.fromkeys(("test_double", "test_square"), UNMARKED)
    Path(os.environ["KILLS"]).write_text("0")
    small.grade(root)
    assert Class(root).totals() == {**FULL, "cleo": 10.0}


def test_a_folder_that_nobody_may_enter_stops_nobody_else(marked: Path) -> None:
    """Is the student alone without a new mark, whose folder cannot be looked into?"""
    small.hand_in(marked, "bob", square="def square(n):\n    return 1")
    (marked / "submitted/ada").chmod(0)
    weak = [f"--{name}=-dac_override,-dac_read_search" for name in ("bounding-set", "inh-caps")]
    command = ["setpriv", *weak, BIN / "referee", "grade", NAME, "--workers", "1"]
    done = subprocess.run(
        command[0 if os.geteuid() == 0 else 3 :], cwd=marked, env=small.environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    (marked / "submitted/ada").chmod(0o755)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "not graded, the marks are as before" in " ".join(done.stdout.split())
    assert Class(marked).totals() == {"ada": 10.0, "bob": 6.0}


def test_a_notebook_that_cannot_be_read_stops_nobody_else(
    marked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Does an error of the disk at one file leave that student's marks, and is the file named?"""
    small.hand_in(marked, "bob", square="def square(n):\n    return n ** 2")
    limits = course.Course(marked).limits(unsafe=True)
    task = suspension.prepared(course.Course(marked).find(NAME), limits)
    real = grading.intake.collect

    def failing(folder: Path, *rest: Any) -> intake.HandedIn:
        if "bob" in folder.parts:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return real(folder, *rest)

    before = Class(marked).totals()
    monkeypatch.setattr(grading.intake, "collect", failing)
    names = intake.students(course.Course(marked), NAME)
    found = {one.student: one for one in grading.grade(task, names, limits, grading.Options(1))}
    assert f"{marked}/submitted/bob/{NAME}: Input/output error" in (found["bob"].problem or "")
    assert [name for name, one in found.items() if one.problem] == ["bob"]
    assert Class(marked).totals() == before


def test_a_gradebook_is_closed_to_others(root: Path) -> None:
    """Can nobody outside its group read what nbgrader has made for everybody to read?"""
    (root / "gradebook.db").chmod(0o664)
    small.grade(root)
    assert (root / "gradebook.db").stat().st_mode & 0o777 == 0o660


def test_a_late_look_is_no_idling() -> None:
    """Does a pause of the whole machine not count, nor the time in which others were at work?"""
    sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    try:
        used = meter.Meter(sleeper.pid)
        time.sleep(3 * meter.LATE_SECONDS)
        used.look()
        assert used.idle <= meter.LATE_SECONDS
        before = used.idle
        end = time.thread_time() + 0.5
        while time.thread_time() < end:
            pass
        used.look()
        assert used.idle - before < 0.3
    finally:
        sleeper.kill()
        sleeper.wait()


CLONE = {"x86_64": 56, "aarch64": 220}  # the number of the system call
WAITS = (  # until what it has started ends: no signal reaches it, as if it waited for a disk
    "import ctypes, time\nctypes.CDLL(None).syscall({}, 0x4000 | 17, 0, 0, 0, 0)\ntime.sleep(100)"
)
SLEEPS = "import time\ntime.sleep(100)"


@pytest.mark.skipif(platform.machine() not in CLONE, reason="its system calls have other numbers")
def test_who_waits_for_the_kernel_is_not_asleep() -> None:
    """Is idling in which a process could not be woken told from sleep of its own will?"""
    for code, slept in ((WAITS.format(CLONE[platform.machine()]), False), (SLEEPS, True)):
        one = subprocess.Popen([sys.executable, "-c", code])
        try:
            used = meter.Meter(one.pid)
            while used.idle < 0.5:
                time.sleep(0.1)
                used.look()
            assert (used.asleep > 0.3) == slept
        finally:
            for pid in meter.family(one.pid):
                os.kill(pid, signal.SIGKILL)
            one.wait()


LOOP = "def work():\n    for _ in range(100_000): pass\n"
COME_AND_GO = {
    "pools": "from concurrent.futures import ThreadPoolExecutor\nwhile True:\n"
    "    with ThreadPoolExecutor(2) as pool:\n"
    "        for _ in range(20): pool.submit(work)",
    "threads": "import threading\nwhile True:\n"
    "    one = threading.Thread(target=work)\n    one.start()\n    one.join()",
    "processes": "import os\nwhile True:\n"
    "    if not (one := os.fork()):\n        work()\n        os._exit(0)\n    os.waitpid(one, 0)",
}


@pytest.mark.skipif(not meter.LINUX, reason="elsewhere nothing tells who waits for a core")
@pytest.mark.parametrize("kind", sampled(COME_AND_GO, "threads"))
def test_who_waits_for_a_core_is_not_idle(kind: str) -> None:
    """Is waiting beside two others on one core no idling, when who waited has ended, too?"""
    core = min(os.sched_getaffinity(0))
    started = [
        subprocess.Popen(["taskset", "-c", str(core), sys.executable, "-c", LOOP + code])
        for code in ("while True: pass", "while True: pass", COME_AND_GO[kind])
    ]
    try:
        used, begin = meter.Meter(started[-1].pid), time.monotonic()
        while used.cpu < 0.4:
            time.sleep(0.05)
            used.look()
        assert used.idle < (time.monotonic() - begin) / 10
    finally:
        for one in started:
            one.kill()
            one.wait()


def test_the_work_of_children_counts() -> None:
    """Are the CPU seconds of a process's children its own, when they have ended, too?"""
    loop = "end = time.process_time() + 0.6\nwhile time.process_time() < end: pass"
    code = (
        "import subprocess, sys, time\n"
        f"subprocess.run([sys.executable, '-c', '''import time\n{loop}'''])\ntime.sleep(100)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    try:
        used, end = meter.Meter(parent.pid), time.monotonic() + 60
        while used.cpu < 0.6 and time.monotonic() < end:
            time.sleep(0.1)
            used.look()
        assert used.cpu >= 0.6
    finally:
        parent.kill()
        parent.wait()


def test_a_check_that_is_edited_meanwhile_is_asked_later(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Do all get the marks of the course as it was at the start, and those of the edited one in
    the next run?
    """
    (hidden(root) / "conftest.py").write_text(EDITOR)
    monkeypatch.setenv("EDIT", "no")
    small.grade(root)
    small.hand_in(root, "bob", square="def square(n):\n    return n ** 2")
    monkeypatch.setenv("EDIT", "yes")
    said = small.grade(root, status=1)
    assert "The course was edited while the class was graded" in " ".join(said.split())
    assert Class(root).totals() == FULL
    monkeypatch.setenv("EDIT", "no")
    said = small.grade(root, status=1)
    assert "does not pass test_square.py::test_square: " in " ".join(said.split())
    for student in FULL:
        assert Class(root).report(student).scores == {"test_double": 6.0, "test_square": None}


def test_a_wrong_check_lowers_nobody(marked: Path) -> None:
    """Is a check that the reference does not pass suspended, its cell left to a human, and all
    well again when it was mended? And is a harder one told of?
    """
    file = hidden(marked) / "test_square.py"
    right = file.read_text()
    file.write_text(right.replace("== 49", "== 48"))
    said = " ".join(small.grade(marked, status=1).split())
    assert "2 need you: your own notebook does not pass test_square.py::test_square: ada, " in said
    assert "does not pass test_square.py::test_square: an assert without a message fails" in said
    assert Class(marked).report("ada").scores == {"test_double": 6.0, "test_square": None}
    file.write_text(right)
    small.grade(marked)
    assert Class(marked).totals() == FULL
    small.hand_in(marked, "bob", square="def square(n):\n    return n * abs(n)")
    small.grade(marked)
    harder = f"{right}    assert student.square(-7) == 49\n"
    for name in ("test_square", "test_squares"):  # also where it is another one
        file.write_text(harder.replace("def test_square(", f"def {name}("))
        said = " ".join(small.grade(marked, "--accept-removed").split())
        assert f"Lower than before: 1 of 2, by test_square.py::{name} (1): bob 10 -> 6." in said
        file.write_text(right)
        small.grade(marked, "--accept-removed")


def test_why_a_check_is_suspended_is_told(root: Path) -> None:
    """Does the note on a check that breaks say by which error?"""
    file = hidden(root) / "test_square.py"
    file.write_text(file.read_text().replace("== 49", "== forty_nine"))
    said = " ".join(small.grade(root, status=1).split())
    assert "test_square.py::test_square: NameError: name 'forty_nine' is not defined. Mend" in said


@pytest.mark.parametrize("word", ["return", "yield"])
def test_a_check_that_returns_asks_nothing(root: Path, word: str) -> None:
    """Does nobody get points by a check that hands its answer back in place of an assert?"""
    file = hidden(root) / "test_square.py"
    file.write_text(file.read_text().replace("assert student", f"{word} student"))
    said = " ".join(small.grade(root, status=1 if word == "return" else 2).split())
    assert ("it returns a value, which checks nothing; write assert" in said) == (word == "return")
    assert Class(root).totals() == ({"ada": 6.0, "bob": 6.0} if word == "return" else {})


def test_faults_of_checks_stand_in_a_line_each(root: Path) -> None:
    """Is every check that cannot be asked named on a line of its own, and nobody graded?"""
    file = hidden(root) / "test_square.py"
    file.write_text(
        f"{file.read_text()}\ndef test_b(student):\n    pass\n\ndef test_c(student):\n    pass\n"
    )
    said = small.grade(root, status=2)
    told = [line for line in said.splitlines() if line.startswith("  tests/hidden/numbers/test_sq")]
    assert [line.split(": ")[1] for line in told] == ["test_b", "test_c"]
    assert Class(root).totals() == {}


def test_a_full_disk_takes_no_marks_back(marked: Path, tmp_path: Path) -> None:
    """Do old marks stay when there is no room for a worker's files, and is it said in one line?"""
    small.hand_in(marked, "bob", square="def square(n):\n    return n ** 2")
    (marked / "tests" / "hidden" / NAME / "notes.txt").write_text("an edit\n")
    nowhere = tmp_path / "nowhere"
    nowhere.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(nowhere)], check=False
    )
    if mounted.returncode != 0:
        pytest.skip("only root can make a small disk")
    try:
        done = subprocess.run(
            [BIN / "referee", "grade", NAME, "--workers", "1"],
            cwd=marked, env=small.environment() | {"TMPDIR": str(nowhere)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        subprocess.run(["umount", "-l", str(nowhere)], check=True)
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert os.strerror(errno.ENOSPC).split()[0] in done.stderr or "disk is full" in done.stderr
    assert Class(marked).totals() == FULL


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


def graded_in(root: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Grade the class with some variables set; return the exit code, and what was said."""
    done = subprocess.run(
        [BIN / "referee", "grade", NAME, "--workers", "1"], cwd=root,
        env=small.environment() | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, " ".join((done.stdout + done.stderr).split())


@pytest.mark.parametrize("name", sampled(CHANGING, "no asserts"))
def test_what_changes_the_meaning_of_a_check_is_refused(root: Path, name: str) -> None:
    """Does nobody get full marks because Python leaves asserts out, now or in the next run?"""
    small.hand_in(root, "cleo", square="def square(n):\n    return n * 3")
    code, said = graded_in(root, CHANGING[name])
    assert (code, Class(root).totals()) == (2, {}), said
    assert next(iter(CHANGING[name])) in said and "Traceback" not in said
    small.grade(root)
    assert Class(root).totals() == {**FULL, "cleo": 6.0}


def test_no_mark_depends_on_the_environment(root: Path) -> None:
    """Is a check asked as always, though warnings are errors, and numbers short?"""
    (hidden(root) / "test_square.py").write_text(TOUCHY)
    small.hand_in(root, "cleo", square="def square(n):\n    return n * 3")
    assert graded_in(root, HARMLESS)[0] == 0
    assert Class(root).totals() == {**FULL, "cleo": 6.0}


NUMBER = ("unshare", "-U", "--map-user=4711", "--map-group=4711")
NOBODY_IN_PARTICULAR = {  # users as containers have them
    "without a name": (*NUMBER, "env", "HOME=/", "env"),
    "without a home": (*NUMBER, "env", "-u", "HOME"),
    "the only one": ("unshare", "-Ur", "env"),
    "who cannot write to /proc": (
        "unshare", "-m", "sh", "-c", 'mount -o remount,ro,bind /proc && exec "$@"', "sh", "env"
    ),
}  # fmt: skip


@pytest.mark.parametrize("user", sampled(NOBODY_IN_PARTICULAR, "without a name"))
def test_any_user_can_grade(root: Path, user: str) -> None:
    """Does a user without a name, without a home, or alone in the house grade as others do?"""
    start = NOBODY_IN_PARTICULAR[user]
    if subprocess.run([*start, "true"], check=False, capture_output=True).returncode:
        pytest.skip("the kernel makes no such user here")
    small.hand_in(root, "cleo", square="def square(n):\n    return n * 3")
    nameless = [word for name in ("LOGNAME", "USER", "LNAME", "USERNAME") for word in ("-u", name)]
    done = subprocess.run(
        [*start, *nameless, BIN / "referee", "grade", NAME], cwd=root, env=small.environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert Class(root).totals() == {**FULL, "cleo": 6.0}


def test_one_at_a_time_enters_marks(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Is a second grader told who is at work since when, and does the lock end with its holder?"""
    (hidden(root) / "conftest.py").write_text(
        "import time, pytest\n@pytest.fixture(autouse=True)\ndef slow():\n    time.sleep(100)\n"
    )
    first = subprocess.Popen(
        [BIN / "referee", "grade", NAME, "--workers", "1"], cwd=root,
        env=small.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )  # fmt: skip
    try:
        lock = root / ".referee" / f"{NAME}.lock"
        while not (lock.exists() and lock.read_text()):
            time.sleep(0.1)
        said = small.grade(root, status=2)
        assert f"process {first.pid}, is grading {NAME} since 20" in said
        assert "wait until that is done" in said
    finally:
        os.killpg(first.pid, signal.SIGKILL)
        first.communicate()
    (hidden(root) / "conftest.py").unlink()
    small.grade(root)
    assert Class(root).totals() == FULL


def test_a_fault_of_ours_is_a_line_and_a_file(root: Path) -> None:
    """Does no traceback reach the screen when something unforeseen happens?"""
    code = (
        "import sys\nfrom referee import grading\nfrom referee.commands import main\n"
        "def broken(*args): raise ZeroDivisionError('unforeseen')\n"
        f"grading.grade = broken\nsys.argv = ['referee', 'grade', {NAME!r}]\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, env=small.environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "Traceback" not in done.stdout + done.stderr
    story = root / ".referee" / "last-error.txt"
    assert str(story) in done.stderr
    assert "ZeroDivisionError: unforeseen" in story.read_text()


# --- what students hand in -----------------------------------------------------------------------

LEAK = """def square(n):
    text = f'{n} ' + 'x' * 500
    code = f'def leak{n}():\\n    raise KeyError({text!r})'
    exec(compile(code, f'<cell of {n}>', 'exec'))
    locals()[f'leak{n}']()"""
OPENED = "'<p>' + ''.join(f'<b a={n}><!--</b>-->' for n in range(1200)) + '<p>a' * 9_000"
SHOWS = f"from IPython.display import HTML, display\ndisplay(HTML({OPENED}))"
HARMFUL = {  # by student: the cells that are not solved
    "right": {},
    "exits": {"square": "import os\ndef square(n):\n    os._exit(9)"},
    "crashes": {"square": "import ctypes\ndef square(n):\n    ctypes.string_at(0)"},
    "sleeps": {"square": "import time\ndef square(n):\n    time.sleep(1000)"},
    "leaks": {"square": LEAK},
    "half": {"double": "def double(n):\n    return 2 * n if n < 0 else 0"},
    "loops": {"double": "def double(n):\n    while n != 666: pass\n    return 0"},
    "shows": {"double": f"{SHOWS}\n\n\n{small.SOLVED['double']}"},
}


@pytest.fixture(scope="module")
def harmful(tmp_path_factory: pytest.TempPathFactory) -> Class:
    """A graded class in which each but one hands in something that might harm the others."""
    made = Class.made(tmp_path_factory.mktemp("harmful") / "course")
    with (made.root / "nbgrader_config.py").open("a") as file:
        file.write("c.Limits.check_cpu_seconds, c.Limits.check_wall_seconds = 0.5, 1.0\n")
    for student, sources in HARMFUL.items():
        made.hand_in(student, **sources)
    made.grade()
    return made


def of_cell(made: Class, student: str, cell: str) -> list[CheckResult]:
    """Return what became of the checks of a student's cell."""
    return [one for one in made.report(student).checks if one.cell == cell]


def test_each_loses_what_was_wrong_and_no_more(harmful: Class) -> None:
    """Does nobody harm the others, or lose more than the cell?"""
    lost = {"exits": 4, "crashes": 4, "sleeps": 4, "leaks": 4, "half": 3, "loops": 6}
    assert harmful.totals() == {student: 10 - lost.get(student, 0) for student in HARMFUL}


def test_one_that_ends_itself_gets_no_points(harmful: Class) -> None:
    """Is a process that leaves, or crashes, told from one that somebody has killed?"""
    for student in ("exits", "crashes"):
        assert [one.verdict for one in of_cell(harmful, student, "square")] == [Verdict.KILLED]


def test_one_that_sleeps_gets_no_points(harmful: Class, tmp_path: Path) -> None:
    """Is code that does nothing for long, of its own will, asked three times, named and not asked
    again in the next run?
    """
    (check,) = of_cell(harmful, "sleeps", "square")
    assert check.verdict is Verdict.IDLE
    assert check.message.startswith("Your code was stopped: it did nothing for 1 seconds, at: cell")
    again = harmful.copy(tmp_path / "course")
    assert f"0 entered, {len(HARMFUL)} as before" in again.grade()
    again.hand_in("sleeps")
    again.grade()
    assert again.totals()["sleeps"] == 10


def test_what_an_exception_says_is_bounded(harmful: Class) -> None:
    """Does hardly anything of what a check asks reach a student by way of an exception?"""
    (check,) = of_cell(harmful, "leaks", "square")
    first, *lines = check.message.splitlines()
    assert not any(digit in first for digit in "0123456789")
    assert len(first) < 120
    assert lines == ["  at cell square, line 5, in square: locals()[f'leak{n}']()"]
    assert "49" not in json.dumps(check.message).replace("line 4", "")


def test_what_needs_a_wrong_answer_is_asked_all_the_same(harmful: Class) -> None:
    """Does `needs=` cost no mark that was earned, and save the time of a loop?"""
    assert harmful.report("half").scores["test_double"] == 3
    assert [one.verdict for one in of_cell(harmful, "loops", "double")] == [
        Verdict.TIMEOUT, Verdict.NOT_RUN, Verdict.NOT_RUN,
    ]  # fmt: skip


def test_what_takes_too_much_to_show_costs_no_mark_and_stops_nobody(harmful: Class) -> None:
    """Is HTML that would fill the memory shown as it was typed, and not laid out?"""
    small.run(harmful.root, "nbgrader", "generate_feedback", NAME, "--student", "shows")
    for place in (f"autograded/shows/{NAME}/{NAME}.ipynb", f"feedback/shows/{NAME}/{NAME}.html"):
        text = harmful.path(place).read_text("utf-8")
        assert "&lt;b a=0&gt;" in text
        assert "<b a=0>" not in text


ODD = {
    "ada": "None", "bob": "[]", "cleo": "'four'", "dan": "(4, 4)", "eve": "float('nan')",
    "fay": "10**5000", "gus": "{4: 4}", "hal": "print", "ida": "10**400",
}  # fmt: skip


def test_an_odd_answer_is_wrong_and_no_mistake_of_ours(root: Path) -> None:
    """Does a check that breaks on what it was answered cost points, and one that breaks by itself
    none?
    """
    (hidden(root) / "test_square.py").write_text(
        "import pytest\n"
        '@pytest.mark.check(cell="square", points=4, hint="By itself.")\n'
        "def test_square(student, student_id):\n"
        '    """It squares."""\n'
        "    number = student.square(2)\n"
        "    assert {4: 'four'}[number] == 'four' and 4 / abs(float(number)) == 1\n"
        "    if student_id == 'jon':\n"
        "        {}[student_id]\n"
    )
    for student, answer in ODD.items():
        small.hand_in(root, student, square=f"def square(n):\n    return {answer}")
    small.hand_in(root, "jon")
    said = small.grade(root, status=1)
    for student in ODD:
        verdicts = [
            one.verdict for one in Class(root).report(student).checks if one.cell == "square"
        ]
        assert verdicts[0] in (Verdict.WRONG, Verdict.ERROR), (student, verdicts)
    (broken,) = [one for one in Class(root).report("ada").checks if one.cell == "square"]
    assert broken.details.endswith("KeyError: None")
    assert "runner.py" not in broken.details
    assert Class(root).report("jon").scores["test_square"] is None
    assert "1 need you" in said
