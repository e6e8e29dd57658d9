"""Follow the guide to a first assignment by the letter."""

import csv
import re
from pathlib import Path

import nbformat
import pytest
from commands import typed

GUIDE = Path(__file__).parents[2] / "docs" / "first-assignment.md"
CELL = re.compile(r"# (Autogra\w+ \w+) in (\S+): (\w+)(?:, (\d+) points?)?")
BLOCK = re.compile(r"(?ms)^```(sh|python|text)\n(.*?)^```$")


def write(text: str, folder: Path) -> None:
    """Write a file that says in its first line what it is, or add such a cell to a notebook."""
    first, _, rest = text.partition("\n")
    if not (found := CELL.fullmatch(first)):
        (folder / first.removeprefix("# ")).write_text(rest)
        return
    kind, place, name, points = found.groups()
    notebook = nbformat.read(folder / place, 4)
    if "median" in [cell.id for cell in notebook.cells]:  # the example's
        notebook.cells = [cell for cell in notebook.cells if cell.id == "imports"]
    is_test = kind == "Autograder tests"
    data = {"grade": is_test, "grade_id": name, "locked": is_test, "schema_version": 3}
    data |= {"solution": not is_test, "task": False}
    data |= {"points": int(points)} if is_test else {}
    metadata = {"nbgrader": data}
    notebook.cells.append(nbformat.v4.new_code_cell(rest, id=name, metadata=metadata))
    nbformat.write(notebook, folder / place)


@pytest.mark.proof
def test_the_guide_leads_from_nothing_to_a_graded_class(tmp_path: Path) -> None:
    """Does each command work, and say what the guide shows of it, with the files of the guide?"""
    said, shown = "", 0
    for kind, text in BLOCK.findall(GUIDE.read_text("utf-8")):
        if kind == "sh":
            said = typed(tmp_path, text)
        elif kind == "python":
            write(text, tmp_path)
        else:
            assert [line for line in text.splitlines() if line not in said] == [], said
            shown += 1
    assert shown == 5
    with (tmp_path / "grades.csv").open() as file:
        marks = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert marks == {"ada": 3, "bob": 0}
