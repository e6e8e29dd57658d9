"""Make the referee grade a course that nbgrader graded, by a block in its configuration.

The rest of the file does not change. The block names the packages that student code may import:
those that the course's own notebooks import.
"""

import ast
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from referee import course, intake
from referee.course import CONFIG, CourseError, folder
from referee.intake import testcells
from referee.intake.file import other_language
from referee.judging import denials, suspension
from referee.model import Verdict

BEGIN = "# ----- made by `referee adopt`; delete it up to its end to withdraw -----\n"
END = "# ----- end of what `referee adopt` has made -----\n"
UNTESTED = "Without a test, so people mark all that is to be marked: {}."
UNRELEASED = (
    "Not released here, so their tests are not asked now: {}. `referee release NAME` makes a "
    "release."
)
BLOCK = """\
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


def block(root: Path) -> tuple[str, list[str]]:
    """Return what is added to the configuration of a course, and imports that are not installed.

    Raises CourseError if the folder is no course of nbgrader's, or was adopted before.
    """
    if not folder(root, "source").is_dir():
        raise CourseError(
            f"{root} has no folder {folder(root, 'source').name}/ with assignments, as nbgrader's "
            "courses have; run this in the course's folder, or name it with --course"
        )
    file = root / CONFIG
    if file.is_file() and END.encode() in file.read_bytes():
        raise CourseError(
            f"{file} has what `referee adopt` adds: change it there, or delete it up to the line "
            f"{END.strip()!r}, and adopt the course again"
        )
    packages, missing = _packages(root)
    return f"{BEGIN}{BLOCK.format(packages=packages)}{END}", missing


def proved(root: Path) -> Iterator[str]:
    """Yield for each released notebook how many of its tests its own solution passes."""
    limits = course.limits(root, unsafe=True)
    parts, alone = course.all_parts(root), list[str]()
    if absent := [part.key for part in parts if not part.release.is_file()]:
        yield UNRELEASED.format(", ".join(absent))
    for part in parts:
        if part.key in absent or other_language(intake.course_notebook(part.source)):
            continue
        try:
            asked = suspension.results(part, limits)
        except CourseError as error:
            yield f"{part.key}: {error}"
            continue
        if not asked:
            alone.append(part.key)
            continue
        passed = sum(one.verdict is Verdict.PASS for one in asked)
        yield f"{part.key}: {passed} of {len(asked)} tests pass on your own solution today"
        failed = (one for one in asked if one.verdict.lost)
        yield from (f"  {one.id}: {suspension.why(part, one)}" for one in failed)
    if alone:
        yield UNTESTED.format(", ".join(alone))


def left(root: Path) -> list[str]:
    """Return the notebooks of a course that are left to nbgrader, with their languages."""
    files = sorted(folder(root, "source").glob("*/*.ipynb"))
    found = [(file, other_language(intake.course_notebook(file))) for file in files]
    return [f"{file.parent.name}/{file.name} ({language})" for file, language in found if language]


def _packages(root: Path) -> tuple[list[str], list[str]]:
    """Return the installed packages that a course's sources import, and the other imports."""
    own = {file.stem for file in folder(root, "source").rglob("*.py")}
    names = {name for file in sorted(folder(root, "source").rglob("*")) for name in _imported(file)}
    return _installed(names - own)


def _installed(modules: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the installed packages that modules belong to, and the modules without one."""
    found = {one: denials.distribution(one) for one in {*modules} - set(sys.stdlib_module_names)}
    return sorted(set(filter(None, found.values()))), sorted(
        one for one, package in found.items() if package is None
    )


def _imported(file: Path) -> Iterator[str]:
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
