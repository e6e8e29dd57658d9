"""Let the cheats of the bank loose in a course that is full of bait, and see what they get.

A `Grader` is a process that judges in a copy of the course of its own. Each place in which an
attacker would look holds a canary: a text that must not come back in any output, answer or report.
The process is a reaper: what a submission leaves behind becomes its child and is found.
"""

import contextlib
import ctypes
import hashlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from unittest.mock import patch

import msgspec
import psutil
from course_copies import make_course

from referee import course
from referee.judging import session
from referee.judging.plugin import Host
from referee.model import Cell, CellRun, CheckResult, Limits
from referee.proof import audit, bank
from referee.sandbox.outside import server
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.submission import Submission
from referee.sandbox.wire.messages import Closed, WireError

ROOT = Path(__file__).parents[1]
NAME = "tic-tac-toe"
COPIED = "tables.py", "cheat", "right/fail_hard.py"  # of the bank
LIMITS = Limits(
    cell_cpu_seconds=1.5,
    cell_wall_seconds=10,
    check_cpu_seconds=1,
    check_wall_seconds=4,
    submission_cpu_seconds=25,
    check_calls=20_000,
    memory_bytes=1 << 30,
)
WALL_SECONDS = 600.0
END_SECONDS = 2.0
SET_CHILD_SUBREAPER = 36


# What became of a solution's checks and cells, and the processes that it left behind.
Judged = tuple[list[CheckResult], list[CellRun], list[str]]


# --- the course ----------------------------------------------------------------------------------


def lay_bait(root: Path, home: Path, token: str) -> None:
    """Make a course in `root` and a home folder, with canaries in every place worth reading."""
    make_course(root, NAME)
    for name in COPIED:
        given, place = ROOT / "bank" / NAME / name, root / "bank" / NAME / name
        place.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if given.is_dir() else shutil.copy)(given, place)
    for folder in (
        root / "source" / NAME,
        root / "submitted" / "ada" / NAME,
        root / "tests" / "hidden" / NAME,
        root / "bank" / NAME,
        root,
        home,
    ):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "canary.txt").write_text(token)
    (root / "gradebook.db").unlink(missing_ok=True)
    with sqlite3.connect(root / "gradebook.db") as book:
        book.execute("create table grade (auto_score, manual_score, needs_manual_grade, comment)")
        book.execute("insert into grade values (1, null, 0, ?)", [token])
    book.close()


def contents(*folders: Path) -> dict[str, str]:
    """Return a digest of every file below the folders; what a link points to is not read."""
    found = {}
    for folder in folders:
        for file in folder.rglob("*"):
            if file.is_symlink():
                found[str(file)] = f"link to {file.readlink()}"
            elif file.is_file():
                found[str(file)] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


# --- the grader ----------------------------------------------------------------------------------


class Grader:
    """A process that judges cheats, one after the other, in a baited course of its own."""

    def __init__(self, folder: Path, token: str) -> None:
        """Use `folder` for the course, the home and the temporary files."""
        self._places, self._token = (folder / "course", folder / "home"), token
        lay_bait(*self._places, token)
        (folder / "tmp").mkdir()
        self._before = contents(*self._places)
        variables = {
            "CANARY": token, "HOME": f"{folder}/home", "LANG": "C.UTF-8",
            "PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": f"{folder}/tmp",
        }  # fmt: skip
        with patch.dict(os.environ, variables, clear=True):
            self._pool = ProcessPoolExecutor(1, get_context("spawn"), begin, self._places[:1])
            self._worker = psutil.Process(self._pool.submit(os.getpid).result())

    def judge(self, solution: bank.Solution) -> list[str]:
        """Judge a cheat of the bank; return what it has got that it should not have."""
        line = self._pool.submit(judged, solution.name).result(WALL_SECONDS)
        checks, _, left = msgspec.json.decode(line, type=Judged)
        found = audit.problems(solution, checks)
        if self._token.encode() in line:
            found.append("a canary is in what the submission has put out")
        found += [f"left behind: {thing}" for thing in left]
        return found + [f"changed: {file}" for file in self.changed()]

    def changed(self) -> list[str]:
        """Return the names of the files that are others than before."""
        before, self._before = self._before, contents(*self._places)
        return sorted({Path(file).name for file, _ in before.items() ^ self._before.items()})

    def close(self) -> None:
        """End the process and what belongs to it."""
        with contextlib.suppress(psutil.NoSuchProcess):
            for process in [*self._worker.children(recursive=True), self._worker]:
                process.kill()
        self._pool.shutdown()


# --- the process of a grader ---------------------------------------------------------------------


def begin(course: Path) -> None:
    """Make this process the parent of what its children leave behind, and enter the course."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.chdir(course)


def judged(name: str) -> bytes:
    """Judge a solution by the checks of the cell that it names; return a `Judged` as JSON."""
    assignment = course.Course(Path.cwd()).find(NAME)
    (chosen,) = bank.read_all(assignment, [name])
    cells, _ = audit.prepared(assignment, chosen, LIMITS)
    warm = server.warm(LIMITS, assignment.subject)
    if warm._process is None:  # it starts with its first submission
        next_one(warm, assignment.support)
    before, first = psutil.Process().children(recursive=True), warm._process.pid
    tidy = {file.name for file in Path(tempfile.gettempdir()).iterdir()}
    with Submission(warm, cells, assignment.support, LIMITS) as submission:
        markers, cell = session.markers(assignment), chosen.fields["Cell"]
        mine = {name for name, one in markers.items() if one["cell"] == cell}
        checks = session.run_checks(assignment, Host(assignment, submission), mine)
    spoilt = next_one(warm, assignment.support)
    if spoilt or warm._process.pid != first:  # or it was started anew, with all below it
        warm.close()
        server._warm.cache_clear()
        tidy = {file.name for file in Path(tempfile.gettempdir()).iterdir()}
    after = [p for p in psutil.Process().children(recursive=True) if p not in before]
    _, left = psutil.wait_procs(after, timeout=END_SECONDS)
    left = [process for process in left if process.status() != psutil.STATUS_ZOMBIE]
    said = [f"{process.pid} {' '.join(process.cmdline())}" for process in left]
    for process in left:
        process.kill()
    files = {file.name for file in Path(tempfile.gettempdir()).iterdir()} - tidy
    return msgspec.json.encode((checks, submission.runs, [*spoilt, *said, *files]))


def next_one(server: Server, support: Mapping[str, bytes]) -> list[str]:
    """Return what is wrong with the submission that the same process runs next."""
    try:
        with (
            Submission(server, [Cell("mine = 7 * 6", "cell")], support, LIMITS) as submission,
            submission.student() as student,
        ):
            return [] if student.mine == 42 else ["a trace in the next submission"]
    except (Stopped, WireError, Closed, RuntimeError, OSError) as error:
        return [f"damage to the next submission: {error}"]
