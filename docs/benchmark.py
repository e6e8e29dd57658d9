"""Set graders side by side, and bare Python: `python docs/benchmark.py [COUNT]`.

Each marks the same class of small notebooks (40, if no other number is said), in which nothing
takes time, in a fresh course in a temporary folder. Bare Python is the floor: a process for each
notebook that runs its cells, and marks nothing. Prints a Markdown table; CPU time is that of all
processes that ended.
"""

import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "engine/tests/tools")]

import commands  # noqa: E402
import small_course  # noqa: E402
from formgrading import rows  # noqa: E402

NAME = small_course.NAME
CELLS = """
import json, sys
for cell in json.load(open(sys.argv[1], encoding="utf-8"))["cells"]:
    exec("".join(cell["source"]), globals())
"""
FLOOR = [sys.executable, "-c", CELLS]
STOCK = ["nbgrader", "autograde", NAME, "--log-level=ERROR"]
OURS = ["referee", "grade", NAME, "--workers", "1"]
CONFIG = 'c = get_config()\nc.CourseDirectory.course_id = "stock"\n'
POINTS = {"return 2 * n": 10, "return 1": 4, "return 1 / 0": 4}  # for ways to write `double`


def measure(root: Path, command: list[str], count: int) -> tuple[float, float, int]:
    """Return the seconds by the clock and of computing, and how many submissions are marked right.

    `root` is the folder to make the course in.
    """
    small_course.make(root)
    bodies = [list(POINTS)[number % len(POINTS)] for number in range(count)]
    for number, body in enumerate(bodies):  # no two are the same
        source = f"def double(n):\n    {body}\n# {number}"
        small_course.hand_in(root, f"s{number:05}", double=source)
    if command is STOCK:
        (root / "nbgrader_config.py").write_text(CONFIG, "utf-8")
    path = f"{commands.BIN}{os.pathsep}{os.environ['PATH']}"
    environment = commands.environment() | {"PATH": path}
    runs = [command]
    if command is FLOOR:
        runs = [[*FLOOR, str(one)] for one in root.glob("submitted/*/*/*.ipynb")]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    for words in runs:
        subprocess.run(words, cwd=root, env=environment, capture_output=True, check=False)
    wall, usage = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime
    sums = {
        student: sum(cell[0] or 0 for cell in cells.values())
        for student, cells in rows(root, NAME).items()
    }
    right = sum(POINTS[body] == sums.get(f"s{n:05}") for n, body in enumerate(bodies))
    return wall, cpu, right


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if sys.argv[1:] else 40
    version, load = platform.python_version(), os.getloadavg()[0]
    print(f"Measured on {os.cpu_count()} cores, Python {version}; load before: {load:.1f}.\n")
    print("| grader | wall s | CPU s | CPU ms each | marks right |\n|---|---|---|---|---|")
    for grader, command in (
        ("bare `python`, marks nothing", FLOOR),
        ("stock `nbgrader autograde`", STOCK),
        ("`referee grade`", OURS),
    ):
        with tempfile.TemporaryDirectory(prefix="benchmark-") as folder:
            wall, cpu, right = measure(Path(folder) / "course", command, count)
        each = f"{1000 * cpu / count:.0f}"
        print(f"| {grader} | {wall:.1f} | {cpu:.1f} | {each} | {right} of {count} |")


if __name__ == "__main__":
    main()
