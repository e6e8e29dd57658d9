"""Ask whether any notebook becomes the source of an assignment, and nothing is overwritten."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from formgrading import run
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from referee.course import CourseError
from referee.doors import authoring
from referee.intake import identity

FUNCTIONS = '''import re

def words(text):
    """Return the words."""
    # all of them
    return text.split()


def first(text):
    return words(text)[0]
'''
MARKED = '''import re

def words(text):
    """Return the words."""
    ### BEGIN SOLUTION
    # all of them
    return text.split()
    ### END SOLUTION


def first(text):
    ### BEGIN SOLUTION
    return words(text)[0]
    ### END SOLUTION
'''.rstrip("\n")
CLASS = "class Queue:\n    size = 3\n\n    def get(self):\n        return 1"
ONE_LINE = "def cube(x): return x ** 3"


def nbgrader(name: str, **data: Any) -> dict[str, Any]:
    return {"nbgrader": authoring._metadata(name, **data)}


def test_what_a_notebook_defines_is_what_students_write() -> None:
    """Is each body the solution, with a test cell after it, and all else as it was?"""
    plain = [new_markdown_cell("# Words"), new_code_cell("n = 3"), new_code_cell("%matplotlib")]
    cells = [*plain, *map(new_code_cell, (FUNCTIONS, CLASS, ONE_LINE))]
    cells[-1].outputs = [nbformat.v4.new_output("stream", text="8")]
    notebook = new_notebook(cells=cells)
    found = authoring.tasks(notebook)
    assert [(task.cell, task.thing) for task in found] == [
        ("words", "words"), ("Queue", "Queue"), ("cube", "cube")
    ]  # fmt: skip
    assert [task.source.rstrip() for task in found] == [FUNCTIONS.rstrip(), CLASS, ONE_LINE]
    sources = {identity(cell): cell.source for cell in notebook.cells}
    assert sources["words"] == MARKED
    assert sources["Queue"].splitlines()[4:] == [
        "        ### BEGIN SOLUTION", "        return 1", "        ### END SOLUTION"
    ]  # fmt: skip
    assert sources["cube"] == f"### BEGIN SOLUTION\n{ONE_LINE}\n### END SOLUTION"
    assert [sources[f"test_{name}"] for name in ("words", "Queue", "cube")] == [
        'check("words")', 'check("Queue")', 'check("cube")'
    ]  # fmt: skip
    assert all(cell.get("outputs", []) == [] for cell in notebook.cells)
    nbformat.validate(notebook)


def test_cells_that_nbgrader_knows_stay() -> None:
    """Are marked solutions, points, test code and written answers as they were?"""
    solved = "def f(x):\n    ### BEGIN SOLUTION\n    return x\n    ### END SOLUTION"
    written = new_markdown_cell("Why?", metadata=nbgrader("why", grade=True, solution=True))
    test = new_code_cell("assert f(1) == 1", metadata=nbgrader("t", grade=True, points=5))
    given = new_code_cell("def g(x): pass", metadata=nbgrader("given", locked=True))
    solution = new_code_cell(solved, metadata=nbgrader("cell-4a", solution=True))
    notebook = new_notebook(cells=[written, given, solution, test])
    assert [task.cell for task in authoring.tasks(notebook)] == ["f"]
    assert len(notebook.cells) == 5
    assert solution.source == solved
    assert (test.metadata.nbgrader.points, test.metadata.nbgrader.grade_id) == (5, "test_f")
    assert test.source == 'check("f")\nassert f(1) == 1'
    assert (written.source, given.source) == ("Why?", "def g(x): pass")


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """Does an assignment that is there in any of its folders stay as it is?"""
    for folder in ("source/a", "tests/hidden/a", "bank/a", "release/a"):
        root = tmp_path / folder.replace("/", "-")
        (root / folder).mkdir(parents=True)
        with pytest.raises(CourseError, match=f"{folder} is there already"):
            authoring.write(root, "a")
        assert [file for file in root.rglob("*") if file.is_file()] == []


CHAIN = {
    "Queue": "class Queue:\n    def get(self):\n        return 1",
    "plain": "q = Queue()",
    "Stack": "class Stack(Queue):\n    def put(self):\n        return q",
    "before": "def before():\n    return later() + 1",
    "later": "def later():\n    return 2",
    "lone": "def lone(Queue=3):\n    return 5",
}


def test_a_mistake_names_the_cells_that_need_its_own(tmp_path: Path) -> None:
    """Is it seen through plain cells, whichever comes first, and not where nothing is used?"""
    notebook = new_notebook(cells=[new_code_cell(source) for source in CHAIN.values()])
    file = tmp_path / "mine.ipynb"
    nbformat.write(notebook, file)
    made = authoring._from_notebook(file, "a")
    told = {
        name: [line for line in text.splitlines() if line.startswith("Needed by")]
        for name, text in made.items()
        if "wrong" in name
    }
    assert told == {
        "bank/a/wrong/Queue_missing.py": ["Needed by: Stack"],
        "bank/a/wrong/Stack_missing.py": [],
        "bank/a/wrong/before_missing.py": [],
        "bank/a/wrong/later_missing.py": ["Needed by: before"],
        "bank/a/wrong/lone_missing.py": [],
    }


def test_what_is_written_from_cells_that_need_each_other_is_no_problem(tmp_path: Path) -> None:
    """Does no solution of the bank lose where `referee dev` would call that a mistake of ours?"""
    cells = ["def area(r):\n    return 3 * r", "TOP = area(2)\ndef twice(x, y=TOP):\n    return x"]
    notebook = new_notebook(cells=list(map(new_code_cell, cells)))
    nbformat.write(notebook, tmp_path / "mine.ipynb")
    authoring.write(tmp_path / "course", "a", tmp_path / "mine.ipynb")
    said = run(tmp_path / "course", "referee", "audit", "a", "--workers", "1", status=1)
    assert "2 right, 2 wrong, 0 crash, 0 loop, 0 cheat: 0 with a problem." in said


SQUARES = "def squares(n):\n    return [i * i for i in range(1, n + 1)]"


def test_what_dev_says_of_a_new_assignment_makes_it_green(tmp_path: Path) -> None:
    """Is the last that it says what to do, without a list before it, and does doing it do?"""
    nbformat.write(new_notebook(cells=[new_code_cell(SQUARES)]), tmp_path / "mine.ipynb")
    root = tmp_path / "course"
    authoring.write(root, "a", tmp_path / "mine.ipynb")
    command = ("referee", "dev", "a", "--once", "--workers", "1")
    said = run(root, *command, status=1)
    assert "see this change" not in said and "sees this change" not in said
    last = said.splitlines()[-1]
    assert "test_squares gives 1 of 1 points for the notebook of a as it was released" in last
    assert last.endswith("ask what only the solution answers, as in `assert student.f(3) == 9`")
    file = root / "tests" / "hidden" / "a" / "test_squares.py"
    ask = "assert student.squares(3) == [1, 4, 9]"
    file.write_text(file.read_text().replace("assert student.squares is not None", ask))
    assert "mutants are caught" in run(root, *command)
