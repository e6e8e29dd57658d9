"""Run the cheats of the bank against stock nbgrader and against the referee, and print a table.

    python docs/benchmarks/cheats.py [NAME ...] > table.md

Stock nbgrader tests in the student's process: its hidden tests are the asserts of
`stock_nbgrader.TESTS`, written into the test cell of the cell that is attacked. Each attack is
autograded alone, in a temporary course with canaries, for at most 60 seconds, and what it leaves
behind is ended. Needs Linux and takes about a quarter of an hour.
"""

import contextlib
import json
import os
import secrets
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import psutil

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "engine/tests/tools")]

import attacks  # noqa: E402
import stock_nbgrader  # noqa: E402

from referee import course  # noqa: E402
from referee.proof import bank  # noqa: E402

NAME = attacks.NAME
BIN = Path(sys.executable).parent
STUDENT = "mallory"
WALL_SECONDS = 60.0


class Result(NamedTuple):
    """What an attack has got from a grader."""

    points: str
    harm: str


def set_up(root: Path, home: Path, token: str) -> None:
    """Make a baited course that stock nbgrader grades, and build its release and gradebook."""
    attacks.lay_bait(root, home, token)
    (root / "gradebook.db").unlink()
    stock_nbgrader.convert(root, NAME, stock_nbgrader.TESTS)
    shutil.rmtree(root / "release")
    done, said = run(root, home, token, "generate_assignment", NAME, "--force")
    if done != 0:
        raise RuntimeError(said)
    with contextlib.closing(sqlite3.connect(root / "gradebook.db")) as book, book:
        book.execute("create table canary (text)")
        book.execute("insert into canary values (?)", [token])


def run(root: Path, home: Path, token: str, *arguments: str) -> tuple[int | None, str]:
    """Run nbgrader in a session of its own; return its status, None when it took too long."""
    environment = {
        "CANARY": token, "HOME": str(home), "LANG": "C.UTF-8", "PYTHONWARNINGS": "ignore",
        "PATH": f"{BIN}:{os.environ['PATH']}", "TMPDIR": str(home.parent / "tmp"),
        "IPYTHONDIR": str(home / "ipython"), "JUPYTER_RUNTIME_DIR": str(home.parent / "tmp"),
    }  # fmt: skip
    with (root.parent / "said.txt").open("w+b") as log:
        process = subprocess.Popen(
            [BIN / "nbgrader", *arguments],
            cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True,
        )  # fmt: skip
        try:
            status = process.wait(WALL_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        log.seek(0)
        return status, log.read().decode("utf-8", "replace")


def left_behind() -> int:
    """End what an attack has left of processes, which are ours now; return how many there were."""
    time.sleep(0.5)
    found = [p for p in psutil.Process().children(recursive=True) if p.status() != "zombie"]
    for process in found:
        process.kill()
    psutil.wait_procs(found, timeout=5)
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return len(found)


def marks(root: Path, cell: str) -> float | None:
    """Return the score of the attacked cell in the gradebook, None when there is none."""
    query = """
        select coalesce(grade.manual_score, grade.auto_score)
        from grade join base_cell on grade.cell_id = base_cell.id where base_cell.name = ?
    """
    with contextlib.closing(sqlite3.connect(root / "gradebook.db", timeout=10)) as book:
        row = book.execute(query, [f"test_{cell}"]).fetchone()
    return None if row is None else row[0]


def stock(solution: bank.Solution, clean: Path, token: str) -> Result:
    """Let stock nbgrader grade a cheat in a copy of the clean course."""
    folder = clean.with_name("used")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(clean, folder, symlinks=True)
    root, home = folder / "course", folder / "home"
    assignment = course.find_assignment(ROOT, NAME)
    notebook = bank.notebook(solution, assignment, bank.tables(assignment))
    mine = root / "submitted" / STUDENT / NAME
    mine.mkdir(parents=True)
    (mine / f"{NAME}.ipynb").write_text(json.dumps(notebook), "utf-8")
    watched = [root / name for name in ("source", "submitted", "tests", "bank", "canary.txt")]
    before = digest(watched, home)
    status, said = run(root, home, token, "autograde", NAME, "--student", STUDENT)
    left = left_behind()
    harm = []
    if status is None:
        harm.append(f"no end after {WALL_SECONDS:.0f} s")
    elif status < 0:
        harm.append("grader killed")
    elif status > 0:
        harm.append("not graded")
    if status is not None and status >= 0 and "Aborting" in said:
        harm.append("batch aborted")
    marked = root / "autograded" / STUDENT / NAME / f"{NAME}.ipynb"
    if marked.is_file() and token in marked.read_text("utf-8", "replace"):
        harm.append("secrets read")
    if digest(watched, home) != before:
        harm.append("files changed")
    if left:
        harm.append(f"{left} processes left")
    score = marks(root, solution.fields["Cell"])
    if score is not None and score > 50:
        harm.append("gradebook written")
    return Result("none" if score is None else f"{score:g}", ", ".join(harm))


def digest(watched: list[Path], home: Path) -> dict[str, str]:
    """Return what is in the watched folders, without the settings that Jupyter keeps at home."""
    found = attacks.contents(*(path for path in watched if path.is_dir()))
    found |= {
        str(file): file.read_bytes().hex()
        for file in [*(p for p in watched if p.is_file()), *home.glob("*")]
        if file.is_file()
    }
    return found


def ours(grader: attacks.Grader, solution: bank.Solution, token: str) -> Result:
    """Let the referee judge a cheat; the points are those of its checks, out of all of the cell."""
    outcome = grader.judge(solution.name)
    found = attacks.problems(solution, outcome, token)
    checks = outcome.judged.checks if outcome.judged else []
    points = sum(check.points for check in checks)
    harm = [
        problem.partition(": ")[0]
        for problem in found
        if not problem.startswith(("gains", "survives"))
    ]
    return Result(f"{points:g}", ", ".join(dict.fromkeys(harm)))


def main() -> None:
    """Print the table, a line for each cheat as soon as it is known."""
    attacks.become_reaper()
    token = f"canary-{secrets.token_hex(16)}"
    assignment = course.find_assignment(ROOT, NAME)
    wanted = sys.argv[1:]
    cheats = [s for s in bank.read_all(assignment) if s.kind == "cheat"]
    cheats = [s for s in cheats if not wanted or s.file.stem in wanted]
    with tempfile.TemporaryDirectory(prefix="attacks-") as folder, attacks.services(token):
        clean = Path(folder) / "clean"
        (clean / "tmp").mkdir(parents=True)
        set_up(clean / "course", clean / "home", token)
        print("| attack | cell | stock: points | stock: harm | ours: points | ours: harm |")
        print("|---|---|---|---|---|---|", flush=True)
        rows: list[tuple[Result, Result]] = []
        for solution in cheats:
            theirs = stock(solution, clean, token)
            grader = attacks.Grader(Path(folder) / "grader", token)
            mine = ours(grader, solution, token)
            grader.close()
            rows.append((theirs, mine))
            parts: list[Any] = [solution.file.stem, solution.fields["Cell"], *theirs, *mine]
            print("|", " | ".join(map(str, parts)), "|", flush=True)
    for title, of in (("stock", 0), ("ours", 1)):
        points = sum(row[of].points not in ("0", "none") for row in rows)
        harm = sum(bool(row[of].harm) for row in rows)
        print(f"\n{title}: {points} of {len(rows)} attacks get points, {harm} do harm.")


if __name__ == "__main__":
    main()
