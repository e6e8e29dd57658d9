"""Set graders side by side on generated classes: stock nbgrader, our door to it, `referee grade`.

    python docs/benchmarks/throughput.py [--quick] [--small N] [--real N] [--sizes N,...] > tables
    python docs/benchmarks/throughput.py --into engine/docs/performance.md

Prints Markdown tables as they are done, and progress on standard error. Each run has a fresh copy
of a course, with a fresh gradebook, in a temporary folder. What isolation costs by itself is in
`sandbox.py`. Needs Linux, takes half an hour; with `--quick` a few minutes, which show that it
works and measure nothing.
"""

import argparse
import os
import platform
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import psutil

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(Path(__file__).parent), str(ROOT / "engine" / "benchmarks"), str(ROOT)]

import classes  # noqa: E402
import meter  # noqa: E402

from referee.marks import entries  # noqa: E402

WALL_SECONDS = 4 * 3600.0
WORKERS = (1, 2)
MARKS = "<!-- throughput -->", "<!-- /throughput -->"
QUIET = "--log-level=ERROR"
REFEREE = "`referee grade`, {} worker{}"
FAILED = "failed"


class Run(NamedTuple):
    """What a grader used for a class, and of how many submissions the marks are right."""

    grader: str
    students: int
    usage: meter.Usage
    right: int
    marked: int
    processes: int = 1  # that judge at the same time

    @property
    def failed(self) -> bool:
        """Return whether the grader broke down."""
        return self.usage.failed or not self.marked

    @property
    def speed(self) -> float:
        """Return how many submissions got marks in a second."""
        return self.marked / self.usage.wall

    @property
    def cells(self) -> list[str]:
        """Return the row of the table, without the ratios."""
        used = self.usage
        if self.failed:
            return [self.grader, str(self.processes), FAILED, *["–"] * 5, self.outcome]
        return [
            self.grader, str(self.processes), f"{used.wall:.1f}", f"{used.cpu:.1f}",
            f"{self.speed:.2f}", f"{used.cpu / self.marked:.2f}", f"{used.peak:.0f}",
            f"{used.worker:.0f}", self.outcome,
        ]  # fmt: skip

    @property
    def outcome(self) -> str:
        """Return how many submissions have marks, and how many the right ones."""
        return f"{self.marked}, {self.right} of {self.students}"


class Bench:
    """Grades classes in copies of one course; `stock` is the same for stock nbgrader."""

    def __init__(self, folder: Path, ours: classes.Course, stock: classes.Course) -> None:
        """Make the copies in `folder`."""
        self._folder, self._ours, self._stock = folder, ours, stock
        self._copies = 0

    def fresh(self, students: list[classes.Handed], stock: bool = False) -> classes.Course:
        """Return a new copy of the course, with submissions."""
        self._copies += 1
        course = self._stock if stock else self._ours
        return course.copy(self._folder / f"copy-{self._copies}", students)

    def run(
        self,
        grader: str,
        course: classes.Course,
        students: list[classes.Handed],
        *commands: Sequence[str],
    ) -> Run:
        """Run the commands of a grader at once."""
        say(f"{len(students)} of {course.assignment}: {grader} ...")
        home = self._folder / "home"
        home.mkdir(exist_ok=True)
        lines = [[classes.BIN / command[0], *command[1:]] for command in commands]
        usage = meter.measure(lines, course.root, classes.environment(home), WALL_SECONDS)
        marks = course.marks()
        right = sum(marks.get(one.student) == one.marks for one in students)
        marked = sum(len(marks.get(one.student, ())) == len(one.marks) for one in students)
        run = Run(grader, len(students), usage, right, marked, len(commands))
        say(f"    {usage.wall:.1f} s, CPU {usage.cpu:.1f} s, marks: {run.outcome}")
        if run.right != run.students or usage.failed:
            say(f"    it ended with {usage.statuses} and said: ... {usage.said[-2000:]}")
        return run

    def referee(self, course: classes.Course, students: list[classes.Handed], workers: int) -> Run:
        """Run `referee grade`."""
        grader = REFEREE.format(workers, "s" if workers > 1 else "")
        command = ["referee", "grade", course.assignment, "--workers", str(workers)]
        return self.run(grader, course, students, command)._replace(processes=workers)


class Compared(NamedTuple):
    """The runs of all graders on one class, and what else was found on the way."""

    runs: list[Run]
    cold: dict[int, Run]  # by the number of workers
    changed: Run
    own: dict[int, float]  # CPU seconds of the students' own code, by the number of workers


def compare(bench: Bench, students: list[classes.Handed]) -> Compared:
    """Let all graders mark the same class."""
    runs, cold, own = [], {}, {}
    course = bench.fresh(students, stock=True)
    autograde = ["nbgrader", "autograde", course.assignment, QUIET]
    runs.append(bench.run("stock nbgrader", course, students, autograde))
    course = bench.fresh(students, stock=True)
    halves = ([*autograde, "--student", f"{half}*"] for half in "ab")
    runs.append(bench.run("stock nbgrader, two at once", course, students, *halves))
    course = bench.fresh(students)
    runs.append(bench.run("our door to nbgrader", course, students, autograde))
    for workers in WORKERS:
        course = bench.fresh(students)
        cold[workers] = bench.referee(course, students, workers)
        own[workers] = own_seconds(course)
        again = bench.referee(course, students, workers)
        runs += [cold[workers], again._replace(grader=f"{again.grader}, nothing changed")]
    course.change_a_check()
    changed = bench.referee(course, students, workers)
    changed = changed._replace(grader=f"{changed.grader}, one check changed")
    return Compared([*runs, changed], cold, changed, own)


def own_seconds(course: classes.Course) -> float:
    """Return the CPU seconds that the students' own code has used: cells and answers to checks."""
    class_ = entries.get(course.root, course.assignment).values()
    return sum(cost.cpu_seconds for record in class_ for cost in record.report.costs.values())


def compared(runs: list[Run]) -> str:
    """Return the table of graders, set beside the first one with as many processes."""
    head = [
        "grader", "processes", "wall s", "CPU s", "marked/s", "CPU s each", "peak MiB",
        "one worker MiB", "marked, right", "stock ÷ this, CPU", "stock ÷ this, wall",
    ]  # fmt: skip
    rows = []
    for run in runs:
        stock = next(one for one in runs if one.processes == run.processes)
        ratios = ["–", "–"]
        if not (run.failed or stock.failed):
            cpu = (stock.usage.cpu / stock.marked) / (run.usage.cpu / run.marked)
            ratios = [f"{cpu:.1f}", f"{run.speed / stock.speed:.1f}"]
        rows.append([*run.cells, *ratios])
    return table(head, rows)


class Growth(NamedTuple):
    """A class of some size: graded, graded again, and after the change of a check."""

    cold: Run
    again: Run
    changed: Run


def grow(bench: Bench, sizes: list[int], workers: int) -> list[Growth]:
    """Grade classes of small notebooks of growing size."""
    found = []
    for size in sizes:
        students = classes.small_class(size)
        course = bench.fresh(students)
        cold = bench.referee(course, students, workers)
        again = bench.referee(course, students, workers)
        course.change_a_check()
        found.append(Growth(cold, again, bench.referee(course, students, workers)))
    return found


def grown(growth: list[Growth]) -> str:
    """Return the table of sizes."""
    head = [
        "submissions", "wall s", "ms each", "CPU ms each", "ms for one more", "peak MiB",
        "again, s", "one check changed, s", "share", "marked, right",
    ]  # fmt: skip
    rows = []
    for number, (cold, again, changed) in enumerate(growth):
        used, size = cold.usage, cold.students
        less = growth[number - 1].cold if number else None
        more = (used.wall - less.usage.wall) / (size - less.students) if less else None
        bad = any(run.failed for run in (cold, again, changed))
        rows.append([
            f"{size:,}", FAILED if bad else f"{used.wall:.1f}", f"{1000 * used.wall / size:.0f}",
            f"{1000 * used.cpu / size:.0f}", "–" if more is None else f"{1000 * more:.0f}",
            f"{used.peak:.0f}", f"{again.usage.wall:.1f}", f"{changed.usage.wall:.1f}",
            f"{changed.usage.wall / used.wall:.0%}", changed.outcome,
        ])  # fmt: skip
    return table(head, rows)


class Aim(NamedTuple):
    """Something to reach, how far it was reached, and in which runs."""

    what: str
    aim: str
    found: str
    reached: bool
    runs: tuple[Run, ...]

    @property
    def cells(self) -> list[str]:
        """Return the row of the table."""
        failed = any(run.failed for run in self.runs)
        found, reached = (FAILED, False) if failed else (self.found, self.reached)
        return [self.what, self.aim, found, "yes" if reached else "no"]


def aims(small: Compared | None, real: Compared | None, growth: list[Growth]) -> list[Aim]:
    """Return the aims, and what was reached."""
    found = []
    last_workers = WORKERS[-1]
    if len(growth) > 1:
        first, last = growth[0].cold, growth[-1].cold
        each = [run.usage.wall / run.students for run in (first, last)]
        what = f"seconds for each of {last.students:,}, to those for each of {first.students:,}"
        ratio = each[1] / each[0]
        found.append(Aim(what, "no more", f"× {ratio:.2f}", ratio <= 1.05, (first, last)))
    for cold, again, changed in growth:
        if cold.students == 500:
            wall = again.usage.wall
            what = "500 small notebooks, nothing changed"
            found.append(Aim(what, "< 5 s", f"{wall:.1f} s", wall < 5, (cold, again)))
            found.append(_share("500 small notebooks", cold, changed))
    if small is not None:
        what = f"{small.changed.students} small notebooks"
        found.append(_share(what, small.cold[last_workers], small.changed))
    if real is not None:
        found.append(_share("tic-tac-toe", real.cold[last_workers], real.changed))
        one, two = (real.cold[workers] for workers in WORKERS)
        ratio = two.speed / one.speed
        what = "tic-tac-toe, speed with two workers"
        found.append(Aim(what, "≥ × 1.8", f"× {ratio:.2f}", ratio >= 1.8, (one, two)))
        for workers, run in real.cold.items():
            share = real.own[workers] / (run.usage.wall * workers)
            what = f"tic-tac-toe, students' own CPU time with {workers} at work"
            found.append(Aim(what, "≥ 90 % of all time", f"{share:.0%}", share >= 0.9, (run,)))
    return found


def aimed(found: list[Aim]) -> str:
    """Return the table of aims."""
    return table(["what", "aim", "found", "reached"], [aim.cells for aim in found])


def _share(what: str, cold: Run, changed: Run) -> Aim:
    share = changed.usage.wall / cold.usage.wall
    what = f"{what}, one check changed"
    return Aim(what, "< 15 % of all", f"{share:.0%}", share < 0.15, (cold, changed))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def machine() -> str:
    """Return a sentence about where this was measured."""
    name = re.search(r"^model name\s*: (.+)", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return (
        f"Measured on {os.cpu_count()} cores ({name[1] if name else platform.machine()}), "
        f"{psutil.virtual_memory().total / 2**30:.0f} GiB, Python {platform.python_version()}; "
        f"load before: {os.getloadavg()[0]:.1f}. CPU time by {meter.method()}."
    )


def say(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a few submissions of each kind")
    parser.add_argument("--small", type=int, metavar="N", help="small notebooks to compare with")
    parser.add_argument("--real", type=int, metavar="N", help="real ones to compare with")
    parser.add_argument("--sizes", metavar="N,N", help="sizes of the classes that grow")
    parser.add_argument("--into", type=Path, metavar="PAGE", help=f"write between its {MARKS[0]}")
    found = parser.parse_args(given)
    small, real, sizes = (4, 2, "2,4") if found.quick else (40, 28, "20,100,500,2000")
    found.small = small if found.small is None else found.small
    found.real = real if found.real is None else found.real
    sizes = sizes if found.sizes is None else found.sizes
    found.sizes = sorted({int(size) for size in sizes.split(",") if size})
    return found


def tables(wanted: argparse.Namespace, folder: Path) -> list[str]:
    """Measure everything that is wanted; print the parts when they are done, and return them."""
    parts: list[str] = []

    def tell(*lines: str) -> None:
        parts.append("\n".join(lines))
        print(parts[-1], flush=True)

    tell(machine(), "")
    small = real = None
    growth: list[Growth] = []
    if wanted.small or wanted.sizes:
        (folder / "small").mkdir()
        courses = [
            classes.small_course(folder / "small" / kind, kind == "stock")
            for kind in ("ours", "stock")
        ]
        bench = Bench(folder / "small", *courses)
        if wanted.small:
            small = compare(bench, classes.small_class(wanted.small))
            tell(f"**{wanted.small} small notebooks**", "", compared(small.runs))
        if wanted.sizes:
            cores = os.cpu_count() or 1
            growth = grow(bench, wanted.sizes, cores)
            tell(f"**Small notebooks, more and more**, {cores} workers", "", grown(growth))
    if wanted.real:
        (folder / "real").mkdir()
        courses = [
            classes.real_course(folder / "real" / kind, kind == "stock")
            for kind in ("ours", "stock")
        ]
        real = compare(Bench(folder / "real", *courses), classes.real_class(wanted.real))
        tell(f"**{wanted.real} notebooks of tic-tac-toe**", "", compared(real.runs))
    tell("**Aims**", "", aimed(aims(small, real, growth)))
    return parts


def write_into(page: Path, text: str, marks: tuple[str, str] = MARKS) -> None:
    """Put a text between the two marks of a page."""
    head, found, rest = page.read_text("utf-8").partition(marks[0])
    _, end, tail = rest.partition(marks[1])
    if not found or not end:
        raise ValueError(f"{page} has no {marks[0]} and {marks[1]} to write between")
    page.write_text(f"{head}{marks[0]}\n{text.strip()}\n{marks[1]}{tail}", "utf-8")


def main(given: Sequence[str] | None = None) -> None:
    """Measure, print, and write into a page if one is named."""
    wanted = arguments(given)
    if wanted.into:
        write_into(wanted.into, "Being measured.")  # fails now, not at the end
    with tempfile.TemporaryDirectory(prefix="throughput-") as folder:
        parts = tables(wanted, Path(folder))
    if wanted.into:
        write_into(wanted.into, "\n".join(parts))


if __name__ == "__main__":
    main()
