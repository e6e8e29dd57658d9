"""Grade a small class on clusters that lose workers, or are stopped: is every mark right?"""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import small_course as small
from formgrading import BIN, run
from small_course import NAME
from terminal import hear_ctrl_c

from referee.cluster import connected
from referee.cluster import run as run_jobs

SLOW = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\n"
KILLER = "def double(n):\n    return 666 if n == 666 else 2 * n"
HALF = "def double(n):\n    return abs(2 * n)"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return small.make(tmp_path)


def marks(root: Path) -> dict[str, list[float | None]]:
    """Return the marks of each student; a row that is there twice shows twice."""
    with contextlib.closing(sqlite3.connect(root / "gradebook.db", timeout=60)) as book:
        rows = book.execute(
            "SELECT student_id, auto_score FROM submitted_assignment "
            "JOIN submitted_notebook ON submitted_notebook.assignment_id = submitted_assignment.id "
            "JOIN grade ON grade.notebook_id = submitted_notebook.id "
            "JOIN base_cell ON base_cell.id = grade.cell_id ORDER BY student_id, base_cell.name"
        ).fetchall()
    found: dict[str, list[float | None]] = {}
    for student, score in rows:
        found.setdefault(student, []).append(score)
    return found


def hand_in(root: Path, count: int, before: str = "") -> dict[str, list[float | None]]:
    """Hand in for so many students, every third with half of `double`; return their marks."""
    expected: dict[str, list[float | None]] = {}
    for number in range(count):
        double = small.SOLVED["double"] if number % 3 else HALF
        small.hand_in(root, f"s{number:02}", double=f"# {number}\n{before}{double}")
        expected[f"s{number:02}"] = [6.0 if number % 3 else 3.0, 4.0]
    return expected


def started(root: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [BIN / command[0], *command[1:]],
        cwd=root, env=small.environment(), start_new_session=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=hear_ctrl_c,
    )  # fmt: skip


def wait_for(root: Path, count: int, grading: subprocess.Popen[str]) -> None:
    """Return when so many students are in the gradebook."""
    while len(marks(root)) < count:
        assert grading.poll() is None, grading.communicate()[0]


@contextlib.contextmanager
def cluster(root: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Start a scheduler and workers as their own commands; give its address, and all of them."""
    file = root / "scheduler.json"
    local = ("--host", "127.0.0.1")
    made = [started(root, "dask", "scheduler", *local, "--port", "0", "--scheduler-file",
                    str(file), "--no-dashboard")]  # fmt: skip
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "60")
    for _ in range(workers):
        made.append(
            started(root, "dask", "worker", *local, "--scheduler-file", str(file), *options)
        )
    try:
        while not file.is_file() or not file.read_bytes().endswith(b"}"):
            assert made[0].poll() is None, made[0].communicate()[0]
        yield json.loads(file.read_bytes())["address"], made
    finally:
        for process in made:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def test_a_cluster_that_loses_a_worker_grades_everybody_once(course: Path) -> None:
    """Is the class complete, with the right marks, when one of two workers is killed midway?"""
    expected = hand_in(course, 24, SLOW)
    with cluster(course, 2) as (address, (_, worker, _)):
        grading = started(course, "referee", "grade", NAME, "--scheduler", address)
        wait_for(course, 5, grading)
        os.killpg(worker.pid, signal.SIGKILL)
        said = grading.communicate()[0]
    assert grading.returncode == 0, said
    assert marks(course) == expected
    assert "24 students: 24 entered" in said


def double(shared: str, job: int) -> int:
    (Path(shared) / str(job)).touch()
    return 2 * job


def test_a_result_that_is_lost_with_its_worker_is_worked_out_again(tmp_path: Path) -> None:
    """Does every job give its own result when the workers die holding results already made?"""
    with connected(1) as client:
        jobs = [(str(number), number) for number in range(4)]
        answers = run_jobs(client, double, str(tmp_path), jobs)
        given = dict([next(answers)])
        while len(list(tmp_path.iterdir())) < len(jobs):
            pass
        time.sleep(1)  # the scheduler hears that they are done
        given |= dict([next(answers)])
        for pid in client.run(os.getpid).values():
            os.kill(pid, signal.SIGKILL)
        while client.nthreads():
            pass
        given |= dict(answers)
    assert given == {name: 2 * number for name, number in jobs}


def test_a_cluster_that_goes_away_is_said_and_the_rest_done_elsewhere(course: Path) -> None:
    """Does the run end with what to do when the scheduler dies, and keep what was done?"""
    expected = hand_in(course, 12, SLOW)
    with cluster(course, 1) as (address, (scheduler, _)):
        grading = started(course, "referee", "grade", NAME, "--scheduler", address)
        wait_for(course, 2, grading)
        os.killpg(scheduler.pid, signal.SIGKILL)
        said = " ".join(grading.communicate()[0].split())
    assert grading.returncode == 2, said
    assert "the cluster has gone; what was done is kept, run the same command to go on" in said
    assert "Traceback" not in said, said
    done = marks(course)
    assert done and all(done[name] == expected[name] for name in done)
    said = run(course, "referee", "grade", NAME, "--workers", "2")
    assert marks(course) == expected
    assert f"{12 - len(done)} entered, {len(done)} as before" in said


def test_a_submission_that_ends_its_workers_is_left_to_a_human(course: Path) -> None:
    """Are all others graded, and the one reported, without a mark?"""
    expected = hand_in(course, 4)
    small.hand_in(course, "mallory", double=KILLER)
    said = " ".join(small.grade(course, "--workers", "2", status=1).split())
    assert "mallory needs you: grading it ended a worker 3 times; its marks are as before" in said
    assert marks(course) == expected


def test_no_cluster_at_the_address_is_said(course: Path) -> None:
    """Does a wrong address end with what to start, and write nothing?"""
    hand_in(course, 1)
    said = " ".join(small.grade(course, "--scheduler", "tcp://127.0.0.1:9", status=2).split())
    assert "no cluster with a worker at tcp://127.0.0.1:9" in said
    assert "start `dask scheduler`" in said
    assert marks(course) == {}


def test_a_run_that_is_stopped_goes_on_where_it_was(course: Path) -> None:
    """Does Ctrl-C end the grader and all that it has started, and the next run do the rest?"""
    expected = hand_in(course, 12, SLOW)
    grading = started(course, "referee", "grade", NAME, "--workers", "2")
    wait_for(course, 2, grading)
    family = psutil.Process(grading.pid).children(recursive=True)
    os.killpg(grading.pid, signal.SIGINT)
    said = grading.communicate()[0]
    assert grading.returncode == 130, said
    assert "run it again to go on" in said
    assert "Traceback" not in said
    _, alive = psutil.wait_procs(family, timeout=20)
    assert [process.cmdline() for process in alive] == []
    done = marks(course)
    assert all(done[name] == expected[name] for name in done)
    said = run(course, "referee", "grade", NAME, "--workers", "2")
    assert marks(course) == expected
    assert f"{12 - len(done)} entered, {len(done)} as before" in said
