"""Notebooks in `source/` are normalised, and `release/` is what the generator makes of them."""

import ast
import io
import keyword
import re
import shutil
import textwrap
import tokenize
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import nbformat
import pytest
from course_copies import bare_course
from formgrading import run
from nbgrader.utils import is_grade

from referee import course
from referee.course import files_in
from referee.judging import session

ROOT = Path(__file__).parents[1]

SOURCES = sorted((ROOT / "source").glob("*/*.ipynb"))
SOLVERS = [*(ROOT / "adversarial/solvers").glob("*.py")]
HIDDEN = [*(ROOT / "tests/hidden").rglob("*.py"), *(ROOT / "adversarial/checks").glob("*.py")]
WORTH = {  # by assignment, what each cell with marks is worth
    "break-it": "told 10, boxes 6, which 6, apart 4, my_trees 14",
    "connect-four": "generate_segments 10, evaluate 10, top_pieces 8, tree_size 10, minimax 18, "
    "alphabeta 24, find_best_move 5, nodes 5",
    "game-trees": "two_ply 2, fig52 4, my_tree 6, minmax_decision 6, alpha_beta_search 8, order 4",
    "tic-tac-toe": "TicTacToe 20, MiniMax 25, AlphaBeta 30, playing 3, evaluation_a 7",
}
BY_HAND = {"connect-four": {"comparison": 10.0}, "tic-tac-toe": {"evaluation_b": 15.0}}
POINTS = {
    name: {f"test_{cell}": float(points) for cell, points in map(str.split, worth.split(", "))}
    for name, worth in WORTH.items()
}
RUN = 40  # tokens that a released file may not have in a row as the solution has them
LAYOUT = ("COMMENT", "DEDENT", "ENCODING", "ENDMARKER", "INDENT", "NEWLINE", "NL")


@pytest.fixture(scope="module")
def generated() -> Path:
    """A course folder in which nbgrader has just generated the release."""
    root = bare_course()
    ignored = shutil.ignore_patterns(".ipynb_*")
    shutil.copytree(ROOT / "source", root / "source", ignore=ignored, dirs_exist_ok=True)
    for notebook in SOURCES:
        run(root, "nbgrader", "generate_assignment", notebook.stem)
    return root


def test_the_release_is_what_the_generator_makes(generated: Path) -> None:
    """Is every released file, byte for byte, made from the source as it is now?"""
    assert files_in(ROOT / "release") == files_in(generated / "release")


def published() -> dict[str, str]:
    """Return what is released, and the lessons; of notebooks and lessons, the code besides."""
    found = files_in(ROOT / "release") | files_in(ROOT / "docs" / "lessons")
    texts = {name: content.decode("utf-8") for name, content in found.items()}
    for name, text in [*texts.items()]:
        if name.endswith(".ipynb"):
            cells = nbformat.reads(text, as_version=4).cells
            texts[name] = "\n".join(one.source for one in cells)
            code = [one.source for one in cells if one.cell_type == "code"]
            texts[f"{name}, code"] = "\n".join(code)
        elif name.endswith(".md"):
            blocks = re.findall(r"(?s)```(?:\{code-cell\}|python)\n(.*?)```", text)
            texts[f"{name}, code"] = re.sub(r"(?m)^:.*$", "", "\n".join(blocks))
    return texts


def regions(cell: nbformat.NotebookNode) -> list[str]:
    """Return the parts of a cell of `source/` that the generator leaves out of the release."""
    found = re.findall(r"BEGIN SOLUTION\n(.*?)\n[^\n]*END SOLUTION", cell.source, re.DOTALL)
    return [textwrap.dedent(region) for region in found if cell.cell_type == "code"]


def defined(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the public names of functions and classes among the nodes of a program."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    names = {node.name for node in nodes if isinstance(node, kinds)}
    return {name for name in names if not name.startswith("_")}


def runs(*sources: str) -> set[tuple[str, ...]]:
    """Return all runs of RUN tokens, whatever their names, texts and layout are."""
    found = set[tuple[str, ...]]()
    for source in sources:
        words = []
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            named = token.string.isidentifier() and not keyword.iskeyword(token.string)
            if (kind := tokenize.tok_name[token.type]) not in LAYOUT:
                words.append(kind if named or kind == "STRING" else token.string)
        found |= {tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1)}
    return found


def test_no_piece_of_a_solution_is_released_under_other_names() -> None:
    """Is no run of tokens of a solution or a hidden check published, nor what is asked for?"""
    solutions = [cell for path in SOURCES for cell in nbformat.read(path, as_version=4).cells]
    secret = runs(*(part for cell in solutions for part in regions(cell)))
    secret |= runs(*(file.read_text("utf-8") for file in SOLVERS))
    public = runs(*(file.read_text("utf-8") for file in (ROOT / "source").glob("*/*.py")))
    secret |= runs(*(file.read_text("utf-8") for file in HIDDEN)) - public
    assert len(secret) > 30_000, "the search has lost its secrets"
    cells = [ast.parse(cell.source) for cell in solutions if regions(cell)]
    asked = set().union(*(defined(cell.body) for cell in cells))
    methods = set().union(*(defined(ast.walk(cell)) for cell in cells))
    assert "max_value" in methods
    for name, text in published().items():
        assert not re.search("BEGIN (SOLUTION|HIDDEN|MARK)", text), name
        if name.endswith(".py"):
            assert defined(ast.parse(text).body) & asked == set(), name
        if name.endswith(".md, code"):
            assert defined(ast.walk(ast.parse(text))) & methods == set(), name
        if name.endswith((".py", ", code")):
            assert runs(text) & secret == set(), f"{name} holds a piece of a solution"


def test_a_missing_file_of_the_library_is_named(generated: Path, tmp_path: Path) -> None:
    """Is it said which file is missing, of which release, and what to do?"""
    root = tmp_path / "course"
    shutil.copytree(generated, root)
    (root / "games.py").unlink()
    said = run(root, "nbgrader", "generate_assignment", "game-trees", "--force", status=1)
    assert "games.py is missing, which the release of game-trees is to carry as games.py" in said
    assert "put it there, or take it out of c.IncludeLibrary.files in nbgrader_config.py" in said


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_source_notebooks_are_normalised(path: Path) -> None:
    """Is the notebook free of outputs, with ids as its grade_ids, in the canonical JSON?"""
    text = path.read_text("utf-8")
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    assert text == nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n"
    assert set(notebook.metadata) <= {"kernelspec", "language_info"}
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for cell in notebook.cells:
        assert set(cell.metadata) <= {"nbgrader", "deletable", "editable"}
        assert cell.id == cell.metadata.get("nbgrader", {}).get("grade_id", cell.id)
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None


@pytest.mark.parametrize("name", course.Course(ROOT).assignments)
def test_points_are_those_of_the_course_description(name: str) -> None:
    """Do the graded cells have the points that the course promises, and the checks of each?"""
    assert (ROOT / "bank" / name).is_dir()
    notebook = nbformat.read(course.Course(ROOT).find(name).source, as_version=4)
    points = {
        cell.metadata.nbgrader.grade_id: cell.metadata.nbgrader.points
        for cell in notebook.cells
        if is_grade(cell) or cell.metadata.get("nbgrader", {}).get("task")
    }
    assert points == POINTS[name] | BY_HAND.get(name, {})
    sums: Counter[str] = Counter()
    for marker in session.markers(course.Course(ROOT).find(name)).values():
        sums[f"test_{marker['cell']}"] += marker["points"]
    assert sums == POINTS[name]
