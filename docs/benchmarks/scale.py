"""Grade a very large class of small notebooks: killed half-way, resumed, graded again, exported.

    python docs/benchmarks/scale.py [1000 10000]

Prints a Markdown table with a row for each size. Needs Linux, takes about half an hour.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "engine" / "benchmarks"), str(ROOT)]

import classes  # noqa: E402
import meter  # noqa: E402
import throughput  # noqa: E402

HALF_SECONDS = 0.03  # of wall time for each notebook, which is less than it takes
LIMIT_SECONDS = 6 * 3600.0
HEAD = [
    "submissions", "entered when killed", "the rest: s", "CPU ms each", "peak MiB",
    "nothing changed: s", "peak MiB", "report: s", "export: s", "marked, right",
]  # fmt: skip


def row(folder: Path, size: int) -> list[str]:
    """Return the row of a class of some size."""
    students = classes.small_class(size)
    course = classes.small_course(folder / "made", stock=False).copy(folder / "class", students)

    def run(*command: str, timeout: float = LIMIT_SECONDS) -> meter.Usage:
        throughput.say(f"{size:,}: {' '.join(command)} ...")
        line = [classes.BIN / command[0], *command[1:]]
        used = meter.measure([line], course.root, classes.environment(folder), timeout)
        throughput.say(f"    {used.wall:.1f} s, CPU {used.cpu:.1f} s, {used.peak:.0f} MiB")
        return used

    grade = "referee", "grade", course.assignment
    run(*grade, timeout=HALF_SECONDS * size)
    entered = len(course.marks())
    rest, again = run(*grade), run(*grade)
    report = run("referee", "report", course.assignment)
    export = run("referee", "return", course.assignment, "--table", "cells")
    marks = course.marks()
    right = sum(marks.get(one.student) == one.marks for one in students)
    failed = any(used.failed for used in (rest, again, report, export))
    return [
        f"{size:,}", f"{entered:,}", f"{rest.wall:.0f}",
        f"{1000 * rest.cpu / max(1, size - entered):.0f}", f"{rest.peak:.0f}",
        f"{again.wall:.1f}", f"{again.peak:.0f}", f"{report.wall:.1f}", f"{export.wall:.1f}",
        throughput.FAILED if failed else f"{len(marks):,}, {right:,}",
    ]  # fmt: skip


def main(sizes: list[int]) -> None:
    """Print the table."""
    rows = []
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="scale-") as folder:
            rows.append(row(Path(folder), size))
    print(throughput.machine(), throughput.table(HEAD, rows), sep="\n\n")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [1000, 10_000])
