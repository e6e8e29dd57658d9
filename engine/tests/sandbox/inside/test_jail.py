"""Student code is shut off from the machine, with each set of layers that a machine may offer."""

import fcntl
import importlib.util
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

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
SECRETS = {"pyproject.toml", "nim", ".ssh", ".bashrc"}
"""

Attempt = Callable[[str], tuple[str, str]]


@pytest.fixture(scope="module")
def submission(walled: Server) -> Iterator[Submission]:
    """Give a submission behind each set of layers."""
    cells = [Cell(text, f"cell {n}") for n, text in enumerate([IMPORTS, TRYING, LOCKING], start=1)]
    with Submission(walled, cells, {"notes.txt": b"for all students"}, Limits()) as started:
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


COURSES = PROJECT, COURSE / "source", COURSE / "tests/hidden", Path.home(), Path("/proc/1/environ")
SOLVERS = "bitbully", "hypothesis", "nbgrader", "setuptools"  # for graders and developers
OURS = "nim", "piles", "referee.course", "referee.judging", "referee.intake"
INSTALLED = [spec.origin for name in SOLVERS if (spec := importlib.util.find_spec(name))]
REFUSED = (
    *(f"open({str(path / 'pyproject.toml')!r}).read()" for path in COURSES),
    *(f"[1][not SECRETS & {{*os.listdir({str(path)!r})}}]" for path in COURSES),
    *(f"open({str(file)!r}, 'rb').read(1)" for file in INSTALLED),
    *(f"__import__({module!r})" for module in (*SOLVERS, *OURS)),
    *(f"(sys.path.append({str(Path(str(file)).parents[1])!r}), __import__({module!r}))"
      for module, file in zip(SOLVERS, INSTALLED, strict=False)),
    "open('/tmp/owned', 'w')", "open('/usr/owned', 'w')",
    "socket.socket()", "socket.socket(socket.AF_UNIX)",
    "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "os.mknod('device')" if os.getuid() else "os.mknod('device', 0o20666, os.makedev(1, 1))",
    "os.nice(-1)", f"os.kill({os.getpid()}, 0)",
    "os.setuid(0) if os.getuid() else 1 / 0",  # root itself, which runs student code, is stripped
    "os.open(os.__file__, 3)", "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    f"open('large', 'wb').write(bytes({Limits().folder_bytes + 2**20}))",
)  # fmt: skip
DONE = {  # by honest code, and its value
    "[n for n in range(256) if attempt(f'os.fstat({n})')[0] == 'done'].__len__()": "4",
    "subprocess.getoutput('echo hello | cat')": "'hello'",
    "subprocess.getoutput(sys.executable + ' -c \"import IPython; print(7)\"')": "'7'",
    "'7' in subprocess.getoutput(sys.executable + ' -c \"import nbgrader; print(7)\"')": "False",
    "__import__('asyncio').run(__import__('asyncio').sleep(0, 7))": "7",
    "__import__('sqlite3').connect('own.db').execute('select 7').fetchall()": "[(7,)]",
    "time.localtime(0).tm_year in (1969, 1970)": "True",
    "__import__('resource').setrlimit(7, (99, 99)) or __import__('resource').getrlimit(7)":
        "(99, 99)",
    "os.nice(0) <= os.nice(1) - 1": "True",
    "len(os.sched_getaffinity(0)) > 0": "True",
    "'PATH' in os.environ, {'COURSE_TOKEN', 'secret'} & {*sum(os.environ.items(), ())}":
        "(True, set())",
    "os.getpgid(0) > 0 and os.getsid(0) > 0 and os.sched_getscheduler(0)": "0",
    "__import__('shutil').copy2('notes.txt', 'copy.txt')": "'copy.txt'",
    "os.utime('notes.txt', (7, 7)), os.chmod('notes.txt', 0o600)": "(None, None)",
    "(lambda p: (p.start(), p.join(), p.exitcode))"
    "(__import__('multiprocessing').get_context('fork').Process())": "(None, None, 0)",
}  # fmt: skip


def test_what_a_notebook_has_no_use_for_is_refused(attempt: Attempt) -> None:
    """Are course, homes, other processes, sockets, devices, privileges and packages denied?"""
    assert {source: attempt(source)[0] for source in REFUSED} == dict.fromkeys(REFUSED, "refused")


def test_honest_code_works_as_usual(attempt: Attempt) -> None:
    """Do shells, threads, event loops, databases, clocks and files do what they do elsewhere?"""
    assert {source: attempt(source) for source in DONE} == {
        source: ("done", value) for source, value in DONE.items()
    }


CALL = "(lambda c: (c.syscall({}), ctypes.get_errno()))(ctypes.CDLL(None, use_errno=True))"
DANGEROUS = (
    "ptrace", "unshare", "mount", "bpf", "keyctl", "setns", "sched_setaffinity", "setsockopt",
)  # fmt: skip
MAILBOXES = "shmget", "semget", "msgget", "mq_open"  # of the kernel, shared with other submissions
HIDDEN = ("memfd_create", "inotify_init1", "fanotify_init", "io_setup")  # counted for no process
DEATHS = 1, 4, 36  # the signal at a parent's death, hiding from the referee, taking orphans in
NEWER = 457, 458, 463, 467, 469, 500, 1000  # than the table of calls
OTHERS = (  # calls that change, signal or look into a process by its id
    "sched_setparam", "sched_setscheduler", "sched_setattr", "ioprio_set", "migrate_pages",
    "move_pages", "get_robust_list", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "process_vm_readv",
    "kcmp",
)  # fmt: skip
NEW_OTHERS = "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "process_madvise", "process_mrelease"


def test_dangerous_system_calls_are_refused(attempt: Attempt) -> None:
    """Is the answer EPERM, and to what nobody has looked at that of an older kernel?

    No call names another process: limits, priorities and clocks concern the caller alone.
    """
    machine = os.uname().machine
    numbers, clone = seccomp.CALLS[machine], seccomp.CLONE[machine]
    limits, priority = seccomp.OWN_CALLS[machine][seccomp.AT_FIRST_ARGUMENT]
    both, far = "(ctypes.c_ulong * 2)()", 1 << 32  # the kernel takes the lower half of a number
    refused = [
        *(f"{numbers[name]}, 0, 0, 0, 0, 0" for name in (*DANGEROUS, *HIDDEN)),
        *(f"{numbers[name]}, 0x707, 8, 0o1666, 0, 0" for name in MAILBOXES),
        *(f"{seccomp.PRCTL[machine]}, {of}, 0, 0, 0, 0" for of in DEATHS),
        f"{clone}, 0x10000011, 0, 0, 0, 0",  # of a namespace
        *(f"{clone}, {shared | 17}, 0, 0, 0, 0" for shared in (0x100, 0x200, 0x400)),
        f"{limits}, 1, 7, 0, {both}", f"{limits}, os.getpid(), 7, 0, {both}",
        f"{limits}, {far + 1}, 7, 0, {both}",
        f"{priority}, 0, 1, 19", f"{priority}, 1, 0, 19", f"{priority}, 2, 0, 19",
        f"{seccomp.PRCTL[machine]}, 62, 2, 1, 0, 0",  # a process that shares a core
        *(f"{numbers[name]}, 1, 1, 1, 0, 0" for name in OTHERS),
        *(f"{seccomp.NEW_CALLS[name]}, 1, 1, 1, 0, 0" for name in NEW_OTHERS),
        *(f"{n}, {~os.getpid() << 3 | 2}, 0" for n in seccomp.CLOCKS[machine]),
        # The signal that libc has taken: a check could tell the next one something by it.
        f"{seccomp.SIGACTION[machine]}, 33, 0, 0, 8",
        f"{seccomp.SIGACTION[machine]}, 17, {both}, 0, 8",
    ]  # fmt: skip
    missing = [f"{number}, 0, 0, 0, 0, 0" for number in (seccomp.CLONE3, seccomp.OPENAT2, *NEWER)]
    requests = 0x8901, 0x8902, 0x40087602, 0x40049409
    unknown = [f"{seccomp.IOCTL[machine]}, 0, {of}, 0" for of in requests]
    answers = {call: attempt(CALL.format(call)) for call in refused + missing + unknown}
    assert answers == {
        **dict.fromkeys(unknown, ("done", "(-1, 95)")),
        **dict.fromkeys(refused, ("done", "(-1, 1)")),
        **dict.fromkeys(missing, ("done", "(-1, 38)")),
    }
    own = f"{seccomp.SIGACTION[machine]}, 32, 0, 0, 8"
    assert attempt(CALL.format(own))[1].startswith("(0, ")


def test_nothing_is_read_of_another_process(attempt: Attempt) -> None:
    """Are its group, session, scheduling and priorities out of sight?"""
    first, second = seccomp.OWN_READS[os.uname().machine].values()
    for pid in (os.getpid(), os.getppid()):
        calls = [*(f"{n}, {pid}, 0, 0" for n in first), *(f"{n}, 1, {pid}, 0" for n in second)]
        for call in calls:
            assert attempt(CALL.format(call))[1].startswith("(-1, ")


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_each_submission_is_another_user(tmp_path: Path) -> None:
    """Is it one that no other submission is, where many are judged at a time?"""
    (tmp_path / "packages").mkdir()
    code = f"""
import os
from pathlib import Path
from referee.sandbox.inside import jail
os.__file__ = "/"
for _ in range(3):
    if not os.fork():
        assert jail._give_up_root(Path({str(tmp_path)!r}), jail.OWN_USERS + os.getpid())
        print(*set(os.getresuid()), flush=True)
        os._exit(0)
    os.wait()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert len({*done.stdout.splitlines()} - {"0"}) == 3


def test_no_file_outside_is_read_or_changed(attempt: Attempt) -> None:
    """Is a file out of reach that anybody may read and write, and that is of the same user?

    Not its content, mode, times or owner, nor those of its folder.
    """
    secret = Path(tempfile.mkdtemp(dir="/tmp")) / "gradebook.db"
    secret.write_text("the answer")
    for path, mode in ((secret.parent, 0o755), (secret, 0o666)):
        os.chown(path, *[jail.NOBODY if os.getuid() == 0 else -1] * 2)
        path.chmod(mode)
        os.utime(path, (7, 7))
    try:
        for file, how in ((secret, "r"), (secret, "w"), (secret.parent / "owned", "w")):
            assert attempt(f"open({str(file)!r}, {how!r})")[0] == "refused"
        for call in ("chmod({}, 0o600)", "utime({}, (9, 9))", "setxattr({}, 'user.x', b'y')"):
            attempt(f"os.{call.format(repr(str(secret)))}")
        attempt(f"os.chown({str(secret)!r}, -1, -1)")
        for parent in ("fchmodat", "fchmodat2"):
            number = seccomp.FILE_CALLS[os.uname().machine].get(parent, 452)
            attempt(CALL.format(f"{number}, -100, {str(secret).encode()!r}, 0o600, 0"))
        told = secret.stat()
        assert (told.st_mode & 0o777, told.st_mtime) == (0o666, 7)
        assert os.listxattr(secret) == []
        assert [file.read_text() for file in secret.parent.iterdir()] == ["the answer"]
    finally:
        shutil.rmtree(secret.parent)


LOCK = struct.Struct("hhqqi")
LOCKS = {  # the words by which student code locks `end`
    "flock": "fcntl.flock(end, fcntl.LOCK_EX | fcntl.LOCK_NB)",
    "read lock": "fcntl.fcntl(end, fcntl.F_SETLK, reading)",
    "lock of an open file": "fcntl.fcntl(end, 37, reading)",
}
LOCKING = """
import fcntl, struct
reading, writing = (struct.pack("hhqqi", kind, 0, 0, 1, 0) for kind in (0, 1))
def lock(source):
    global end
    end = os.open(os.__file__, os.O_RDONLY)
    return attempt(source)
"""


@pytest.mark.parametrize("how", LOCKS)
def test_no_lock_reaches_who_can_open_the_same_file(submission: Submission, how: str) -> None:
    """Does one neither keep others from a file nor tell them anything, and is no error?"""
    with submission.student() as student, Path(os.__file__).open("rb") as file:
        assert student.lock(LOCKS[how])[0] == "done"
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for command in (fcntl.F_GETLK, 36):  # of a process, and of an open file
            asked = fcntl.fcntl(file, command, LOCK.pack(fcntl.F_WRLCK, 0, 0, 1, 0))
            assert LOCK.unpack(asked)[0] == fcntl.F_UNLCK
        assert student.lock(LOCKS["flock"])[0] == "done"
        held = student.lock("fcntl.fcntl(end, fcntl.F_GETLK, writing)[:2]")
        assert held == ("done", repr(LOCK.pack(fcntl.F_WRLCK, 0, 0, 1, 0)[:2]))


@pytest.mark.parametrize("namespaces", [True, False])
def test_what_students_have_is_there_whatever_the_graders_umask(
    namespaces: bool, tmp_path: Path
) -> None:
    """Are library and packages, with all that they need, readable by another user, and `help`?"""
    library = tmp_path / "library.py"
    library.write_text("word = 7")
    library.chmod(0o600)
    packages = "hypothesis>=6", "matplotlib", "unheard-of", "# nothing"
    subject = Subject(library=(str(library),), packages=packages)
    source = "import hypothesis, numpy, IPython, matplotlib.pyplot, os\nhelp, exit, quit\n"
    cell = Cell(f"{source}from library import word\nmask = os.umask(0)", "cell 1")
    limits = Limits(memory_bytes=MEMORY_BYTES)
    with Server(limits, namespaces=namespaces) as usual:
        layers = usual.fork()
        layers.close()
    before = os.umask(0o077)
    try:
        with (
            Server(limits, subject, namespaces=namespaces) as server,
            Submission(server, [cell], {"a/b.txt": b"x"}, Limits()) as submission,
        ):
            os.umask(before)
            assert submission.runs[0].error is None
            assert (submission.layers, server.without) == (list(layers.layers), usual.without)
            with submission.student() as student:
                assert (student.word, student.mask) == (7, 0o022)
    finally:
        os.umask(before)


def test_a_folder_in_memory_is_limited(submission: Submission) -> None:
    """Do many files fill their folder and not the machine's memory?"""
    if jail.NAMESPACES[0] not in submission.layers:
        pytest.skip("without namespaces the folder lies on the disk")
    with submission.student() as student:
        for number in range(4):
            last = student.attempt(f"open('part{number}', 'wb').write(bytes(30 * 1024**2))")
    assert last == ("refused", "OSError")


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
