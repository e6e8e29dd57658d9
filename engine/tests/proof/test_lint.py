"""Ask whether each mistake in the files of an assignment is a line with its file and place."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import new_assignment
import pytest

from referee.course import Assignment
from referee.proof import lint

Damage = Callable[[Path], None]
HIDDEN = "tests/hidden/a/test_median.py"
NOTEBOOK = "source/a/a.ipynb"


def changed(file: str, old: str, instead: str) -> Damage:
    """Give a damage: other words in a file."""

    def damage(root: Path) -> None:
        text = (root / file).read_text()
        assert old in text
        (root / file).write_text(text.replace(old, instead, 1))

    return damage


def in_notebook(name: str, source: str = "", **data: Any) -> Damage:
    """Give a damage: more source, or other metadata, in a cell of the source and the release."""

    def damage(root: Path) -> None:
        for file in (root / "source/a/a.ipynb", root / "release/a/a.ipynb"):
            notebook = json.loads(file.read_text())
            (cell,) = [cell for cell in notebook["cells"] if cell["id"] == name]
            cell["source"].append(source)
            cell["metadata"]["nbgrader"] |= data
            file.write_text(json.dumps(notebook, indent=1))

    return damage


# A damage, the file and the text in whose line it is, and what is said of it.
FAULTS: dict[str, tuple[Damage, str, str, str]] = {
    "a misspelt cell": (
        changed(HIDDEN, 'cell="median"', 'cell="medain"'), HIDDEN, 'cell="medain"',
        "test_odd: the notebook has no test cell for cell='medain'; there are: median",
    ),
    "no marker": (
        changed(HIDDEN, "@pytest", "# @pytest"), HIDDEN, "def test_odd",
        "test_odd: without @pytest.mark.check(cell=..., points=..., hint=...)",
    ),
    "no points": (
        changed(HIDDEN, "points=1, ", ""), HIDDEN, 'cell="median", hint',
        "test_even: its marker is wrong (Object missing required field `points`); it has cell",
    ),
    "points of nothing": (
        changed(HIDDEN, "points=1, ", "points=0, "), HIDDEN, "points=0",
        "test_even: its marker is wrong (Expected `float` > 0.0 - at `$.points`)",
    ),
    "points that are no number": (
        changed(HIDDEN, "points=1, ", "points=float('nan'), "), HIDDEN, "points=float",
        "test_even: its marker is wrong (Expected `float` > 0.0 - at `$.points`)",
    ),
    "an argument of another version": (
        changed(HIDDEN, "points=1, ", "points=1, cpu_seconds=60, "), HIDDEN, "points=1, cpu",
        "test_even: its marker is wrong (Object contains unknown field `cpu_seconds`)",
    ),
    "less time than others have": (
        changed(HIDDEN, "points=1, ", "points=1, cpu_factor=0.5, "), HIDDEN, "points=1, cpu",
        "test_even: its marker is wrong (Expected `float` >= 1.0 - at `$.cpu_factor`)",
    ),
    "a check that is asked about nothing": (
        changed(HIDDEN, "@pytest", "@pytest.mark.parametrize('student', [])\n@pytest"),
        HIDDEN, "parametrize", "test_odd: pytest skips it (got empty parameter set",
    ),
    "a check that is skipped": (
        changed(HIDDEN, "@pytest.mark.check", "@pytest.mark.skip('later')\n@pytest.mark.check"),
        HIDDEN, "mark.skip", "test_odd: pytest skips it (later), so it tests nothing; take",
    ),
    "two checks of one name": (
        changed(HIDDEN, "def test_even(", "def test_odd  ("), HIDDEN, "test_odd  (",
        "test_odd is there before, and Python forgets that one; call one of them something else",
    ),
    "no Python": (
        changed(HIDDEN, "import pytest", "import ("), HIDDEN, "import (", "SyntaxError: "
    ),
    "a cell without points": (
        in_notebook("test_median", points=0), NOTEBOOK, '"grade_id": "test_median"',
        "test_median: the cell has no points; give it more than 0",
    ),
    "a mark scheme in the open": (
        in_notebook("median-task", "### BEGIN MARK SCHEME"), NOTEBOOK, '"grade_id": "median-task"',
        "median-task: there is a mark scheme in a cell that is no task",
    ),
    "an older release": (
        changed(NOTEBOOK, '"points": 3', '"points": 4'), "release/a/a.ipynb", "{",
        "its cells or points are not those of the source; run `referee release a",
    ),
}  # fmt: skip


@pytest.fixture
def assignment(tmp_path: Path) -> Assignment:
    """The assignment that `referee new` writes, with its notebook as the release."""
    return new_assignment.put(tmp_path)


@pytest.mark.parametrize("name", FAULTS)
def test_every_mistake_is_a_line_with_its_place(assignment: Assignment, name: str) -> None:
    """Is there one that begins with the file and line, and says what is wrong?"""
    damage, file, text, said = FAULTS[name]
    assert lint.faults(assignment) == []
    damage(assignment.root)
    lines = (assignment.root / file).read_text().splitlines()
    number = next(number for number, line in enumerate(lines, 1) if text in line)
    found = lint.faults(assignment)
    assert any(line.startswith(f"{file}:{number}: {said}") for line in found), found


def test_two_files_of_one_name_are_told(assignment: Assignment) -> None:
    """Is a file in a folder, whose results would stand in for another's, no second one?"""
    (assignment.hidden / "more").mkdir()
    text = (assignment.hidden / "test_median.py").read_text()
    (assignment.hidden / "more" / "test_median.py").write_text(text)
    said = f"{HIDDEN}: there is another file of this name in tests/hidden/a/more; rename one"
    (fault,) = [one for one in lint.faults(assignment) if "another file" in one]
    assert fault in (said, said.replace("a/test", "a/more/test").replace("a/more;", "a;"))


def test_all_mistakes_are_said_at_once(assignment: Assignment) -> None:
    """Need nobody mend one to learn of the next?"""
    for name in ("no marker", "points of nothing", "a cell without points"):
        FAULTS[name][0](assignment.root)
    assert len(lint.faults(assignment)) == 3
    changed(HIDDEN, "points=0", "points=1")(assignment.root)
    changed(HIDDEN, "# @pytest", "@pytest")(assignment.root)
    (assignment.hidden / "test_median.py").rename(assignment.hidden / "test_other.py")
    changed("tests/hidden/a/test_other.py", 'cell="median"', 'cell="mean"')(assignment.root)
    changed("tests/hidden/a/test_other.py", 'cell="median"', 'cell="mode"')(assignment.root)
    said = lint.faults(assignment)
    assert len(said) == 4
    assert "median: no hidden check has cell='median'; without one a human marks it" in said[2]
