"""Ask whether a solution of the bank becomes the notebook that a student would hand in."""

import json
from pathlib import Path

import pytest
from nim_course import ASSIGNMENT, POINTS

from referee import intake
from referee.course import Assignment, Course, CourseError
from referee.proof import bank

RELEASE = intake.parse(ASSIGNMENT.release.read_bytes())


def solution(folder: Path, text: str) -> bank.Solution:
    """Return the solution that a file with this text holds."""
    file = folder / "solution.py"
    file.write_text(text, encoding="utf-8")
    return bank.read(file, folder)[0]


def sources(notebook: object) -> dict[str, str]:
    cells = json.loads(json.dumps(notebook))["cells"]
    return {cell["id"]: cell["source"] for cell in cells}


def test_tables_replace_the_reference_and_nothing_of_the_solution(tmp_path):
    """Do the short cells stand where the reference would, but not in place of a section?"""
    instead = bank.tables(ASSIGNMENT)
    assert set(instead) == {"playing", "evaluation_a"}
    text = '"""Idea."""\n# %% playing\nresults = {}\n# %% MiniMax blank\n'
    made = sources(bank.notebook(solution(tmp_path, text), ASSIGNMENT, instead))
    assert made["playing"] == "results = {}"
    assert made["evaluation_a"] == instead["evaluation_a"]
    assert made["MiniMax"] == sources(RELEASE)["MiniMax"]


def test_sections_fill_their_cells_and_the_reference_the_others(tmp_path):
    """Is a section where its name says, and the reference solution, without markers, elsewhere?"""
    files = {one.file for one in bank.read_all(ASSIGNMENT)}
    assert files == {*ASSIGNMENT.bank.glob("*/*.py")}  # none is forgotten
    made = sources(
        bank.notebook(solution(tmp_path, '"""Idea."""\n# %% MiniMax\nmine = 1\n'), ASSIGNMENT)
    )
    released = sources(RELEASE)
    reference = sources(intake.parse(ASSIGNMENT.source.read_bytes()))
    assert made["MiniMax"] == "mine = 1"
    for name in set(POINTS) - {"MiniMax"}:
        assert "SOLUTION" not in made[name]
        assert "NotImplementedError" not in made[name]
        lines = [line for line in reference[name].splitlines() if " SOLUTION" not in line]
        assert list(filter(None, made[name].splitlines())) == list(filter(None, lines))
    assert {name for name in released if made[name] != released[name]} == set(POINTS)


def test_own_cells_stand_before_the_cell_that_they_precede(tmp_path):
    """Are they in their order, right before the next named one, and does a line in a section stand
    for the reference, so that what follows changes what that has defined?
    """
    text = (
        '"""Idea."""\n# %% +\na = 1\n# %% +\nb = 2\n# %% MiniMax\n# the reference solution\nc = 3'
    )
    cells = bank.notebook(solution(tmp_path, text), ASSIGNMENT)["cells"]
    place = next(i for i, cell in enumerate(cells) if cell["id"] == "MiniMax")
    assert [cell["source"] for cell in cells[place - 2 : place]] == ["a = 1", "b = 2"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert "class MiniMax" in cells[place]["source"]
    assert cells[place]["source"].endswith("\nc = 3")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# %% MiniMax\npass\n", "docstring"),
        ('"""Idea."""\nclass MiniMax: pass\n', "# %% NAME"),
        ("", "docstring"),
        ('"""Idea.\n\nWeight: small\n"""\n# %% MiniMax\npass\n', "void; found 'small'"),
        ('"""Idea."""\n# %% Minimax\npass\n', "'Minimax'.*AlphaBeta, MiniMax"),
        ('"""Idea."""\n# %% test_MiniMax\npass\n', "'test_MiniMax'"),
        ('"""Idea."""\n# %% MiniMax\npass\n# %% +\nlost = 1\n', "last|after"),
        ('"""Idea."""\n# %% MiniMax\npass\n# %% MiniMax\nagain = 1\n', "MiniMax.*twice"),
    ],
)
def test_a_mistake_in_a_solution_is_a_sentence_with_the_file(tmp_path, text, words):
    """Is nothing of a solution silently lost: does the error name the file and the mistake?"""
    with pytest.raises(ValueError, match=words) as caught:
        bank.notebook(solution(tmp_path, text), ASSIGNMENT)
    assert "solution.py" in str(caught.value)


BASE = '''"""A right one."""

# %% Cell
def up(n):
    n = n + 1
    return n


def down(n):
    n = n - 1
    return n
'''
EDITS = """## both_up from right/base
Both go up.
Caught by: test_down, test_both; Weight: slip
@@ down
-    n = n - 1
+    n = n + 1
@@ up
     n = n + 1
+    print(n)

## typed
It is typed.
Cell: Cell; Caught by: test_up
# %% +
typed = 1
# %% Cell from right/base
@@ down
-    return n
+    return typed
"""


@pytest.fixture
def edits(tmp_path: Path) -> Path:
    """Give a file with edits of a right solution, in a bank."""
    for folder in ("right", "wrong"):
        (tmp_path / "bank/a" / folder).mkdir(parents=True)
    (tmp_path / "bank/a/right/base.py").write_text(BASE)
    (tmp_path / "bank/a/wrong/Cell.diff").write_text(EDITS)
    return tmp_path / "bank/a/wrong/Cell.diff"


def test_an_edit_changes_lines_of_another_solution(edits: Path) -> None:
    """Is each the whole program, changed where its hunks say, with its own name and fields?"""
    task = Assignment("a", Course(edits.parents[3]))
    base, both_up, typed = bank.read_all(task)
    assert (both_up.name, both_up.kind, typed.name) == ("wrong/both_up", "wrong", "wrong/typed")
    assert both_up.idea == "Both go up."
    assert both_up.fields == {"Caught by": "test_down, test_both", "Weight": "slip", "Cell": "Cell"}
    whole = base.sections[0][1]
    up = whole.replace("- 1", "+ 1").replace("+ 1\n", "+ 1\n    print(n)\n", 1)
    assert both_up.sections == [("Cell", up)]
    assert typed.sections == [("+", "typed = 1"), ("Cell", whole[:-1] + "typed")]
    assert bank.read_all(task, ["wrong/typed"]) == [typed]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("-    n = n - 1", "-    n -= 1", r"Cell\.diff#both_up: in right/base down .* 0 times"),
        ("@@ down\n-    n", "@@ up\n-    n", r"base up .* 0 times"),
        ("@@ down\n-    return", "@@\n-    return", r"Cell\.diff#typed.*2 times"),
        ("@@ down\n-    return", "-    return", "0 times"),
        ("@@ down", "@@ done", "base done .* 0 times"),
        ("# %% Cell from", "# %% Sell from", "no section Sell in right/base"),
        ("## typed", "## both_up", "Cell.diff#both_up.*same name"),
        ("from right/base\nBoth", "from right/bare\nBoth", "no section Cell in right/bare"),
    ],
)
def test_an_edit_that_does_not_fit_is_a_sentence(
    edits: Path, old: str, new: str, words: str
) -> None:
    """Are lines that are not there, or twice, told with file, name and function?"""
    edits.write_text(EDITS.replace(old, new, 1))
    with pytest.raises(CourseError, match=words):
        bank.read_all(Assignment("a", Course(edits.parents[3])))
