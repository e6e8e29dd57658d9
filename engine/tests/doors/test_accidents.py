"""Let the machine fail while a class is graded, or the instructor: does no mark change by it?"""

import errno
import json
import os
import platform
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import small_course as small
from formgrading import BIN, rows
from small_course import NAME

from referee.marks import entries, gradebook
from referee.model import Report, Verdict
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
        os.kill(process._family if os.environ["WHOM"] == "all" else process.pid, signal.SIGKILL)
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
    root = small.make(tmp_path / "course")
    for student in FULL:
        small.hand_in(root, student)
    monkeypatch.setenv("COURSE", str(root))
    monkeypatch.setenv("KILLS", str(tmp_path / "kills"))
    (tmp_path / "kills").write_text("0")
    return root


def hidden(root: Path) -> Path:
    return root / "tests" / "hidden" / NAME


def totals(root: Path) -> dict[str, float]:
    """Return the sums that stand in the gradebook."""
    with gradebook.opened(f"sqlite:///{root / 'gradebook.db'}") as book:
        return {name: one.total for name, one in gradebook.standings(book, NAME).items()}


def report(root: Path, student: str) -> Report:
    return entries.get(root, NAME)[student].report


@pytest.mark.parametrize("whom", ["one", "all"])
def test_a_process_that_was_killed_is_asked_again(
    root: Path, monkeypatch: pytest.MonkeyPatch, whom: str
) -> None:
    """Do kills from outside, of a check's process or of the whole submission, cost nothing?"""
    small.grade(root)  # the reference, too
    (hidden(root) / "conftest.py").write_text(KILLER)
    monkeypatch.setenv("WHOM", whom)
    Path(os.environ["KILLS"]).write_text("2")
    small.grade(root, "--force")  # else what was said before would answer
    assert Path(os.environ["KILLS"]).read_text() == "0"
    assert totals(root) == FULL
    assert {check.verdict for check in report(root, "ada").checks} == {Verdict.PASS}


def test_one_that_is_killed_each_time_is_asked_again_next_time(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Does a kill from outside cost nothing, and does the next run, as usual, mend it?"""
    (hidden(root) / "conftest.py").write_text(KILLER)
    monkeypatch.setenv("WHOM", "one")
    small.grade(root)
    Path(os.environ["KILLS"]).write_text("1000")
    small.grade(root, "--force", status=1)
    assert totals(root) == FULL
    small.hand_in(root, "cleo", square="def square(n):\n    return n * n  # mine")
    small.grade(root, status=1)
    assert report(root, "cleo").checks[0].verdict is Verdict.UNCLEAR
    assert rows(root, NAME)["cleo"] == dict.fromkeys(("test_double", "test_square"), UNMARKED)
    Path(os.environ["KILLS"]).write_text("0")
    small.grade(root)
    assert totals(root) == {**FULL, "cleo": 10.0}


def test_one_that_ends_itself_gets_no_points(root: Path) -> None:
    """Is a process that leaves, or crashes, told from one that somebody has killed?"""
    small.hand_in(root, "ada", square="import os\ndef square(n):\n    os._exit(9)")
    crash = "import ctypes\ndef square(n):\n    ctypes.string_at(0)"
    small.hand_in(root, "bob", square=crash)
    small.grade(root)
    assert totals(root) == {"ada": 6.0, "bob": 6.0}
    ends = {check.verdict for name in FULL for check in report(root, name).checks}
    assert ends == {Verdict.PASS, Verdict.KILLED}


def test_a_folder_that_nobody_may_enter_stops_nobody_else(root: Path) -> None:
    """Is the student alone without a new mark, whose folder cannot be looked into?"""
    small.grade(root)
    small.hand_in(root, "bob", square="def square(n):\n    return 1")
    (root / "submitted/ada").chmod(0)
    weak = [f"--{name}=-dac_override,-dac_read_search" for name in ("bounding-set", "inh-caps")]
    command = ["setpriv", *weak, BIN / "referee", "grade", NAME, "--workers", "1"]
    done = subprocess.run(
        command[0 if os.geteuid() == 0 else 3 :], cwd=root, env=small.environment(),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    (root / "submitted/ada").chmod(0o755)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "not graded, the marks are as before" in " ".join(done.stdout.split())
    assert totals(root) == {"ada": 10.0, "bob": 6.0}


def test_a_gradebook_is_closed_to_others(root: Path) -> None:
    """Can nobody outside its group read what nbgrader has made for everybody to read?"""
    (root / "gradebook.db").chmod(0o664)
    small.grade(root)
    assert (root / "gradebook.db").stat().st_mode & 0o777 == 0o660


def test_one_that_sleeps_gets_no_points(root: Path) -> None:
    """Is code that does nothing for long, of its own will, asked three times, named and not asked
    again in the next run?
    """
    with (root / "nbgrader_config.py").open("a") as file:
        file.write("c.Limits.check_wall_seconds = 1.0\n")
    small.hand_in(root, "cleo", square="import time\ndef square(n):\n    time.sleep(1000)")
    small.grade(root)
    (check,) = (one for one in report(root, "cleo").checks if one.cell == "square")
    assert check.verdict is Verdict.IDLE
    assert check.message.startswith("Your code was stopped: it did nothing for 1 seconds, at: cell")
    assert report(root, "cleo").scores == {"test_double": 6.0, "test_square": 0.0}
    assert "0 entered, 3 as before" in small.grade(root)
    small.hand_in(root, "cleo")
    small.grade(root)
    assert totals(root)["cleo"] == 10


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
@pytest.mark.parametrize("kind", COME_AND_GO)
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
        used = meter.Meter(parent.pid)
        while used.cpu < 0.6:
            time.sleep(0.1)
            used.look()
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
    assert totals(root) == FULL
    monkeypatch.setenv("EDIT", "no")
    said = small.grade(root, status=1)
    assert "does not pass test_square.py::test_square: " in " ".join(said.split())
    for student in FULL:
        assert report(root, student).scores == {"test_double": 6.0, "test_square": None}


def test_a_wrong_check_lowers_nobody(root: Path) -> None:
    """Is a check that the reference does not pass suspended, its cell left to a human, and all
    well again when it was mended? And is a harder one told of?
    """
    small.grade(root)
    file = hidden(root) / "test_square.py"
    right = file.read_text()
    file.write_text(right.replace("== 49", "== 48"))
    said = " ".join(small.grade(root, status=1).split())
    assert "2 need you: something of ours has failed: " in said
    assert "(referee-error): ada, bob Suspended" in said
    assert "does not pass test_square.py::test_square: an assert without a message fails" in said
    assert report(root, "ada").scores == {"test_double": 6.0, "test_square": None}
    file.write_text(right)
    small.grade(root)
    assert totals(root) == FULL
    small.hand_in(root, "bob", square="def square(n):\n    return n * abs(n)")
    small.grade(root)
    harder = f"{right}    assert student.square(-7) == 49\n"
    for name in ("test_square", "test_squares"):  # also where it is another one
        file.write_text(harder.replace("def test_square(", f"def {name}("))
        said = " ".join(small.grade(root, "--accept-removed").split())
        assert f"Lower than before: 1 of 2, by test_square.py::{name} (1): bob 10 -> 6." in said
        file.write_text(right)
        small.grade(root, "--accept-removed")


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
    assert totals(root) == ({"ada": 6.0, "bob": 6.0} if word == "return" else {})


def test_faults_of_checks_stand_in_a_line_each(root: Path) -> None:
    """Is every check that cannot be asked named on a line of its own, and nobody graded?"""
    file = hidden(root) / "test_square.py"
    file.write_text(
        f"{file.read_text()}\ndef test_b(student):\n    pass\n\ndef test_c(student):\n    pass\n"
    )
    said = small.grade(root, status=2)
    told = [line for line in said.splitlines() if line.startswith("  tests/hidden/numbers/test_sq")]
    assert [line.split(": ")[1] for line in told] == ["test_b", "test_c"]
    assert totals(root) == {}


def test_a_full_disk_takes_no_marks_back(root: Path, tmp_path: Path) -> None:
    """Do old marks stay when there is no room for a worker's files, and is it said in one line?"""
    small.grade(root)
    small.hand_in(root, "bob", square="def square(n):\n    return n ** 2")
    (root / "tests" / "hidden" / NAME / "notes.txt").write_text("an edit\n")
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
            cwd=root, env=small.environment() | {"TMPDIR": str(nowhere)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        subprocess.run(["umount", "-l", str(nowhere)], check=True)
    assert done.returncode == 2, done.stdout + done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert os.strerror(errno.ENOSPC).split()[0] in done.stderr or "disk is full" in done.stderr
    assert totals(root) == FULL


CHANGING = {  # settings of the interpreter that change what a check means
    "no asserts": {"PYTHONOPTIMIZE": "1"},
    "no docstrings": {"PYTHONOPTIMIZE": "2"},
    "no columns": {"PYTHONNODEBUGRANGES": "1"},
    "no UTF-8": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}
HARMLESS = {
    "warnings are errors": {"PYTHONWARNINGS": "error"},
    "short numbers": {"PYTHONINTMAXSTRDIGITS": "640"},
    "development mode": {"PYTHONDEVMODE": "1"},
    "options of pytest": {"PYTEST_ADDOPTS": "-k nothing", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
}
# What the settings above would change: a warning, and a number of a thousand digits.
TOUCHY = """
import warnings, pytest

@pytest.mark.check(cell="square", points=4, hint="By itself.")
def test_square(student):
    \"\"\"It squares, whatever \\d says\"\"\"
    warnings.warn("an old way")
    assert student.square(7) == int("9" * 1000) * 0 + 49
"""


def graded_in(root: Path, environment: dict[str, str], *options: str) -> tuple[int, str]:
    """Grade the class with some variables set; return the exit code, and what was said."""
    done = subprocess.run(
        [BIN / "referee", "grade", NAME, "--workers", "1", *options], cwd=root,
        env=small.environment() | environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_what_changes_the_meaning_of_a_check_is_refused(root: Path) -> None:
    """Does nobody get full marks because Python leaves asserts out, now or in the next run?"""
    small.hand_in(root, "cleo", square="def square(n):\n    return n * 3")
    for before in ({}, {**FULL, "cleo": 6.0}):
        for setting in CHANGING.values():
            code, said = graded_in(root, setting)
            assert (code, totals(root)) == (2, before), said
            assert next(iter(setting)) in said
            assert "Traceback" not in said
        small.grade(root)
        assert totals(root) == {**FULL, "cleo": 6.0}


@pytest.mark.parametrize("setting", HARMLESS)
def test_no_mark_depends_on_the_environment(root: Path, setting: str) -> None:
    """Is a check asked as always, though warnings are errors, or numbers short?"""
    (hidden(root) / "test_square.py").write_text(TOUCHY)
    small.hand_in(root, "cleo", square="def square(n):\n    return n * 3")
    assert graded_in(root, HARMLESS[setting])[0] == 0
    assert totals(root) == {**FULL, "cleo": 6.0}


NUMBER = ("unshare", "-U", "--map-user=4711", "--map-group=4711")
NOBODY_IN_PARTICULAR = {  # users as containers have them
    "without a name": (*NUMBER, "env", "HOME=/", "env"),
    "without a home": (*NUMBER, "env", "-u", "HOME"),
    "the only one": ("unshare", "-Ur", "env"),
    "who cannot write to /proc": (
        "unshare", "-m", "sh", "-c", 'mount -o remount,ro,bind /proc && exec "$@"', "sh", "env"
    ),
}  # fmt: skip


@pytest.mark.parametrize("user", NOBODY_IN_PARTICULAR)
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
    assert totals(root) == {**FULL, "cleo": 6.0}


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
    assert totals(root) == FULL


def test_what_a_killed_run_has_left_goes_with_the_next(root: Path, tmp_path: Path) -> None:
    """Is no submission left among the temporary files of nbgrader's door, where it was copied?"""
    scratch, command = tmp_path / "scratch", [BIN / "nbgrader", "autograde", NAME]
    scratch.mkdir()
    place = {"cwd": root, "env": small.environment() | {"TMPDIR": str(scratch)}}
    with subprocess.Popen(
        command, **place, start_new_session=True, stderr=subprocess.DEVNULL
    ) as process:
        while not [*scratch.glob("referee-submitted-*/.lock")]:
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
    assert [*scratch.glob("referee-submitted-*")]
    subprocess.run(command, **place, check=True, capture_output=True)
    assert not [*scratch.glob("referee-submitted-*")]


def test_a_fault_of_ours_is_a_line_and_a_file(root: Path) -> None:
    """Does no traceback reach the screen when something unforeseen happens?"""
    code = (
        "import sys\nfrom referee.doors import batch\nfrom referee.doors.cli import main\n"
        "def broken(*args): raise ZeroDivisionError('unforeseen')\n"
        f"batch.grade = broken\nsys.argv = ['referee', 'grade', {NAME!r}]\nmain()"
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


def test_the_secret_is_made_once(root: Path) -> None:
    """Has a course a secret after its first grading, for nobody else to read, told once?"""
    said = small.grade(root)
    seed = hidden(root) / "seed.txt"
    assert "seed.txt was made" in " ".join(said.split())
    assert seed.stat().st_mode & 0o777 == 0o600
    before = seed.read_bytes()
    assert "seed.txt was made" not in small.grade(root)
    assert seed.read_bytes() == before
    assert len(before) > 30


def test_what_an_exception_says_is_bounded(root: Path) -> None:
    """Does hardly anything of what a check asks reach a student by way of an exception?"""
    leak = (
        "def square(n):\n"
        "    text = f'{n} ' + 'x' * 500\n"
        "    code = f'def leak{n}():\\n    raise KeyError({text!r})'\n"
        "    exec(compile(code, f'<cell of {n}>', 'exec'))\n    locals()[f'leak{n}']()"
    )
    small.hand_in(root, "cleo", square=leak)
    small.grade(root)
    (check,) = [one for one in report(root, "cleo").checks if one.cell == "square"]
    first, *lines = check.message.splitlines()
    assert not any(digit in first for digit in "0123456789")
    assert len(first) < 120
    assert lines == ["  at cell square, line 5, in square: locals()[f'leak{n}']()"]
    assert "49" not in json.dumps(check.message).replace("line 4", "")


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
        verdicts = [one.verdict for one in report(root, student).checks if one.cell == "square"]
        assert verdicts[0] in (Verdict.WRONG, Verdict.ERROR), (student, verdicts)
    (broken,) = [one for one in report(root, "ada").checks if one.cell == "square"]
    assert broken.details.endswith("KeyError: None")
    assert "runner.py" not in broken.details
    assert report(root, "jon").scores["test_square"] is None
    assert "1 need you" in said


def test_what_needs_a_wrong_answer_is_asked_all_the_same(root: Path) -> None:
    """Does `needs=` cost no mark that was earned, and save the time of a loop?"""
    small.hand_in(root, "ada", double="def double(n):\n    return 2 * n if n < 0 else 0")
    small.hand_in(root, "bob", double="def double(n):\n    while n != 666: pass\n    return 0")
    with (root / "nbgrader_config.py").open("a") as file:
        file.write("c.Limits.check_cpu_seconds = 0.5\n")
    small.grade(root)
    assert report(root, "ada").scores["test_double"] == 3
    assert [one.verdict for one in report(root, "bob").checks if one.cell == "double"] == [
        Verdict.TIMEOUT, Verdict.NOT_RUN, Verdict.NOT_RUN,
    ]  # fmt: skip


def test_what_takes_too_much_to_show_costs_no_mark_and_stops_nobody(root: Path) -> None:
    """Does HTML that would fill the memory leave its mark, and the class's, as they are?"""
    opened = "'<p>' + ''.join(f'<b a={n}><!--</b>-->' for n in range(1200)) + '<p>a' * 9_000"
    shows = f"from IPython.display import HTML, display\ndisplay(HTML({opened}))"
    small.hand_in(root, "ada", double=f"{shows}\n\n\n{small.SOLVED['double']}")
    small.grade(root)
    assert totals(root) == FULL
    marked = (root / "autograded" / "ada" / NAME / f"{NAME}.ipynb").read_text("utf-8")
    assert "is shown as plain text. This changes no mark." in marked
    small.run(root, "nbgrader", "generate_feedback", NAME)
    page = (root / "feedback" / "ada" / NAME / f"{NAME}.html").read_text("utf-8")
    assert "is shown as plain text. This changes no mark." in page
