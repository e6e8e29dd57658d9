"""Ask whether what one server has forked shares its imports and nothing else."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from referee.model import Cell, Limits, Subject
from referee.sandbox.outside import conversation, meter
from referee.sandbox.outside.server import Server, files_of
from referee.sandbox.outside.submission import Submission

LIMITS = Limits(memory_bytes=1024**3)
APART = "user", "mnt", "net", "ipc", "uts", "pid"


def process(server: Server) -> psutil.Process:
    """Return the process of a server that has started."""
    assert server._process is not None
    return psutil.Process(server._process.pid)


def works(server: Server, source: str = "fine = 1") -> bool:
    """Return whether a submission runs, and a check gets its answer."""
    with (
        Submission(server, [Cell(source, "cell 1")], {}, LIMITS) as submission,
        submission.student() as student,
    ):
        return bool(student.fine == 1)


def ended(family: list[psutil.Process]) -> bool:
    """Return whether all of them end, at the latest after a while; a zombie has ended."""
    end = time.monotonic() + 60
    while any(meter.alive(one.pid) for one in family):
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_each_is_locked_in_by_itself(walled: Server) -> None:
    """Does no submission share a namespace with another one, or with what forked them?"""
    if walled.without:
        pytest.skip("there are none")
    one, other = walled.fork(), walled.fork()
    for kind in APART:
        pids = process(walled).pid, one.pid, other.pid
        assert len({Path(f"/proc/{pid}/ns/{kind}").readlink() for pid in pids}) == 3, kind
    one.close()
    other.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_one_that_is_gone_or_stands_still_is_replaced(
    walled: Server, monkeypatch: pytest.MonkeyPatch, how: int
) -> None:
    """Does a submission go on when its server does not, and the next one come from a new one?"""
    monkeypatch.setattr(conversation, "FORK_WALL_SECONDS", 5.0)
    before = process(walled)
    with Submission(walled, [Cell("fine = 1", "cell 1")], {}, LIMITS) as submission:
        assert submission.runs[0].error is None
        before.send_signal(how)
        with submission.student() as student:
            assert student.fine == 1
        assert works(walled)
        with submission.student() as student:
            assert student.fine == 1
    assert ended([before])
    assert process(walled) != before


MANY = """
import os, time
children = []
def fill():
    try:
        for _ in range(500):
            child = os.fork()
            if child == 0:
                time.sleep(1000)
            children.append(child)
    except OSError:
        pass
    return len(children)
"""


def test_the_processes_of_one_are_not_those_of_another(walled: Server) -> None:
    """May a submission, and the next check, start processes, although one has all that it may?"""
    if walled.without:
        pytest.skip("without namespaces all are of one user")
    one = "import os\nchild = os.fork()\nif not child: os._exit(0)\nfine = 1"
    with Submission(walled, [Cell(MANY, "cell 1")], {}, LIMITS) as greedy:
        with greedy.student() as student:
            assert 1 < student.fill() <= LIMITS.processes
            assert works(walled, one)
        with greedy.student() as student:
            assert 1 < student.fill() <= LIMITS.processes


def family(pid: int) -> list[psutil.Process]:
    """Return a process and all that it has started, by the names that they have out here."""
    return [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]


LEAVE = "pid = int(subprocess.getoutput('trap \"\" INT; sleep 1000 >/dev/null 2>&1 & echo $!'))"


def test_no_process_is_left_after_close(submit: Callable[..., Submission]) -> None:
    """Does everything that a cell and a check have started end with the submission?"""
    with submit("import subprocess", LEAVE, f"def start(): {LEAVE}") as submission:
        from_cell = family(submission._process.pid)
        assert len(from_cell) > 1
        with pytest.raises(KeyError), submission.student() as student:
            student.start()
            from_check = family(student._process.pid)
            assert all(one.is_running() for one in from_cell + from_check)
            raise KeyError("a check that fails")
        assert ended(from_check)
        assert all(one.is_running() for one in from_cell)
    assert ended(from_cell)


def test_other_files_of_a_library_are_other_imports(tmp_path: Path) -> None:
    """Are equal files at another place the same, and edited ones not?"""
    here, there = tmp_path / "here/rules.py", tmp_path / "there/rules.py"
    for file in (here, there):
        file.parent.mkdir()
        file.write_text("x = 1")

    def of(file: Path) -> object:
        return files_of(Subject(library=(str(file),)))

    assert of(here) == of(there)
    there.write_text("x = 2")
    assert of(here) != of(there)


GRADER = """
import sys
from referee import workers
from referee.model import Cell, Limits
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission

namespaces, source = sys.argv[1:]
limits = Limits(memory_bytes=1024**3, cell_cpu_seconds=1000)
server = Server(limits, namespaces=namespaces == "namespaces")
server.start()

def work(_, source):
    Submission(server, [Cell(source, "cell 1")], {}, limits)

list(workers.run(work, None, [("ada", source), ("ben", source)], 2))
"""
LOOP_AND_DAEMON = """
import os
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.setsid()
while True: pass
"""


@pytest.mark.parametrize("rung", ["namespaces", "landlock"])
def test_a_grader_that_is_killed_leaves_no_process(rung: str) -> None:
    """Do workers, the process with the imports, and all that they have forked end with it?"""
    with subprocess.Popen([sys.executable, "-c", GRADER, rung, LOOP_AND_DAEMON]) as grader:
        me = psutil.Process(grader.pid)
        while sum(map(is_busy, family := me.children(recursive=True))) < 4:
            assert grader.poll() is None
        grader.kill()
    assert ended(family)


def is_busy(one: psutil.Process) -> bool:
    """Return whether a process that student code may live in has computed for a while."""
    try:
        inside = "referee.sandbox.inside.player" in one.cmdline()
        return inside and one.cpu_times().user > 0.2
    except psutil.NoSuchProcess:
        return False
