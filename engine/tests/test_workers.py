"""Grade a small class by workers that end or are stopped, here and on a cluster: is all right?"""

import contextlib
import json
import os
import platform
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import small_course as small
from classes import Class
from commands import BIN, environment
from formgrading import run
from small_course import NAME
from terminal import hear_ctrl_c

from referee import grading as judging
from referee import intake, workers
from referee.course import Course
from referee.judging import bundle, digests, suspension
from referee.model import Judged, Limits

SLOW = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"
KILLER = "def double(n):\n    return 666 if n == 666 else 2 * n"
HALF = "def double(n):\n    return abs(2 * n)"


@pytest.fixture
def made(tmp_path: Path) -> Class:
    """A class of nobody."""
    return Class.made(tmp_path)


def hand_in(made: Class, count: int, before: str = "") -> dict[str, float]:
    """Hand in for so many students, every third with half of `double`; return their points."""
    for number in range(count):
        double = small.SOLVED["double"] if number % 3 else HALF
        made.hand_in(f"s{number:02}", double=f"# {number}\n{before}{double}")
    return {f"s{number:02}": 10.0 if number % 3 else 7.0 for number in range(count)}


def started(root: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [BIN / command[0], *command[1:]],
        cwd=root, env=environment(), start_new_session=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=hear_ctrl_c,
    )  # fmt: skip


def wait_for(made: Class, count: int, grading: subprocess.Popen[str]) -> None:
    """Return when so many students are in the gradebook."""
    while len(made.totals()) < count:
        assert grading.poll() is None, grading.communicate()[0]


@contextlib.contextmanager
def cluster(root: Path, number: int) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Start a scheduler and workers as their own commands; give its address, and all of them."""
    file = root / "scheduler.json"
    either = "--host", "127.0.0.1", "--scheduler-file", str(file), "--no-dashboard"
    alone = "--nthreads", "1", "--no-nanny", "--death-timeout", "60"
    made = [started(root, "dask", "scheduler", *either, "--port", "0")]
    made += [started(root, "dask", "worker", *either, *alone) for _ in range(number)]
    try:
        while not file.is_file() or not file.read_bytes().endswith(b"}"):
            assert made[0].poll() is None, made[0].communicate()[0]
        yield json.loads(file.read_bytes())["address"], made
    finally:
        for process in made:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def test_a_cluster_that_loses_a_worker_grades_everybody_once(made: Class) -> None:
    """Is the class complete, with the right marks, when one of two workers is killed?"""
    expected = hand_in(made, 6, SLOW)
    with cluster(made.root, 2) as (address, (_, worker, _)):
        grading = started(made.root, "referee", "grade", NAME, "--scheduler", address)
        wait_for(made, 2, grading)
        os.killpg(worker.pid, signal.SIGKILL)
        said = grading.communicate()[0]
    assert grading.returncode == 0, said
    assert made.totals() == expected
    assert "6 students: 6 entered" in said


def dies_of_seven(shared: str, job: int) -> int:
    """Note that a job has begun; 7 ends the process, 3 raises, 5 gives what cannot be sent."""
    with (Path(shared) / str(job)).open("a") as file:
        file.write(f"{os.getpid()}\n")
    if job == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return {3: lambda: 1 // 0, 5: lambda: lambda: 5}.get(job, lambda: 2 * job)()


def test_a_job_that_ends_its_worker_is_done_alone_and_then_lost(tmp_path: Path) -> None:
    """Does each job give its result, error or loss, by workers that are replaced when they die?

    What was in work when another job ended its worker is done again.
    """
    jobs = [(str(number), number) for number in range(12)]
    given = dict(workers.run(dies_of_seven, str(tmp_path), jobs, 2))
    assert given.pop("7") == workers.Lost(3)
    assert isinstance(given.pop("3"), ZeroDivisionError)
    assert "pickle" in str(given.pop("5"))
    assert given == {str(n): 2 * n for n in range(12) if n not in (3, 5, 7)}
    tried = [file.read_text("utf-8").split() for file in tmp_path.iterdir()]
    assert max(map(len, tried)) == 3 and sum(map(len, tried)) < 24
    assert not any(psutil.pid_exists(int(pid)) for pids in tried for pid in pids)


@pytest.mark.nightly
def test_a_cluster_that_goes_away_is_said_and_the_rest_done_elsewhere(made: Class) -> None:
    """Does the run end with what to do when the scheduler dies, and keep what was done?"""
    expected = hand_in(made, 12, SLOW)
    with cluster(made.root, 1) as (address, (scheduler, _)):
        grading = started(made.root, "referee", "grade", NAME, "--scheduler", address)
        wait_for(made, 2, grading)
        os.killpg(scheduler.pid, signal.SIGKILL)
        said = " ".join(grading.communicate()[0].split())
    assert grading.returncode == 2, said
    assert "the cluster has gone; what was done is kept, run the same command to go on" in said
    assert "Traceback" not in said, said
    done = made.totals()
    assert done and all(done[name] == expected[name] for name in done)
    said = run(made.root, "referee", "grade", NAME, "--workers", "2")
    assert made.totals() == expected
    assert f"{12 - len(done)} entered, {len(done)} as before" in said


def test_a_submission_that_ends_its_workers_is_left_to_a_human(made: Class) -> None:
    """Are all others graded, and the one reported, without a mark?"""
    expected = hand_in(made, 4)
    made.hand_in("mallory", double=KILLER)
    said = made.grade("--workers", "2", status=1)
    assert (
        "mallory needs you: grading it ended a worker 3 times; not graded, the marks are as before"
        in said
    )
    assert made.totals() == expected


def test_no_cluster_at_the_address_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Does a wrong address end with what to start?"""
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 1)
    said = r"no cluster with a worker at tcp://127\.0\.0\.1:9 .*start `dask scheduler`"
    with pytest.raises(workers.WorkersError, match=said):
        list(workers.run(until_seen, None, [("ada", None)], 1, "tcp://127.0.0.1:9"))


def test_a_worker_of_another_version_is_named_by_its_machine(made: Class) -> None:
    """Does the sentence say where to install what, if Python, referee or a package differs?"""
    assignment = Course(made.root).find(NAME)
    keys = digests.keys(assignment)
    another = workers.WorkersError, f"worker on {platform.node()} runs another version"
    for own, error, said in (
        (keys, intake.UnreadableError, "no notebook was handed in"),
        (keys._replace(course="another"), *another),
    ):
        setting = judging.Setting(assignment, (), {}, Limits(), own.course, "")
        with pytest.raises(error, match=said):
            judging.work(setting, ("ada", intake.HandedIn({}), Judged()))


@pytest.mark.parametrize("is_early", [True, False])
def test_what_is_edited_during_a_grading_is_judged_again(
    made: Class, monkeypatch: pytest.MonkeyPatch, is_early: bool
) -> None:
    """Has nobody kept a mark that was made with a file which the release has no more, whether it
    was saved when the course had just been copied, or after a student?
    """
    rate = made.path(f"release/{NAME}/rate.py")
    rate.write_text("RATE = 2\n")
    made.hidden("seed.txt").write_text("a secret\n")
    for number in range(5):
        double = f"# {number}\nfrom rate import RATE\ndef double(n):\n    return n * RATE"
        made.hand_in(f"s{number}", double=double)
    assignment = suspension.prepared(
        Course(made.root).find(NAME), limits := Course(made.root).limits()
    )
    names = [f"s{number}" for number in range(5)]
    if is_early:
        files = bundle.files

        def edited(*of: Any) -> dict[str, bytes]:
            found = files(*of)
            rate.write_text("RATE = 3\n")
            return found

        monkeypatch.setattr(bundle, "files", edited)
    for _ in judging.grade(assignment, names, limits, judging.Options(workers=1)):
        rate.write_text("RATE = 3\n")
    monkeypatch.undo()
    assert made.totals() == dict.fromkeys(names, 10.0)
    made.grade()
    assert made.totals() == dict.fromkeys(names, 4.0)


def until_seen(_: None, file: Path) -> str:
    """Be at work until somebody has seen it, or for long enough."""
    end = time.monotonic() + 30
    while not file.exists() and time.monotonic() < end:
        pass
    return file.name


def test_who_waits_gets_to_know_for_whom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are those named that are in work, and for how long?"""
    monkeypatch.setattr(workers, "LOOK_SECONDS", 0.01)
    found: list[tuple[str, float]] = []

    def watch(waiting: list[tuple[str, float]]) -> None:
        found.extend(waiting)
        for name, _ in waiting:
            (tmp_path / name).touch()

    jobs = [(name, tmp_path / name) for name in ("ada", "ben")]
    given = dict(workers.run(until_seen, None, jobs, 2, watch=watch))
    assert given == {"ada": "ada", "ben": "ben"}
    assert {name for name, _ in found} == {"ada", "ben"}
    assert all(0 <= seconds < 60 for _, seconds in found)
