"""Ask whether zygotes that one process has forked share its imports and nothing else."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from referee import workers
from referee.model import Cell, Limits, Subject
from referee.sandbox.outside import forkserver
from referee.sandbox.outside.forkserver import ForkServer, imports
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote, warm
from referee.sandbox.wire import messages

LIMITS = Limits(memory_bytes=1024**3)
NEEDED = imports(LIMITS.memory_bytes, Subject(), 0)
APART = "user", "mnt", "net", "ipc", "uts"
RUNGS = ["namespaces", "landlock"]


@pytest.fixture(params=RUNGS)
def pair(request: pytest.FixtureRequest) -> Iterator[tuple[Zygote, Zygote]]:
    """Give two zygotes of one server, with each set of layers."""
    namespaces = request.param == "namespaces"
    server = ForkServer(NEEDED)
    with (
        Zygote(LIMITS, namespaces=namespaces, server=server) as one,
        Zygote(LIMITS, namespaces=namespaces, server=server) as other,
    ):
        for zygote in (one, other):
            zygote.fork(messages.Fork()).end()
        if namespaces and one.without:
            pytest.skip(f"no namespaces here: {one.without}")
        yield one, other
    server.close()


def process(zygote: Zygote) -> psutil.Process:
    """Return the process of a zygote that has started."""
    assert zygote._process is not None
    return psutil.Process(zygote._process.pid)


def works(zygote: Zygote, source: str = "fine = 1") -> bool:
    """Return whether a submission runs, and a check gets its answer."""
    with (
        Submission(zygote, [Cell(source, "cell 1")], {}, LIMITS) as submission,
        submission.student() as student,
    ):
        return bool(student.fine == 1)


def ended(family: list[psutil.Process]) -> bool:
    """Return whether all of them end, at the latest after a while."""
    _, left = psutil.wait_procs(family, timeout=60)
    return all(one.status() == psutil.STATUS_ZOMBIE for one in left)


def test_they_come_from_one_process(pair: tuple[Zygote, Zygote]) -> None:
    """Is everything imported once?"""
    one, other = map(process, pair)
    assert one.pid != other.pid
    assert one.parent() == other.parent()


def test_each_is_locked_in_by_itself(pair: tuple[Zygote, Zygote]) -> None:
    """Does no zygote share a namespace with another one, or with the process that forked them?"""
    if pair[0].without:
        pytest.skip("there are none")
    parents = [process(pair[0]).parent(), *map(process, pair)]
    for kind in APART:
        spaces = {Path(f"/proc/{one.pid}/ns/{kind}").readlink() for one in parents if one}
        assert len(spaces) == 3, kind


def test_one_that_is_killed_takes_no_other_along(pair: tuple[Zygote, Zygote]) -> None:
    """Does a submission go on, although the zygote of another one was killed, and comes back?"""
    one, other = pair
    with Submission(other, [Cell("fine = 1", "cell 1")], {}, LIMITS) as submission:
        assert submission.runs[0].error is None
        process(one).send_signal(signal.SIGKILL)
        with submission.student() as student:
            assert student.fine == 1
        assert works(one)
        with submission.student() as student:
            assert student.fine == 1


def test_they_outlive_the_process_that_forked_them(pair: tuple[Zygote, Zygote]) -> None:
    """Does a submission go on when that is killed, and is the next zygote forked by a new one?"""
    one, other = pair
    server = process(one).parent()
    assert server is not None
    with Submission(other, [Cell("fine = 1", "cell 1")], {}, LIMITS) as submission:
        assert submission.runs[0].error is None
        server.kill()
        with submission.student() as student:
            assert student.fine == 1
    process(one).send_signal(signal.SIGKILL)
    assert works(one)
    assert process(one).parent() not in (None, server)


def test_a_process_that_stands_still_is_replaced(
    pair: tuple[Zygote, Zygote], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is the one that forks them started anew when it does not answer, and does the other go on?"""
    one, other = pair
    server = process(one).parent()
    assert server is not None
    server.suspend()
    with monkeypatch.context() as patched:
        patched.setattr(forkserver, "FORK_WALL_SECONDS", 0.1)
        with pytest.raises(TimeoutError):
            one._server.fork(True)
    assert ended([server])
    process(one).send_signal(signal.SIGKILL)
    assert works(one)
    assert works(other)


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


def test_the_processes_of_one_are_not_those_of_another(pair: tuple[Zygote, Zygote]) -> None:
    """May a submission start processes, although another one has all that it may have?"""
    one, other = pair
    if one.without:
        pytest.skip("without namespaces all are of one user")
    with Submission(one, [Cell(MANY, "cell 1")], {}, LIMITS) as greedy, greedy.student() as student:
        assert student.fill() > 1
        assert works(other, "import os\nchild = os.fork()\nif not child: os._exit(0)\nfine = 1")


def _of_worker(_: None, seed: int) -> tuple[int, int]:
    """Return the processes of a worker and of who has forked its zygote."""
    zygote = warm(LIMITS, Subject(), seed)
    assert works(zygote)
    server = process(zygote).parent()
    assert server is not None
    return os.getpid(), server.pid


@pytest.mark.skipif(messages.SCM_CREDENTIALS is None, reason="each worker has its own here")
def test_workers_ask_the_process_of_who_has_forked_them() -> None:
    """Do all workers have zygotes of what was imported before they began, if it is the same?"""
    seed = 4711  # nobody else uses it
    assert works(warm(LIMITS, Subject(), seed))
    mine = process(warm(LIMITS, Subject(), seed)).parent()
    assert mine is not None
    with workers.opened(2) as benches:
        jobs = [("a", seed), ("b", seed)]
        found = dict(benches.run(_of_worker, None, jobs))
        (other,) = dict(benches.run(_of_worker, None, [("c", seed + 1)])).values()
    assert {server for _, server in found.values()} == {mine.pid}
    assert os.getpid() not in {worker for worker, _ in found.values()}
    assert other[1] != mine.pid, "another hash seed is another process"
    assert works(warm(LIMITS, Subject(), seed)), "it does not end with the workers"


def test_other_files_of_a_library_are_other_imports(tmp_path: Path) -> None:
    """Are equal files at another place the same, and edited ones not?"""
    here, there = tmp_path / "here/rules.py", tmp_path / "there/rules.py"
    for file in (here, there):
        file.parent.mkdir()
        file.write_text("x = 1")

    def of(file: Path) -> object:
        return imports(1, Subject(library=(str(file),)), 0)

    assert of(here) == of(there)
    there.write_text("x = 2")
    assert of(here) != of(there)


GRADER = """
from referee import workers
from referee.model import Cell, Limits, Subject
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import warm

def work(_, source):
    zygote = warm(Limits(memory_bytes=1024**3), Subject())
    Submission(zygote, [Cell(source, "cell 1")], {}, Limits(cell_cpu_seconds=1.5)).close()

if __name__ == "__main__":
    work(None, "x = 1")
    with workers.opened(2) as benches:
        list(benches.run(work, None, [("a", "while True: pass"), ("b", "while True: pass")]))
"""


def test_a_grader_with_workers_that_is_killed_leaves_no_process() -> None:
    """Do the process with the imports and its zygotes end with the last worker?"""
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
