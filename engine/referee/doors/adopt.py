"""Make the referee grade a course that nbgrader graded, by a block in its configuration.

The rest of the file does not change, and without the block it is as before. The block names the
packages that student code may import: those that the course's own notebooks import.
"""

import ast
import contextlib
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from referee import course, intake
from referee.course import CONFIG, CourseError, folder
from referee.intake import testcells
from referee.intake.file import other_language
from referee.judging import denials, suspension
from referee.marks import files, roster
from referee.model import Verdict

BEGIN = "# ----- made by `referee adopt`; `referee adopt --undo` takes it out -----\n"
END = "# ----- end of what `referee adopt` has made -----\n"
COPY = "gradebook.db.before-adopt"
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


def adopted(root: Path) -> tuple[str, list[str]]:
    """Return the configuration of a course with the block, and the imports that are not installed.

    Raises CourseError if the folder is no course of nbgrader's.
    """
    if not folder(root, "source").is_dir():
        raise CourseError(
            f"{root} has no folder {folder(root, 'source').name}/ with assignments, as nbgrader's "
            "courses have; run this in the course's folder, or name it with --course"
        )
    packages, missing = _packages(root)
    text = without(root)
    apart = "\n" if text else ""
    return f"{text}{apart}{BEGIN}{BLOCK.format(packages=packages)}{END}", missing


class Adoption:
    """A course that is adopted for the moment, until it is kept."""

    def __init__(self, root: Path) -> None:
        """Take the course with the block."""
        self._root, self.kept = root, False

    def proved(self) -> Iterator[str]:
        """Yield for each released notebook how many of its tests its own solution passes."""
        limits = course.limits(self._root, unsafe=True)
        parts, alone = course.all_parts(self._root), list[str]()
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

    def is_outdated(self) -> bool:
        """Return whether an older nbgrader has made the gradebook."""
        return roster.is_outdated(self._root)

    def upgrade(self) -> None:
        """Bring the gradebook to the newest form, after a copy was made."""
        roster.upgrade(self._root, self._root / COPY)

    def keep(self) -> None:
        """Leave the block in the configuration."""
        self.kept = True


@contextlib.contextmanager
def for_now(root: Path, text: str) -> Iterator[Adoption]:
    """Give the configuration this text; take it back, byte for byte, unless it is kept."""
    file = root / CONFIG
    before = file.read_bytes() if file.is_file() else None
    adoption = Adoption(root)
    try:
        write(root, text)
        yield adoption
    finally:
        if not adoption.kept and before is not None:
            files.save(file, before)
        elif not adoption.kept:
            file.unlink()


def write(root: Path, text: str) -> None:
    """Write the configuration; what is no UTF-8 in it, and its ends of lines, are as they were."""
    files.save(root / CONFIG, text.encode("utf-8", "surrogateescape"))


def left(root: Path) -> list[str]:
    """Return the notebooks of a course that are left to nbgrader, with their languages."""
    files = sorted(folder(root, "source").glob("*/*.ipynb"))
    found = [(file, other_language(intake.course_notebook(file))) for file in files]
    return [f"{file.parent.name}/{file.name} ({language})" for file, language in found if language]


def without(root: Path) -> str:
    """Return the configuration of a course without the block; nothing if there is none."""
    file = root / CONFIG
    text = file.read_bytes().decode("utf-8", "surrogateescape") if file.is_file() else ""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if begin and not end:
        raise CourseError(
            f"{file}: the line {END.strip()!r} is missing; take out by hand what `referee adopt` "
            "has made"
        )
    return f"{head.removesuffix(chr(10)) if begin else head}{tail}"


def _packages(root: Path) -> tuple[list[str], list[str]]:
    """Return the installed packages that a course's sources import, and the other imports."""
    own = {file.stem for file in folder(root, "source").rglob("*.py")}
    names = {name for file in sorted(folder(root, "source").rglob("*")) for name in _imported(file)}
    return installed(names - own)


def installed(modules: Collection[str]) -> tuple[list[str], list[str]]:
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
    yield from modules(sources)


def modules(sources: Iterable[str]) -> Iterator[str]:
    """Yield the modules that some pieces of code import."""
    for node in (node for source in sources for node in ast.walk(testcells.python(source))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
