"""Student code is shut off from the machine, with each set of layers that a machine may offer."""

import fcntl
import importlib.util
import os
import secrets
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from referee.model import Cell, Limits, Subject
from referee.sandbox.inside import jail, landlock, seccomp
from referee.sandbox.outside.server import BASE_LAYERS, NoIsolationError, Server, advice, shut_off
from referee.sandbox.outside.submission import Submission

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the layers are Linux's")

MEMORY_BYTES = 1024**3
PROJECT = Path(__file__).parents[3]
COURSE = PROJECT / "tests" / "courses" / "nim"
IMPORTS = "import ctypes, getpass, os, signal, socket, subprocess, sys, tempfile, time"
TRYING = """
def attempt(source):
    try:
        return "done", repr(eval(source))
    except BaseException as error:
        return "refused", type(error).__name__
"""

Attempt = Callable[[str], tuple[str, str]]
RUNGS = ["namespaces", "landlock"]


@pytest.fixture(scope="module", params=RUNGS)
def submission(request: pytest.FixtureRequest) -> Iterator[Submission]:
    """Give a submission behind each set of layers; skip none that this machine offers."""
    namespaces = request.param == "namespaces"
    support = {"notes.txt": b"for all students"}
    cells = [Cell(text, f"cell {n}") for n, text in enumerate([IMPORTS, TRYING, LOCKING], start=1)]
    with (
        Server(Limits(memory_bytes=MEMORY_BYTES), namespaces=namespaces) as server,
        Submission(server, cells, support, Limits()) as started,
    ):
        if namespaces and server.without:
            pytest.skip(f"no namespaces here: {server.without}")
        yield started


@pytest.fixture
def attempt(submission: Submission) -> Iterator[Attempt]:
    """Give a way to evaluate an expression as student code."""
    with submission.student() as student:
        yield student.attempt


def test_the_layers_are_named(submission: Submission) -> None:
    """Does every submission say what it was behind?"""
    assert set(BASE_LAYERS) < set(submission.layers)
    assert {"resource limits", "no privileges", "system call filter"} < set(submission.layers)
    assert ("Landlock" in submission.layers) != (jail.NAMESPACES[0] in submission.layers)
    assert shut_off(submission.layers)


@pytest.mark.parametrize(
    "path",
    [PROJECT, COURSE / "source", COURSE / "tests/hidden", Path.home(), Path("/proc/1/environ")],
)
def test_nothing_of_the_machine_can_be_read(attempt: Attempt, path: Path) -> None:
    """Are the course, its home and other processes out of sight?"""
    assert attempt(f"os.listdir({str(path)!r}) or 1 / 0")[0] == "refused" or not any(
        name in attempt(f"os.listdir({str(path)!r})")[1]
        for name in ("pyproject.toml", "nim", ".ssh", ".bashrc")
    )
    assert attempt(f"open({str(path / 'pyproject.toml')!r}).read()")[0] == "refused"


def test_no_file_outside_can_be_read_or_written(attempt: Attempt, tmp_path: Path) -> None:
    """Is a file that anybody may read and write out of reach, and so is its folder?"""
    secret = tmp_path / "canary"
    secret.write_text("the answer")
    ours = [one for one in tmp_path.parents if one.stat().st_uid == os.getuid()][:3]
    for folder in (tmp_path, *ours):
        folder.chmod(folder.stat().st_mode | 0o755)
    secret.chmod(0o666)
    assert attempt(f"open({str(secret)!r}).read()")[0] == "refused"
    assert attempt(f"open({str(secret)!r}, 'w')")[0] == "refused"
    assert attempt(f"open({str(tmp_path / 'owned')!r}, 'w')")[0] == "refused"
    assert attempt("open('/tmp/owned', 'w')")[0] == "refused"
    assert attempt("open('/usr/owned', 'w')")[0] == "refused"
    assert secret.read_text() == "the answer"
    assert [file.name for file in tmp_path.iterdir()] == ["canary"]


@pytest.mark.parametrize(
    "source",
    [
        "socket.socket()",
        "socket.socket(socket.AF_UNIX)",
        "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
        "os.mknod('device')" if os.getuid() else "os.mknod('device', 0o20666, os.makedev(1, 1))",
        "os.nice(-1)",
        "os.setuid(0) or os.getuid() or 1 / 0",
        "os.kill(GRADER, 0)",
    ],
)
def test_what_a_notebook_has_no_use_for_is_refused(attempt: Attempt, source: str) -> None:
    """Are sockets, devices, privileges and signals to the process that judges it denied?"""
    if "setuid" in source and os.getuid() == 0 and attempt("os.getuid()") == ("done", "0"):
        pytest.skip("an unprivileged user could not read this Python, so root runs it, stripped")
    assert attempt(source.replace("GRADER", str(os.getpid())))[0] == "refused"


CALL = "(lambda c: (c.syscall({}), ctypes.get_errno()))(ctypes.CDLL(None, use_errno=True))"
DANGEROUS = "ptrace", "unshare", "mount", "bpf", "keyctl", "setns", "sched_setaffinity"
MAILBOXES = "shmget", "semget", "msgget", "mq_open"  # of the kernel, shared with other submissions
HIDDEN = ("memfd_create", "inotify_init1", "fanotify_init", "io_setup")  # counted for no process
DEATHS = 1, 4, 36  # the signal at a parent's death, hiding from the referee, taking orphans in
NEWER = 457, 458, 463, 467, 469, 500, 1000  # than the table of calls


def test_dangerous_system_calls_are_refused(attempt: Attempt) -> None:
    """Does the filter answer EPERM, and to what nobody has looked at as an older kernel would?"""
    machine = os.uname().machine
    numbers, clone = seccomp.CALLS[machine], seccomp.CLONE[machine]
    refused = {
        **{name: f"{numbers[name]}, 0, 0, 0, 0, 0" for name in (*DANGEROUS, *HIDDEN)},
        **{name: f"{numbers[name]}, 0x707, 8, 0o1666, 0, 0" for name in MAILBOXES},
        **{f"prctl {of}": f"{seccomp.PRCTL[machine]}, {of}, 0, 0, 0, 0" for of in DEATHS},
        "clone of a namespace": f"{clone}, 0x10000011, 0, 0, 0, 0",
    }
    missing = {str(number): f"{number}, 0, 0, 0, 0, 0" for number in (seccomp.CLONE3, *NEWER)}
    answers = {name: attempt(CALL.format(call)) for name, call in (refused | missing).items()}
    assert answers == {
        **dict.fromkeys(refused, ("done", "(-1, 1)")),
        **dict.fromkeys(missing, ("done", "(-1, 38)")),
    }


OTHERS = (  # calls that change, signal or look into a process by its id
    "sched_setparam", "sched_setscheduler", "sched_setattr", "ioprio_set", "migrate_pages",
    "move_pages", "get_robust_list", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "process_vm_readv",
    "kcmp",
)  # fmt: skip
NEW_OTHERS = "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "process_madvise", "process_mrelease"


def test_no_call_names_another_process(attempt: Attempt) -> None:
    """Do limits and priorities concern the caller alone, and are all other such calls refused?"""
    machine = os.uname().machine
    limits, priority = seccomp.OWN_CALLS[machine][seccomp.AT_FIRST_ARGUMENT]
    both, far = "(ctypes.c_ulong * 2)()", 1 << 32  # the kernel takes the lower half of a number
    others = {
        "limits": f"{limits}, 1, 7, 0, {both}",
        "limits of oneself by name": f"{limits}, os.getpid(), 7, 0, {both}",
        "limits, by a long number": f"{limits}, {far + 1}, 7, 0, {both}",
        "priority of a process": f"{priority}, 0, 1, 19",
        "priority of a group": f"{priority}, 1, 0, 19",
        "priority of a user": f"{priority}, 2, 0, 19",
        "a process that shares a core": f"{seccomp.PRCTL[machine]}, 62, 2, 1, 0, 0",
        **{f"owner, {of:#x}": f"{seccomp.IOCTL[machine]}, 0, {of}, 0" for of in (0x8901, 0x8902)},
        **{name: f"{seccomp.CALLS[machine][name]}, 1, 1, 1, 0, 0" for name in OTHERS},
        **{name: f"{seccomp.NEW_CALLS[name]}, 1, 1, 1, 0, 0" for name in NEW_OTHERS},
        **{f"clock, {n}": f"{n}, {~os.getpid() << 3 | 2}, 0" for n in seccomp.CLOCKS[machine]},
    }
    answers = {name: attempt(CALL.format(call)) for name, call in others.items()}
    assert answers == dict.fromkeys(others, ("done", "(-1, 1)"))


def test_nothing_is_read_of_another_process(attempt: Attempt) -> None:
    """Are its group, session, scheduling and priorities out of sight, and one's own not?"""
    first, second = seccomp.OWN_READS[os.uname().machine].values()
    for pid in (os.getpid(), os.getppid()):
        calls = [*(f"{n}, {pid}, 0, 0" for n in first), *(f"{n}, 1, {pid}, 0" for n in second)]
        for call in calls:
            assert attempt(CALL.format(call))[1].startswith("(-1, ")
    assert (
        attempt("os.getpgid(0) > 0 and os.getsid(0) > 0 and os.sched_getscheduler(0)")[0] == "done"
    )


def test_nobody_catches_the_signal_that_libc_has_taken(attempt: Attempt) -> None:
    """Can no check use it to tell the next one something? `between_checks` sees all others."""
    number = seccomp.SIGACTION[os.uname().machine]
    assert attempt(CALL.format(f"{number}, 33, 0, 0, 8")) == ("done", "(-1, 1)")
    assert attempt(CALL.format(f"{number}, 32, 0, 0, 8"))[1].startswith("(0, ")


def test_files_of_others_keep_their_modes_and_times(attempt: Attempt, tmp_path: Path) -> None:
    """Is a file that belongs to the same user out of reach for chmod, utime, chown and xattr?"""
    bait = Path(tempfile.mkdtemp(dir=Path.cwd().anchor + "tmp")) / "gradebook.db"
    bait.touch(mode=0o600)
    os.utime(bait, (7, 7))
    for folder in (bait, bait.parent):
        os.chown(folder, *[jail.NOBODY if os.getuid() == 0 else -1] * 2)
    try:
        for call in ("chmod({}, 0o666)", "utime({}, (9, 9))", "setxattr({}, 'user.x', b'y')"):
            attempt(f"os.{call.format(repr(str(bait)))}")
        attempt(f"os.chown({str(bait)!r}, -1, -1)")
        for parent in ("fchmodat", "fchmodat2"):
            number = seccomp.FILE_CALLS[os.uname().machine].get(parent, 452)
            attempt(CALL.format(f"{number}, -100, {str(bait).encode()!r}, 0o666, 0"))
        told = bait.stat()
        assert (told.st_mode & 0o777, told.st_mtime) == (0o600, 7)
        assert os.listxattr(bait) == []
    finally:
        shutil.rmtree(bait.parent)


SHARED = os.__file__, "/dev/null"  # what every submission can open
LOCK = struct.Struct("hhqqi")
LOCKS = {  # the words by which student code locks `end`, and asks who does
    "flock": "fcntl.flock(end, fcntl.LOCK_EX | fcntl.LOCK_NB)",
    "flock, shared": "fcntl.flock(end, fcntl.LOCK_SH | fcntl.LOCK_NB)",
    "read lock": "fcntl.fcntl(end, fcntl.F_SETLK, reading)",
    "write lock": "fcntl.fcntl(end, fcntl.F_SETLK, writing)",
    "lock of an open file": "fcntl.fcntl(end, 37, reading)",
}
LOCKING = """
import fcntl, struct
reading, writing = (struct.pack("hhqqi", kind, 0, 0, 1, 0) for kind in (0, 1))
def lock(path, source):
    global end
    end = os.open(path, os.O_RDWR if path == "/dev/null" else os.O_RDONLY)
    return attempt(source)
"""


@pytest.mark.parametrize("path", SHARED)
@pytest.mark.parametrize("how", LOCKS)
def test_no_lock_reaches_who_can_open_the_same_file(
    submission: Submission, path: str, how: str
) -> None:
    """Does one neither keep others from a file nor tell them anything, and is no error?"""
    with submission.student() as student, Path(path).open("rb") as file:
        if how != "write lock" or path == "/dev/null":
            assert student.lock(path, LOCKS[how])[0] == "done"
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for command in (fcntl.F_GETLK, 36):  # of a process, and of an open file
            asked = fcntl.fcntl(file, command, LOCK.pack(fcntl.F_WRLCK, 0, 0, 1, 0))
            assert LOCK.unpack(asked)[0] == fcntl.F_UNLCK
        assert student.lock(path, LOCKS["flock"])[0] == "done"
        held = student.lock(path, "fcntl.fcntl(end, fcntl.F_GETLK, writing)[:2]")
        assert held == ("done", repr(LOCK.pack(fcntl.F_WRLCK, 0, 0, 1, 0)[:2]))


def test_what_the_player_holds_open_is_its_pipe_and_no_more(attempt: Attempt) -> None:
    """Is no descriptor of the referee's inherited?"""
    found = "[n for n in range(256) if attempt(f'os.fstat({n})')[0] == 'done']"
    kind, numbers = attempt(found)
    assert kind == "done"
    assert len(eval(numbers)) == 4


def test_only_the_player_s_part_of_the_referee_is_there(attempt: Attempt) -> None:
    """Is there no oracle to ask, and no rules to look up?"""
    for module in ("nim", "piles", "referee.course", "referee.judging", "referee.intake"):
        assert attempt(f"__import__('{module}')") == ("refused", "ModuleNotFoundError")


SOLVERS = ("bitbully", "hypothesis", "nbgrader", "setuptools")


@pytest.mark.parametrize("module", SOLVERS)
def test_only_what_students_have_can_be_imported(attempt: Attempt, module: str) -> None:
    """Is nothing there that was installed for graders and developers, wherever one looks?"""
    assert attempt(f"__import__('{module}')") == ("refused", "ModuleNotFoundError")
    spec = importlib.util.find_spec(module)
    for file in [spec.origin] if spec and spec.origin else []:
        kind, said = attempt(f"open({file!r}, 'rb').read(1)")
        assert (kind, said) in [("refused", "FileNotFoundError"), ("refused", "PermissionError")]
        place = str(Path(file).parents[1])
        later = f"(sys.path.append({place!r}), __import__('{module}'))"
        assert attempt(later)[0] == "refused"


def test_python_started_by_student_code_has_no_more(attempt: Attempt) -> None:
    """Does a Python that student code starts import as little, and work?"""
    started = "subprocess.run([sys.executable, '-c', {!r}], capture_output=True).stdout"
    assert attempt(started.format("import IPython; print(7)")) == ("done", repr(b"7\n"))
    for module in SOLVERS:
        asked = f"try: import {module}\nexcept ImportError: print(7)"
        if "landlock" not in os.environ.get("PYTEST_CURRENT_TEST", ""):
            assert attempt(started.format(asked)) == ("done", repr(b"7\n"))


def test_what_students_have_can_be_imported() -> None:
    """Are the packages that a course names there with all that they need, and so is `help`?"""
    subject = Subject(packages=("hypothesis>=6", "matplotlib", "unheard-of", "# nothing"))
    source = "import hypothesis, numpy, IPython, matplotlib.pyplot\nhelp, exit, quit"
    for namespaces in (True, False):
        with (
            Server(Limits(memory_bytes=MEMORY_BYTES), subject, namespaces=namespaces) as server,
            Submission(server, [Cell(source, "cell 1")], {}, Limits()) as submission,
        ):
            assert submission.runs[0].error is None


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("subprocess.getoutput('echo hello | cat')", "'hello'"),
        ("__import__('asyncio').run(__import__('asyncio').sleep(0, 7))", "7"),
        ("__import__('sqlite3').connect('own.db').execute('select 7').fetchall()", "[(7,)]"),
        ("time.localtime(0).tm_year in (1969, 1970)", "True"),
        ("__import__('resource').setrlimit(7, (99, 99)) or __import__('resource').getrlimit(7)",
         "(99, 99)"),
        ("os.nice(0) <= os.nice(1) - 1", "True"),
        ("len(os.sched_getaffinity(0)) > 0", "True"),
        ("__import__('shutil').copy2('notes.txt', 'copy.txt')", "'copy.txt'"),
        ("os.utime('notes.txt', (7, 7)), os.chmod('notes.txt', 0o600)", "(None, None)"),
        ("(lambda p: (p.start(), p.join(), p.exitcode))"
         "(__import__('multiprocessing').get_context('fork').Process())", "(None, None, 0)"),
    ],
)  # fmt: skip
def test_honest_code_works_as_usual(attempt: Attempt, source: str, value: str) -> None:
    """Do shells, threads, event loops, databases, clocks and files do what they do elsewhere?"""
    assert attempt(source) == ("done", value)


def test_files_are_limited(attempt: Attempt) -> None:
    """Can no file grow without end?"""
    large = f"open('large', 'wb').write(bytes({Limits().folder_bytes + 2**20}))"
    assert attempt(large) == ("refused", "OSError")


def test_a_folder_in_memory_is_limited(submission: Submission) -> None:
    """Do many files fill their folder and not the machine's memory?"""
    if jail.NAMESPACES[0] not in submission.layers:
        pytest.skip("without namespaces the folder lies on the disk")
    with submission.student() as student:
        for number in range(4):
            last = student.attempt(f"open('part{number}', 'wb').write(bytes(30 * 1024**2))")
    assert last == ("refused", "OSError")


def test_processes_are_limited(submission: Submission) -> None:
    """Does a bomb of processes end at a limit, and the next check work?"""
    if jail.NAMESPACES[2] not in submission.layers:
        pytest.skip("processes are counted where the submission has a user for itself")
    bomb = "[subprocess.Popen(['sleep', '60']) for _ in range(500)]"
    with submission.student() as student:
        assert student.attempt(bomb) == ("refused", "BlockingIOError")
    with submission.student() as student:
        assert student.attempt("7") == ("done", "7")


GRADER = """
import sys
from pathlib import Path
from referee.sandbox.outside.server import Server, advice
from referee.model import Cell, Limits, Subject
from referee.sandbox.outside.submission import Submission

with Server(Limits(memory_bytes=1024**3), namespaces=sys.argv[1] == "namespaces") as server:
    loop = Cell(sys.argv[2], "cell 1")
    Submission(server, [loop], {}, Limits(cell_cpu_seconds=1000))
"""


LOOP = "while True: pass"
DAEMON = """
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
    else:
        os._exit(0)
while True: pass
"""


@pytest.mark.parametrize("source", [LOOP, DAEMON], ids=["loop", "daemon"])
@pytest.mark.parametrize("rung", RUNGS)
def test_a_grader_that_is_killed_leaves_no_process(rung: str, source: str) -> None:
    """Does a loop end with the program that has asked for it, however that one ends?"""
    with subprocess.Popen([sys.executable, "-c", GRADER, rung, source]) as grader:
        me = psutil.Process(grader.pid)
        while not any(sum(one.cpu_times()[:2]) > 0.2 for one in me.children(recursive=True)[1:]):
            assert grader.poll() is None
        family = me.children(recursive=True)
        grader.kill()
    _, alive = psutil.wait_procs(family, timeout=60)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []


@pytest.mark.parametrize("rung", RUNGS)
def test_nothing_outlives_a_submission_that_ends_itself(rung: str) -> None:
    """Is a process ended that a cell has set apart before it ended its own?"""
    seconds = str(10**6 + secrets.randbelow(10**6))
    source = f"""
import os, subprocess
subprocess.Popen(["sleep", "{seconds}"], start_new_session=True)
os._exit(0)
"""
    with Server(Limits(memory_bytes=MEMORY_BYTES), namespaces=rung == "namespaces") as server:
        Submission(server, [Cell(source, "cell 1")], {}, Limits()).close()
    known = psutil.process_iter(["cmdline"])
    left = [one for one in known if seconds in (one.info["cmdline"] or ())]
    _, alive = psutil.wait_procs(left, timeout=60)
    assert alive == []


@pytest.mark.parametrize("umask", [0o022, 0o077])
@pytest.mark.parametrize("rung", RUNGS)
def test_the_layers_are_the_same_under_any_umask(rung: str, umask: int, tmp_path: Path) -> None:
    """Is the jail right, and a submission at work in it, whatever a grader's files are like?"""
    library = tmp_path / "library.py"
    library.write_text("word = 7")
    library.chmod(0o600)
    subject = Subject(library=(str(library),))
    limits = Limits(memory_bytes=MEMORY_BYTES)
    with Server(limits, namespaces=rung == "namespaces") as usual:
        layers = usual.fork()
        layers.close()
    before = os.umask(umask)
    try:
        with Server(limits, subject, namespaces=rung == "namespaces") as server:
            cell = Cell("import os\nfrom library import word\nmask = os.umask(0)", "cell 1")
            with Submission(server, [cell], {"a/b.txt": b"x"}, Limits()) as submission:
                os.umask(before)
                assert (submission.layers, server.without) == (list(layers.layers), usual.without)
                with submission.student() as student:
                    assert (student.word, student.mask) == (7, 0o022)
    finally:
        os.umask(before)


def test_without_any_isolation_nothing_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is a machine that shuts nothing off refused, with what to do, unless told `unsafe`?"""
    monkeypatch.setattr("referee.sandbox.outside.server.shut_off", lambda layers: False)
    with (
        Server(Limits(memory_bytes=MEMORY_BYTES)) as server,
        pytest.raises(NoIsolationError, match="referee doctor"),
    ):
        server.fork()
    with Server(Limits(memory_bytes=MEMORY_BYTES, unsafe=True)) as server:
        server.fork().close()


@pytest.mark.parametrize("machine", seccomp.CALLS)
def test_a_filter_is_short_enough_for_the_kernel(machine: str) -> None:
    """Is it made for each architecture, of whole instructions, with jumps that fit in a byte?"""
    for files in (True, False):
        code = seccomp.program(machine, files)
        assert len(code) % 8 == 0
        assert len(code) // 8 < 256
    assert set(seccomp.CALLS[machine]) <= set(seccomp.CALLS["x86_64"])


def test_landlock_says_no_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Is a kernel without it told by the answer, and nothing else done?"""
    monkeypatch.setattr(landlock, "CREATE_RULESET", 10**6)  # no such system call
    assert landlock.confine({"/usr": True}, Path("/tmp")) is False


def test_advice_names_what_is_missing() -> None:
    """Does the instructor learn how to get a layer, or that none is missing?"""
    everything = [*jail.NAMESPACES, "own user", "system call filter"]
    assert advice(everything, "") == []
    (first, *rest) = advice(["system call filter", "own user"], "Operation not permitted")
    assert "Operation not permitted" in first
    assert "Landlock" in rest[0]


AS_USER = ("unshare", "-U", "--map-user=4711", "--map-group=4711")
SURVEY = """
from referee.model import Limits
from referee.sandbox.outside.server import Server

for namespaces in (True, False):
    with Server(Limits(memory_bytes=1024**3), namespaces=namespaces) as server:
        print(*server.fork().layers, server.without, sep="|")
"""


def test_it_works_as_a_normal_user_too() -> None:
    """Does an instructor who is not root get the same layers, but for a user of its own?"""
    if subprocess.run([*AS_USER, "true"], check=False).returncode:
        pytest.skip("the kernel makes no such user here")
    done = subprocess.run(
        [*AS_USER, sys.executable, "-c", SURVEY], capture_output=True, text=True, check=True
    )
    first, second = done.stdout.splitlines()
    assert jail.NAMESPACES[0] in first.split("|")
    assert "Landlock" in second.split("|")
    assert "own user" not in done.stdout
