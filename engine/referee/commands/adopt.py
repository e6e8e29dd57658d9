"""`referee adopt`: a course that nbgrader graded until now, by a block in its configuration.

The rest of the file does not change. The block names the packages that student code may import:
those that the course's own notebooks import.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from referee import course, intake
from referee.commands import shared, terminal
from referee.course import CONFIG, Assignment, CourseError
from referee.intake import testcells
from referee.judging import denials, suspension
from referee.marks import files, ignored
from referee.model import Verdict
from referee.proof import harden

BEGIN = "# ----- made by `referee adopt`; delete it up to its end to withdraw -----\n"
END = "# ----- end of what `referee adopt` has made -----\n"
BLOCK = (
    BEGIN
    + """\
from referee.marks import settings

c = get_config()
settings.decide(c)  # the referee decides the marks

# What student code may import of what is installed, as in a file of requirements.
c.Course.packages = {packages!r}

# Test cells without a hidden check run their own asserts, in a copy of the student's process.
c.Course.asserts = True

# An answer for a human that was left as it was released has 0, as nbgrader gives.
c.Course.blank_is_zero = True
"""
    + END
)
ADD = "This is added to {}:\n\n{}\nBesides, .gitignore gets lines on what is about persons."
IGNORED = (
    "What is about persons is named in .gitignore now; what git knows already stays in its history."
)
MISSING = "Not installed here, so no notebook can import it: {}. Install it with pip first."
UNTESTED = "without a test, so people mark all that is to be marked"
UNRELEASED = "not released here, so its tests are not asked now; {} makes a release"
FAILS = (
    "nothing was written: your own solution does not pass the asserts of {} when they are asked "
    "from outside; write its hidden check by hand"
)
TOGETHER = "name an assignment and a test cell of it: `referee adopt ASSIGNMENT --harden CELL`"
DONE = (
    "Done. Grade with `referee grade ASSIGNMENT` or `nbgrader autograde ASSIGNMENT`; `referee "
    "audit ASSIGNMENT` tells how good its tests are."
)


def run(
    assignment: Annotated[
        str | None,
        typer.Argument(
            help="The assignment of the cell to harden; without one the course is adopted.",
            show_default=False,
        ),
    ] = None,
    cell: Annotated[
        str | None,
        typer.Option(
            "--harden",
            metavar="CELL",
            help="Write the hidden check that asks what this test cell of the assignment asks.",
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write it without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> int:
    """Let the referee grade an nbgrader course that you have."""
    if (assignment is None) != (cell is None):
        raise CourseError(TOGETHER)
    if assignment and cell:
        _harden(shared.assignment(course_folder, assignment), cell)
        return 0
    root = (course_folder or Path.cwd()).absolute()
    source, file = course.Course(root).folder("source"), root / CONFIG
    before = file.read_bytes() if file.is_file() else None
    if not source.is_dir():
        raise CourseError(
            f"{root} has no folder {source.name}/ with assignments, as nbgrader's "
            "courses have; run this in the course's folder, or name it with --course"
        )
    if before is not None and END.encode() in before:
        raise CourseError(
            f"{file} has what `referee adopt` adds: change it there, or delete it up to the line "
            f"{END.strip()!r}, and adopt the course again"
        )
    paths = sorted(source.rglob("*"))
    local = {p.stem for p in paths if p.suffix == ".py"} | {"__main__"} | sys.stdlib_module_names
    imports = {name for one in paths for name in _imports(one)} - local
    packages = {name: denials.distribution(name) for name in imports}
    missing = sorted(name for name, package in packages.items() if package is None)
    block = BLOCK.format(packages=sorted(set(filter(None, packages.values()))))
    terminal.said([ADD.format(file, block)])
    terminal.said([MISSING.format(", ".join(missing))] if missing else [])
    files.save(file, (b"" if before is None else before + b"\n") + block.encode())
    agreed = False
    try:
        with terminal.console().status("Asking the tests of your own solution ..."):
            lines = list(_proof(root))
        terminal.said(lines)
        agreed = yes or typer.confirm("Keep it?")
    finally:
        if not agreed:
            file.unlink() if before is None else files.save(file, before)
    if agreed:
        terminal.said([IGNORED, DONE] if ignored.add(course.Course(root)) else [DONE])
    return 0 if agreed else 1


def _imports(file: Path) -> Iterator[str]:
    """Yield the modules that a notebook or a Python file imports."""
    if file.suffix not in (".ipynb", ".py") or ".ipynb_checkpoints" in file.parts:
        return
    sources = [file.read_text("utf-8", "replace")]
    if file.suffix == ".ipynb":
        cells = intake.course_notebook(file).cells
        sources = [cell.source for cell in cells if cell.cell_type == "code"]
    for node in (node for source in sources for node in ast.walk(testcells.python(source))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _proof(root: Path) -> Iterator[str]:
    """Yield for each notebook how many of its tests its own solution passes, or why none."""
    course_ = course.Course(root)
    limits = course_.limits(unsafe=True)
    for part in (part for name in course_.assignments for part in course_.parts(name)):
        if not part.release.is_file():
            yield f"{part.key}: {UNRELEASED.format(course.remake(part.name))}"
            continue
        if reason := intake.other_language(part):
            yield reason
            continue
        try:
            results = suspension.of_reference(part, limits).results
        except CourseError as error:
            yield f"{part.key}: {error}"
            continue
        failures = [one for one in results if one.verdict is not Verdict.PASS]
        passes = f"{len(results) - len(failures)} of {len(results)} tests pass"
        yield f"{part.key}: {f'{passes} on your own solution today' if results else UNTESTED}"
        yield from (f"  {one.id}: {suspension.why(part, one)}" for one in failures)


def _harden(task: Assignment, cell: str) -> None:
    """Write the hidden check that asks from outside what a test cell's asserts ask."""
    file, text = harden.hardened(task, cell)
    file.parent.mkdir(parents=True, exist_ok=True)
    files.save(file, text.encode())
    suspended_checks = suspension.prepared(task, task.course.limits()).answers.suspended
    if any(name.startswith(file.name) for name in suspended_checks):
        file.unlink()
        raise CourseError(FAILS.format(cell))
    terminal.said([f"Wrote {file}: the asserts of {cell} are asked from outside now."])
