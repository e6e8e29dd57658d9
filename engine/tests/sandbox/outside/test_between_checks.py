"""One check finds nothing of another: what a copy has left behind is gone before the next one."""

import ctypes
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psutil
import pytest

from referee.model import Cell, Limits
from referee.sandbox.inside import jail
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the layers are Linux's")
LIMITS = Limits(memory_bytes=1 << 30, folder_bytes=1 << 22)
FILES = {"notes.txt": b"for all students", "tools/deep.py": b"word = 1"}
CHANNELS = {
    "folders": """
import os
def leave():
    try: open("/dev/shm/left", "w").write("7")
    except PermissionError: pass
    os.remove("notes.txt")
    open("tools/deep.py", "w").write("word = 7")
    os.utime("tools", (7, 7)) if os.path.exists("/home/student") else None
    os.makedirs("a/b/c")
    os.symlink("/etc", "a/b/link")
    os.chmod("a/b", 0)
    os.chmod("a", 0)
    os.rename("tools", "moved")
    os.symlink("/etc", "tools")
def find():
    seen = open("notes.txt").read(), open("tools/deep.py").read()
    left = os.path.exists("/dev/shm/left") or os.stat("tools").st_mtime == 7
    same = seen == ("for all students", "word = 1") and sorted(os.listdir()) == FILES
    return None if same and not left else seen
FILES = ["notes.txt", "tools"]
""",
    "folders in folders": """
import os
def leave():
    here = os.getcwd()
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")
    os.chdir(here)
def find(): return os.path.exists("d") or None
""",
    "files in the folder that the cells went to": """
import os
os.makedirs("a/b")
os.chdir("a/b")
open("made", "w").close()
def leave():
    open("left", "w").close()
    os.remove("made")
def find(): return os.listdir() if os.listdir() != ["made"] else None
""",
    "a process": """
import os, time
def leave():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                time.sleep(0.001)
                open("left", "w").write("7")
        os._exit(0)
    os.wait()
    time.sleep(0.1)
def find():
    time.sleep(0.1)
    return os.path.exists("left") or None
""",
    "how a process has ended": """
import os
def before():
    try: found.append(os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT).si_status)
    except (ChildProcessError, AttributeError): pass
found = []
os.register_at_fork(before=before)
def leave():
    if os.fork() == 0:
        if os.fork() == 0: os._exit(77)
        os._exit(0)
    os.wait()
def find(): return 77 if 77 in found else None
""",
    "memory": """
import mmap
shared = mmap.mmap(-1, 4096)
def leave(): shared[0] = 7
def find(): return shared[0] or None
""",
    "memory that is closed meanwhile": """
import ctypes
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
shared = libc.mmap(None, 4096, 1, 0x21, -1, 0)
def leave():
    libc.mprotect(ctypes.c_void_p(shared), 4096, 3)
    ctypes.memset(shared, 7, 1)
    libc.mprotect(ctypes.c_void_p(shared), 4096, 1)
def find(): return ctypes.string_at(shared, 1)[0] or None
""",
    "open files": """
import os
open("made", "w").close()
file = os.open("made", os.O_RDWR)
os.unlink("made")
reading, writing = os.pipe()
os.set_blocking(reading, False)
def leave(): os.write(file, b"7"), os.write(writing, b"7")
def find():
    try: return os.pread(file, 1, 0) or os.read(reading, 1) or None
    except BlockingIOError: return None
""",
    "a thread": """
import os, threading, time
seen = []
def watch():
    while True:
        time.sleep(0.005)
        if os.path.exists("left"): seen.append(7)
threading.Thread(target=watch, daemon=True).start()
def leave():
    open("left", "w").close()
    time.sleep(0.1)
def find(): return seen or None
""",
    "a timer": """
import os, signal, time
seen = []
signal.signal(signal.SIGALRM, lambda *_: os.path.exists("left") and seen.append(7))
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
def leave():
    open("left", "w").close()
    time.sleep(0.1)
def find(): return seen or None
""",
    "a signal of crashes": """
import os, signal
seen, cells = [], os.getpid()
signal.signal(signal.SIGFPE, lambda *_: seen.append(7))
def leave(): os.kill(cells, signal.SIGFPE)
def find(): return seen or None
""",
}  # fmt: skip


@pytest.mark.parametrize("name", CHANNELS)
def test_a_check_leaves_nothing_to_the_next(walled: Server, name: str) -> None:
    """Is whatever a check can write to gone, or as it was, when the next one begins?

    And is the submission's folder removed, however it was left?
    """
    with Submission(walled, [Cell(CHANNELS[name], "cell 1")], FILES, LIMITS) as submission:
        assert submission.runs[0].error is None
        for _ in range(3):
            with submission.student() as student:
                assert student.find() is None
                student.leave()
    assert [*Path(walled._home.name, "work").iterdir()] == []


def test_what_the_cells_left_is_there_for_every_check(walled: Server) -> None:
    """Are their files there as they were: content, modes, times and links?

    Is nothing put in order as long as something is asked, by one of two copies?
    """
    cell = """
import os, pathlib
pathlib.Path("mine/deep").mkdir(parents=True)
pathlib.Path("mine/deep/data").write_bytes(bytes(range(256)))
os.symlink("mine/deep/data", "link")
os.link("mine/deep/data", "mine/same")
os.chmod("mine/deep", 0o500)
times = os.stat("mine/deep/data").st_mtime, os.stat("mine").st_mtime
def look():
    now = os.stat("mine/deep/data").st_mtime, os.stat("mine").st_mtime
    modes = [os.stat(one).st_mode & 0o777 for one in ("mine/deep", "mine/same")]
    return sorted(os.listdir()), open("link", "rb").read()[-1], now == times, modes
"""
    with Submission(walled, [Cell(cell, "cell 1")], FILES, LIMITS) as submission:
        assert submission.runs[0].error is None
        mode = 0o500 if walled.without == "" else 0o755  # without namespaces chmod does nothing
        left = ["link", "mine", "notes.txt", "tools"], 255, True, [mode, 0o644]
        for _ in range(3):
            with submission.student() as student:
                assert student.look() == left
            with submission.student() as one, submission.student() as other:
                assert one.look() == other.look() == left
            assert submission._process._possible


DAEMONS = """
import os, time
def start(work):
    for _ in range(3):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                work()
                time.sleep(1000)
            os._exit(0)
    time.sleep(1000)
def eat(): held.append(os.urandom(1 << 20) * 150)
def compute():
    while True: pass
held = []
"""


@pytest.mark.parametrize(("work", "verdict"), [("eat", "memory"), ("compute", "timeout")])
def test_what_a_daemon_uses_is_the_submissions(walled: Server, work: str, verdict: str) -> None:
    """Are memory and time counted of processes that have left their parent and their session?"""
    limits = msgspec.structs.replace(
        LIMITS, memory_bytes=200 << 20, check_cpu_seconds=3 if work == "eat" else 1
    )
    with (
        Submission(walled, [Cell(DAEMONS, "cell 1")], FILES, limits) as submission,
        submission.student() as student,
        pytest.raises(Stopped) as caught,
    ):
        student.start(getattr(student, work))
    assert caught.value.verdict == verdict


@pytest.fixture
def heir() -> Iterator[psutil.Process]:
    """This process, which inherits what others leave behind: as the first one of a container."""
    libc = ctypes.CDLL(None)
    libc.prctl(jail.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    yield psutil.Process()
    libc.prctl(jail.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


ENDINGS = "", "if not os.fork():\n    os.setsid()\n    time.sleep(1000)", "os._exit(0)"
APART = "import os, subprocess, time\nsubprocess.Popen(['sleep', '1000'], start_new_session=True)"


@pytest.mark.parametrize("more", ENDINGS)
def test_no_process_is_left_to_who_does_not_wait_for_it(
    walled: Server, heir: psutil.Process, more: str
) -> None:
    """Is all ended that a cell has set apart, also where it ends its own process?

    Is the table of processes as before, which else would be full after some submissions?
    """
    with Submission(walled, [], FILES, LIMITS):
        before = {*heir.children(recursive=True)}
    for _ in range(10):
        with Submission(walled, [Cell(f"{APART}\n{more}", "cell 1")], FILES, LIMITS):
            pass
    end = time.monotonic() + 60
    while new := {*heir.children(recursive=True)} - before:
        assert not new & {*heir.children()} and time.monotonic() < end
        time.sleep(0.01)


def test_too_much_to_keep_is_run_again(walled: Server) -> None:
    """Does a folder that is too large to be remembered cost time, and no check?"""
    cell = "x = open('more', 'w').write('x')\nwith open('all', 'wb') as all: all.truncate(1 << 22)"
    with Submission(walled, [Cell(cell, "cell 1")], FILES, LIMITS) as submission:
        for _ in range(2):
            with submission.student() as student:
                assert student.x == 1
        assert not submission._process._possible


def test_what_has_to_run_again_is_not_on_the_codes_account(walled: Server) -> None:
    """Do checks go on after slow cells that leave a thread, and does a human decide at last?"""
    cell = """
import threading, time
threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
end = time.process_time() + 0.3
while time.process_time() < end: pass
x = 1
"""
    limits = msgspec.structs.replace(LIMITS, submission_cpu_seconds=1.2)
    verdicts = []
    with Submission(walled, [Cell(cell, "cell 1")], FILES, limits) as submission:
        for _ in range(9):
            try:
                with submission.student() as student:
                    assert student.x == 1
                verdicts.append("pass")
            except Stopped as stop:
                assert "its cells had to run again for every check" in str(stop)
                verdicts.append(stop.verdict)
    assert verdicts == sorted(verdicts)
    assert 4 <= verdicts.count("pass") < 9
