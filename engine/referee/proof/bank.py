"""Turn a solution of the bank into a notebook that a student could have handed in.

The folder says what the referee must decide: right, wrong, crash, loop or cheat. A file `NAME.py`
holds one solution, with its head in a docstring; a file that ends with `.diff` holds many, each
after a line `## NAME`. The head tells the idea, for a mistake in a student's words, and then names
things, as in `Caught by: test_block; Weight: slip` (`FIELDS`). `Cell` is the one that it is about,
else the first that it fills; `Needed by` lists other cells that use this one, where a mistake may
cost points, too. `Named` and `Frequent` are for the course's own use: what its feedback calls the
mistake, and whether many students make it. `Weight` tells how wrong it is (`WEIGHTS`), and
`Exception` why it may lose more or less of its cell than others of that weight.

The sections start with `# %% NAME`, where NAME is the grade_id of a solution cell, or `+` for a
cell of the student's own before the next one. `# %% NAME of right/OTHER` holds changes of that
section of another file (`_edited`). A solution cell without a section holds the reference solution;
with `# %% NAME blank` it stays as released. A line `# the reference solution` in a section stands
for that. Builds notebooks and runs nothing.
"""

import ast
import contextlib
import copy
import itertools
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from referee import intake
from referee.course import Assignment, CourseError

ENTRY, SECTION, HUNK = (re.compile(f"^{start}", re.MULTILINE) for start in ("## ", "# %% ", "@@"))
MARKER = re.compile(r"^\s*### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
BLANK = " blank"
REFERENCE = "# the reference solution"  # a line in a section for which that is put
FIELDS = "Cell|Caught by|Needed by|Named|Frequent|Weight|Exception"
FIELD = re.compile(rf"(?:^|; )({FIELDS}): (.+?)(?=$|; (?:{FIELDS}): )", re.MULTILINE)
WEIGHTS = {  # the least and the most of its cell's points that a solution may lose
    "slip": (0.0, 0.5),  # one place is wrong, the idea is there
    "mistake": (0.2, 1.0),  # the idea is wrong in one respect
    "void": (2 / 3, 1.0),  # the idea is missing
}
FOLDERS = ("right", "wrong", "crash", "loop", "cheat")


class Solution(NamedTuple):
    """A solution of the bank: what it is about, what it names, and its cells in order.

    `file` ends as in `wrong/never_cuts.py` or `wrong/AlphaBeta.diff#never_cuts`.
    """

    file: Path
    idea: str
    fields: dict[str, str]
    sections: list[tuple[str, str]]

    @property
    def name(self) -> str:
        """Return the folder and the solution's own name, as in `wrong/never_cuts`."""
        return f"{self.kind}/{self.file.name.rpartition('#')[2].removesuffix('.py')}"

    @property
    def kind(self) -> str:
        """Return the folder, which says what the referee must decide."""
        return self.file.parent.name

    def names(self, field: str) -> list[str]:
        """Return the names that stand in a field."""
        return self.fields.get(field, "").replace(",", " ").split()


def read_all(assignment: Assignment, names: Collection[str] = ()) -> list[Solution]:
    """Return the solutions of an assignment, folder by folder; only those of `names`, if any."""
    by_name: dict[str, Solution] = {}
    for kind in FOLDERS:
        files = [*(assignment.bank / kind).glob("*.py"), *(assignment.bank / kind).glob("*.diff")]
        here = [entry for file in files for entry in read(file, assignment.bank)]
        for entry in sorted(here, key=lambda entry: entry.name):
            if entry.name in by_name:
                raise CourseError(f"{entry.file} and {by_name[entry.name].file} have the same name")
            by_name[entry.name] = entry
    if unknown := sorted(set(names) - by_name.keys()):
        raise CourseError(
            f"there is no solution {unknown[0]} in {assignment.bank}; a name is a folder and a "
            "file without its ending, as wrong/never_cuts, or what follows ## in a .diff file"
        )
    return [entry for name, entry in by_name.items() if not names or name in names]


def tables(assignment: Assignment, played: bool = False) -> dict[str, str]:
    """Return the cells that only play games, as they are after a right run, to save the time.

    Where games are to be `played`, there are none of these. The cell `student_id`, which says
    whose notebook it is, comes in either case, if that is given.
    """
    file, student = assignment.bank / "tables.py", assignment.student
    there = not played and file.is_file()
    cells = dict(read(file, assignment.bank)[0].sections) if there else {}
    return cells | ({"student_id": f"student_id = {student!r}"} if student else {})


def read(file: Path, bank: Path) -> list[Solution]:
    """Read the solutions of a file, which may be edits of those in `bank`.

    A CourseError says what is wrong with it.
    """
    text, solutions = file.read_text("utf-8"), []
    for entry in [f"\n{text}"] if file.suffix == ".py" else filter(str.strip, ENTRY.split(text)):
        title, _, rest = entry.partition("\n")
        name, _, base = title.partition(" from ")
        place = file.with_name(f"{file.name}#{name}") if name else file
        if base:
            cell = f"\nCell: {file.stem}\n# %% {file.stem} from {base}\n@@"
            rest = rest.replace("\n@@", cell, 1)
        head, *parts = SECTION.split(rest)
        if not parts or not (name or head.lstrip().startswith('"""')):
            raise CourseError(
                f"{place}: expected a docstring, then sections that start with '# %% NAME'"
            )
        head = head.strip().strip('"')
        idea, fields = FIELD.sub("", head).strip(), dict(FIELD.findall(head))
        if (weight := fields.get("Weight")) not in (None, *WEIGHTS):
            raise CourseError(
                f"{place}: expected 'Weight: ' and {', '.join(WEIGHTS)}; found {weight!r}"
            )
        sections = [_section(part, bank, place) for part in parts]
        solutions.append(Solution(place, idea, fields, sections))
    return solutions


def _section(text: str, bank: Path, place: Path) -> tuple[str, str]:
    """Return the name and the source of a section, which may be an edit.

    After `@@ NAME` stand lines of that function or class: those with `-` go, those with `+` come,
    the others stay. Raises CourseError unless they are there just once.
    """
    title, _, source = text.partition("\n")
    name, _, base = title.strip().partition(" from ")
    if not base:
        return name, source.strip("\n")
    file = bank / f"{base}.py"
    sections = dict(read(file, bank)[0].sections) if file.is_file() else {}
    if name not in sections:
        raise CourseError(f"{place}: there is no section {name} in {base}")
    lines: list[Sequence[str]] = [[line] for line in sections[name].splitlines()]
    spans = [("", range(len(lines)))]
    with contextlib.suppress(SyntaxError):  # of IPython's own
        for node in ast.walk(ast.parse(sections[name])):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                spans.append((node.name, range(node.lineno - 1, node.end_lineno or 0)))
    for hunk in filter(None, HUNK.split(source.strip("\n"))):
        function, *body = hunk.splitlines()
        old = [[line[1:]] for line in body if not line.startswith("+")]
        new = tuple(line[1:] for line in body if not line.startswith("-"))
        starts = {start for block, span in spans if block == function.strip() for start in span}
        places = [start for start in starts if lines[start : start + len(old)] == old]
        if len(places) != 1:
            where, text = f"{base} {function.strip()}", " / ".join(line for (line,) in old)
            raise CourseError(
                f"{place}: in {where.strip()} these lines have to stand just once, one below the "
                f"other (a second place has an @@ of its own), and do {len(places)} times: {text}"
            )
        lines[places[0] : places[0] + len(old)] = [new, *[()] * (len(old) - 1)]  # as no other
    return name, "\n".join(itertools.chain.from_iterable(lines))


def notebook(
    solution: Solution, assignment: Assignment, instead: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the released notebook with a solution filled in, as JSON data.

    `instead` replaces the reference solution in the cells that it names. Raises CourseError for a
    section that names no solution cell.
    """
    result: dict[str, Any] = copy.deepcopy(intake.released(assignment))
    reference = {
        str(intake.identity(cell)): MARKER.sub("", cell.source)
        for cell in intake.course_notebook(assignment.source).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    } | dict(instead or {})
    sections: dict[str, tuple[list[str], str | None]] = {}  # extra cells before one, its source
    extras: list[str] = []
    for title, source in solution.sections:
        name = title.removesuffix(BLANK)
        if name == "+":
            extras.append(source)
        elif name not in reference:
            names = ", ".join(sorted(reference))
            raise CourseError(f"{solution.file}: no solution cell {name!r}; there are {names}")
        elif name in sections:
            raise CourseError(f"{solution.file}: section {name!r} is there twice")
        else:
            sections[name], extras = (extras, source if name == title else None), []
    if extras:
        raise CourseError(f"{solution.file}: no solution cell comes after the last section '+'")
    cells: list[Any] = []
    for cell in result["cells"]:
        extra, text = sections.get(str(intake.identity(cell)), ([], REFERENCE))
        for source in extra:
            cells.append(
                {"cell_type": "code", "execution_count": None, "id": f"own-{len(cells)}",
                 "metadata": {}, "outputs": [], "source": source}
            )  # fmt: skip
        if text is not None and (whole := reference.get(str(intake.identity(cell)))) is not None:
            cell["source"] = text.replace(REFERENCE, whole)
        cells.append(cell)
    return result | {"cells": cells}
