"""Turn a solution of the bank into a notebook that a student could have handed in.

A solution is a Python file whose folder says what the referee must decide: right, wrong, crash or
loop. Its docstring tells the idea; its sections start with `# %% NAME`, where NAME is the grade_id
of a solution cell, or `+` for a cell of the student's own before the next one. A solution cell
without a section holds the reference solution; with `# %% NAME blank` it stays as released. Builds
notebooks and runs nothing.
"""

import copy
import re
from pathlib import Path
from typing import Any, NamedTuple

from referee import intake
from referee.course import Assignment

SECTION = re.compile(r"^# %% (.+)\n", re.MULTILINE)
MARKER = re.compile(r"^\s*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
BLANK = " blank"


class Solution(NamedTuple):
    """One file of the bank: what it is about, and its cells in order."""

    file: Path
    idea: str
    sections: list[tuple[str, str]]


def read(file: Path) -> Solution:
    """Read a solution; a ValueError says what is wrong with the file."""
    head, *parts = SECTION.split(file.read_text("utf-8"))
    sections = [
        (name.strip(), source.strip("\n"))
        for name, source in zip(parts[::2], parts[1::2], strict=True)
    ]
    if not sections or not head.lstrip().startswith('"""'):
        raise ValueError(f"{file}: expected a docstring, then sections that start with '# %% NAME'")
    return Solution(file, head.strip().strip('"'), sections)


def notebook(solution: Solution, assignment: Assignment) -> dict[str, Any]:
    """Return the released notebook with a solution filled in, as JSON data.

    Raises ValueError for a section that names no solution cell.
    """
    result: dict[str, Any] = copy.deepcopy(intake.parse(assignment.release.read_bytes()))
    source = intake.parse(assignment.source.read_bytes())
    reference = {
        intake.identity(cell): MARKER.sub("", cell.source)
        for cell in source.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    mine, before = _sorted(solution, {str(name) for name in reference})
    cells: list[Any] = []
    for cell in result["cells"]:
        name = intake.identity(cell)
        cells += [_own(source, len(cells)) for source in before.get(str(name), [])]
        if name in reference and f"{name}{BLANK}" not in mine:
            cell["source"] = mine.get(str(name), reference[name])
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
            known = ", ".join(sorted(names))
            raise ValueError(f"{solution.file}: no solution cell {name!r}; there are {known}")
        mine[name] = source
        before[name.removesuffix(BLANK)], waiting = waiting, []
    return mine, before


def _own(source: str, number: int) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"own-{number}",
        "metadata": {},
        "outputs": [],
        "source": source,
    }
