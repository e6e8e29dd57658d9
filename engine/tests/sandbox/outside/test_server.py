"""Ask whether what one server has forked shares its imports and nothing else."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from referee.model import Cell, Limits, Subject
from referee.sandbox.outside import conversation
from referee.sandbox.outside.server import Server, files_of
from referee.sandbox.outside.submission import Submission

LIMITS = Limits(memory_bytes=1024**3)
APART = "user", "mnt", "net", "ipc", "uts", "pid"
RUNGS = ["namespaces", "landlock"]


@pytest.fixture(params=RUNGS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Give a server, with each set of layers."""
    namespaces = request.param == "namespaces"
    with Server(LIMITS, namespaces=namespaces) as server:
        server.fork().close()
        if namespaces and server.without:
            pytest.skip(f"no namespaces here: {server.without}")
        yield server


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
    """Return whether all of them end, at the latest after a while."""
    _, left = psutil.wait_procs(family, timeout=60)
    return all(one.status() == psutil.STATUS_ZOMBIE for one in left)


def test_each_is_locked_in_by_itself(server: Server) -> None:
    """Does no submission share a namespace with another one, or with what forked them?"""
    if server.without:
        pytest.skip("there are none")
    one, other = server.fork(), server.fork()
    for kind in APART:
        pids = process(server).pid, one.pid, other.pid
        assert len({Path(f"/proc/{pid}/ns/{kind}").readlink() for pid in pids}) == 3, kind
    one.close()
    other.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_one_that_is_gone_or_stands_still_is_replaced(
    server: Server, monkeypatch: pytest.MonkeyPatch, how: int
) -> None:
    """Does a submission go on when its server does not, and the next one come from a new one?"""
    monkeypatch.setattr(conversation, "FORK_WALL_SECONDS", 3.0)
    before = process(server)
    with Submission(server, [Cell("fine = 1", "cell 1")], {}, LIMITS) as submission:
        assert submission.runs[0].error is None
        before.send_signal(how)
        with submission.student() as student:
            assert student.fine == 1
        assert works(server)
        with submission.student() as student:
            assert student.fine == 1
    assert ended([before])
    assert process(server) != before


MANY = """
import os, time
children = []
def fill():
    try:
        while True:
            child = os.fork()
            if child == 0:
                time.sleep(1000)
            children.append(child)
    except OSError:
        return len(children)
"""


def test_the_processes_of_one_are_not_those_of_another(server: Server) -> None:
    """May a submission start processes, although another one has all that it may have?"""
    if server.without:
        pytest.skip("without namespaces all are of one user")
    one = "import os\nchild = os.fork()\nif not child: os._exit(0)\nfine = 1"
    cells = [Cell(MANY, "cell 1")]
    with Submission(server, cells, {}, LIMITS) as greedy, greedy.student() as student:
        assert student.fill() > 1
        assert works(server, one)


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
from referee import workers
from referee.model import Cell, Limits, Subject
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.server import warm

def work(_, source):
    server = warm(Limits(memory_bytes=1024**3), Subject())
    Submission(server, [Cell(source, "cell 1")], {}, Limits(cell_cpu_seconds=1.5)).close()

if __name__ == "__main__":
    work(None, "x = 1")
    list(workers.run(work, None, [("a", "while True: pass"), ("b", "while True: pass")], 2))
"""


def test_a_grader_with_workers_that_is_killed_leaves_no_process() -> None:
    """Does the process with the imports end with the last worker, and all that it has forked?"""
    with subprocess.Popen([sys.executable, "-c", GRADER]) as grader:
        me = psutil.Process(grader.pid)
        busy: set[int] = set()
        while len(busy) < 2:
            assert grader.poll() is None
            below = me.children(recursive=True)
            busy |= {one.pid for one in below if is_busy(one)}
        family = me.children(recursive=True)
        grader.kill()
    assert ended(family)


def is_busy(one: psutil.Process) -> bool:
    """Return whether a process that student code may live in has computed for a while."""
    try:
        inside = "referee.sandbox.inside.player" in one.cmdline()
        return inside and one.cpu_times().user > 0.2
    except psutil.NoSuchProcess:
        return False
