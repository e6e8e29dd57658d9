"""Turn a solution of the bank into a notebook that a student could have handed in.

A solution is a Python file whose folder says what the referee must decide: right, wrong, crash,
loop or cheat. Its docstring tells the idea, for a mistake in a student's words, and then names
things in lines `Cell: MiniMax`, `Caught by: test_block` and so on (`FIELDS`). `Needed by` lists
other cells that use this one, where a mistake may cost points, too. `Named` and `Frequent` are for
the course's own use: what its feedback calls the mistake, and whether many students make it.
`Weight` tells how wrong it is (`WEIGHTS`), and `Exception` why it may lose more or less of its
cell than others of that weight. The sections start with `# %% NAME`, where NAME is the grade_id of
a solution cell, or `+` for a cell of the student's own before the next one. A solution cell without
a section holds the reference solution; with `# %% NAME blank` it stays as released. A line `# the
reference solution` in a section stands for that. Builds notebooks and runs nothing.
"""

import copy
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from referee import intake
from referee.course import Assignment, CourseError

SECTION = re.compile(r"^# %% (.+)\n", re.MULTILINE)
MARKER = re.compile(r"^\s*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
BLANK = " blank"
REFERENCE = "# the reference solution"  # a line in a section for which that is put
FIELDS = ("Cell", "Caught by", "Needed by", "Named", "Frequent", "Weight", "Exception")
WEIGHTS = {  # the least and the most of its cell's points that a solution may lose
    "slip": (0.0, 0.5),  # one place is wrong, the idea is there
    "mistake": (0.2, 1.0),  # the idea is wrong in one respect
    "void": (2 / 3, 1.0),  # the idea is missing
}
FIELD = re.compile(rf"^({'|'.join(FIELDS)}): (.+)$", re.MULTILINE)
FOLDERS = ("right", "wrong", "crash", "loop", "cheat")


class Solution(NamedTuple):
    """One file of the bank: what it is about, what it names, and its cells in order."""

    file: Path
    idea: str
    fields: dict[str, str]
    sections: list[tuple[str, str]]

    @property
    def name(self) -> str:
        """Return the folder and the file, as in `wrong/never_cuts`."""
        return f"{self.kind}/{self.file.name.removesuffix('.py')}"

    @property
    def kind(self) -> str:
        """Return the folder, which says what the referee must decide."""
        return self.file.parent.name

    @property
    def needed_by(self) -> list[str]:
        """Return the other cells that use the one that it is about."""
        return self.fields.get("Needed by", "").replace(",", " ").split()


def read_all(assignment: Assignment) -> list[Solution]:
    """Return the solutions of an assignment, folder by folder."""
    return [
        read(file) for kind in FOLDERS for file in sorted((assignment.bank / kind).glob("*.py"))
    ]


def tables(assignment: Assignment) -> dict[str, str]:
    """Return the cells that only play games, as they are after a right run, to save the time.

    With them comes the cell `student_id`, which says whose notebook it is, if that is given.
    """
    file = assignment.bank / "tables.py"
    cells = dict(read(file).sections) if file.is_file() else {}
    return cells | own(assignment.student)


def own(student: str) -> dict[str, str]:
    """Return the cell in which a student says who they are, none if it is nobody's notebook."""
    return {"student_id": f"student_id = {student!r}"} if student else {}


def read(file: Path) -> Solution:
    """Read a solution; a CourseError says what is wrong with the file."""
    head, *parts = SECTION.split(file.read_text("utf-8"))
    sections = [
        (name.strip(), source.strip("\n"))
        for name, source in zip(parts[::2], parts[1::2], strict=True)
    ]
    if not sections or not head.lstrip().startswith('"""'):
        raise CourseError(
            f"{file}: expected a docstring, then sections that start with '# %% NAME'"
        )
    text = head.strip().strip('"')
    idea, fields = FIELD.sub("", text).strip(), dict(FIELD.findall(text))
    if (weight := fields.get("Weight")) not in (None, *WEIGHTS):
        raise CourseError(f"{file}: expected 'Weight: ' and {', '.join(WEIGHTS)}; found {weight!r}")
    if "Exception" in fields and not weight:
        raise CourseError(f"{file}: 'Exception' is for a solution that has a 'Weight'")
    return Solution(file, idea, fields, sections)


def notebook(
    solution: Solution, assignment: Assignment, instead: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the released notebook with a solution filled in, as JSON data.

    `instead` replaces the reference solution in the cells that it names. Raises CourseError for a
    section that names no solution cell.
    """
    result: dict[str, Any] = copy.deepcopy(intake.released(assignment))
    source = intake.course_notebook(assignment.source)
    reference = {
        str(intake.identity(cell)): MARKER.sub("", cell.source)
        for cell in source.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    reference.update(instead or {})
    mine, before = _sorted(solution, set(reference))
    _known(solution, {str(intake.identity(cell)) for cell in result["cells"]})
    cells: list[Any] = []
    for cell in result["cells"]:
        name = intake.identity(cell)
        for own in before.get(str(name), []):
            cells.append(_own(own, len(cells)))
        if name in reference and f"{name}{BLANK}" not in mine:
            cell["source"] = mine.get(str(name), REFERENCE).replace(REFERENCE, reference[name])
        cells.append(cell)
    result["cells"] = cells
    return result


def _sorted(solution: Solution, names: set[str]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return the sections by name, and the student's own cells by the cell that they precede."""
    mine: dict[str, str] = {}
    before: dict[str, list[str]] = {}
    waiting: list[str] = []
    for name, source in solution.sections:
        if name == "+":
            waiting.append(source)
            continue
        if name.removesuffix(BLANK) not in names:
            there = ", ".join(sorted(names))
            raise CourseError(f"{solution.file}: no solution cell {name!r}; there are {there}")
        if name in mine:
            raise CourseError(f"{solution.file}: section {name!r} is there twice")
        mine[name] = source
        before[name.removesuffix(BLANK)], waiting = waiting, []
    if waiting:
        raise CourseError(f"{solution.file}: no solution cell comes after the last section '+'")
    return mine, before


def _known(solution: Solution, names: set[str]) -> None:
    """Raise a CourseError if the solution names a cell that is not in the notebook."""
    cells = {name.removeprefix("test_") for name in names} | names
    if unknown := [name for name in solution.needed_by if name not in cells]:
        raise CourseError(
            f"{solution.file}: 'Needed by' names {unknown[0]!r}, and the notebook has no such cell"
        )


def _own(source: str, number: int) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"own-{number}",
        "metadata": {},
        "outputs": [],
        "source": source,
    }
