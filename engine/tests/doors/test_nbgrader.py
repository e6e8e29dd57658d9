"""Ask whether nbgrader's own commands, with the referee behind them, are free of their pitfalls.

A copy of the course grades a few students. The cells that play whole games are replaced by short
ones, and most students solve little, to be fast.
"""

import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
import small_course
from classes import Class
from commands import run
from formgrading import rows
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nim_course import NAME, NOTEBOOK, ROOT, make
from nim_course import POINTS as CELLS

from referee import course
from referee.marks import gradebook
from referee.nbgrader import HideRegions
from referee.proof import bank

SCRIPT = "<script>stolen()</script>"
POINTS = {"a-right": 85, "b-truncated": 0, "c-last": 20, "e-linked": 0}  # in nbgrader's order

Row = tuple[float | None, float | None, bool]


def handed_in(assignment: course.Assignment, name: str, solved: str = "") -> str:
    """Return a notebook with a solution of the bank, but for a cell that is solved."""
    (solution,) = bank.read_all(assignment, [name])
    kept = [(n, s) for n, s in solution.sections if n.removesuffix(" blank") != solved]
    notebook = bank.notebook(solution._replace(sections=kept), assignment, bank.tables(assignment))
    return json.dumps(notebook)


class Graded(NamedTuple):
    """A course that was graded, and graded again after things had changed."""

    root: Path
    output: str
    status: int
    first: dict[str, dict[str, Row]]
    second: dict[str, dict[str, Row]]


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """The course after `nbgrader autograde`, some changes, and `nbgrader autograde` again.

    Beside the notebooks lie what leads elsewhere, what is no time, and what never ends.
    """
    made = make(tmp_path_factory.mktemp("course"))
    assignment = course.Course(made).find(NAME)
    folders = {name: made / "submitted" / name / NAME for name in POINTS}
    for folder in folders.values():
        folder.mkdir(parents=True)
    (folders["a-right"] / NOTEBOOK).write_text(handed_in(assignment, "right/warns"), "utf-8")
    (folders["a-right"] / "timestamp.txt").write_text("yesterday-ish")
    last = handed_in(assignment, "wrong/nothing_done", "Nim")
    (folders["b-truncated"] / NOTEBOOK).write_text(last[:5_000], "utf-8")
    (folders["b-truncated"] / "evil.html").write_text(SCRIPT)
    os.mkfifo(folders["b-truncated"] / "timestamp.txt")
    (folders["c-last"] / NOTEBOOK).write_text(last, "utf-8")
    (folders["c-last"] / "timestamp.txt").write_text("2026-03-01 12:00 UTC")
    (folders["e-linked"] / NOTEBOOK).symlink_to(made / "source" / NAME / NOTEBOOK)
    (folders["e-linked"] / "more").symlink_to(made / "tests")
    (made / "submitted" / SCRIPT[:8] / NAME).mkdir(parents=True)
    done = run(made, "nbgrader", "autograde", NAME)
    first = rows(made, NAME)
    (folders["c-last"] / NOTEBOOK).write_text(last[:5_000], "utf-8")
    with gradebook.opened(f"sqlite:///{made}/gradebook.db") as book:
        for student, cell, score in ("a-right", "test_Nim", 2.5), ("c-last", "evaluation_b", 12):
            grade = book.find_grade(cell, NAME, NAME, student)
            grade.manual_score, grade.needs_manual_grade = score, False
        book.db.commit()
    run(made, "nbgrader", "autograde", NAME, "--force", "--student", "[ac]-*")
    return Graded(made, done.stderr, done.returncode, first, rows(made, NAME))


# --- marks -----------------------------------------------------------------------------------


def test_every_pitfall_is_harmless(nim: Graded) -> None:
    """Does each student get what the solved cells are worth, however the file looks?

    Nobody stops the batch, and only the question that people mark waits for them.
    """
    assert (nim.status, re.findall("error processing assignment.*", nim.output)) == (0, [])
    totals = {name: sum(one[0] or 0 for one in row.values()) for name, row in nim.first.items()}
    assert totals == POINTS
    for row in nim.first.values():
        assert {cell for cell, (_, _, human) in row.items() if human} == {"evaluation_b"}


def test_a_right_notebook_gets_full_marks_although_it_warns(nim: Graded) -> None:
    """Does output on standard error cost nothing, and is it still there to read?"""
    notebook = (nim.root / "submitted" / "a-right" / NAME / NOTEBOOK).read_text("utf-8")
    assert "file=sys.stderr" in notebook
    for cell, points in CELLS.items():
        assert nim.first["a-right"][f"test_{cell}"] == (points, None, False)
    tried = '# Try your player here.\nprint("MiniMax plays", MiniMax()(Letters(), "A"))'
    assert "stderr" in {output.get("name") for output in outputs(nim, "a-right", tried)}


def test_a_second_grading_changes_what_has_changed(nim: Graded) -> None:
    """Is a good mark gone when a file replaced it that cannot be read, and a human's kept?"""
    assert not any(auto for auto, *_ in nim.second["c-last"].values())
    assert nim.second["c-last"]["evaluation_b"][1] == 12
    right = nim.first["a-right"] | {"test_Nim": (20, 2.5, False)}
    assert nim.second == nim.first | {"a-right": right, "c-last": nim.second["c-last"]}


def test_the_other_door_gives_the_same(nim: Graded) -> None:
    """Does `referee grade` enter the same marks, and name what it cannot grade?"""
    done = run(nim.root, "referee", "grade", NAME, "--force", "--workers", "1")
    assert (done.returncode, done.stderr) == (1, "")
    assert "no student is called that" in " ".join(done.stdout.split())
    assert rows(nim.root, NAME) == nim.second


def test_nothing_but_the_notebook_gets_into_the_course(nim: Graded) -> None:
    """Is no link followed, no page of a student's served, and no time that is none?"""
    allowed = {file.name for file in (nim.root / "release" / NAME).rglob("*")}
    for file in (nim.root / "autograded").rglob("*"):
        if file.is_file() and file.name != "timestamp.txt":
            assert file.name in allowed and not file.is_symlink()
    stamps = [file.parts[-3] for file in (nim.root / "autograded").rglob("timestamp.txt")]
    assert stamps == ["c-last"]
    assert "time stamp does not count" in nim.output
    assert "yesterday-ish is no time" in autograded(nim, "a-right").cells[0].source


def test_what_would_go_elsewhere_or_nowhere_is_refused(nim: Graded) -> None:
    """Does another gradebook get no marks, and lose a mistyped notebook none?"""
    done = run(nim.root, "nbgrader", "autograde", NAME, "--db", "sqlite:///other.db")
    assert done.returncode == 1
    assert "name it there, as c.CourseDirectory.db_url" in done.stderr
    done = run(nim.root, "nbgrader", "autograde", NAME, "--force", "--notebook", "ni")
    assert done.returncode == 1 and rows(nim.root, NAME) == nim.second


def test_formgraders_button_grades_in_a_server_with_threads(two: Class) -> None:
    """Does what the button calls enter the marks, and say why where it cannot?"""
    two.hand_in("ada", square="def square(n):\n    return n")
    config = course.Course(two.root).configuration()
    button = NbGraderAPI(CourseDirectory(config=config), config=config).autograde
    with ThreadPoolExecutor(1) as server:
        assert server.submit(button, small_course.NAME, "ada", force=True).result()["success"]
        assert two.totals()["ada"] == 6
        two.hidden("test_square.py").write_text("def (")
        told = server.submit(button, small_course.NAME, "ada", force=True).result()
    assert not told["success"] and re.search(r"test_square\.py:1: SyntaxError", told["log"])
    assert two.totals()["ada"] == 6


# --- autograded notebooks --------------------------------------------------------------------


def autograded(nim: Graded, student: str) -> Any:
    path = nim.root / "autograded" / student / NAME / NOTEBOOK
    return nbformat.read(path, as_version=4)


def outputs(nim: Graded, student: str, cell: str) -> list[Any]:
    (found,) = [one for one in autograded(nim, student).cells if cell in (one.id, one.source)]
    return list(found.outputs)


@pytest.mark.parametrize("name", POINTS)
def test_autograded_notebooks_are_valid_and_explain_each_mark(nim: Graded, name: str) -> None:
    """Does every test cell have its mark and the explanation?"""
    nbformat.validate(autograded(nim, name))
    for cell, points in CELLS.items():
        (explanation,) = outputs(nim, name, f"test_{cell}")
        mark = nim.second[name][f"test_{cell}"][0]
        assert f"{cell}: {mark:g} of {points} points" in explanation.data["text/plain"]


# --- feedback --------------------------------------------------------------------------------


def plain(text: str) -> str:
    """Return words only: no markup of Markdown, no line breaks."""
    return " ".join(re.sub(r"[*`_#\\]", "", text).split())


def regions(begin: str, end: str) -> list[str]:
    """Return the lines between two marks in the source notebook, where they say something."""
    notebook = nbformat.read(ROOT / "source" / NAME / NOTEBOOK, as_version=4)
    found = [
        line
        for cell in notebook.cells
        for region in re.findall(rf"{begin}\n(.*?){end}", cell.source, re.DOTALL)
        for line in map(plain, region.splitlines())
        if len(line) > 25
    ]
    assert found
    return found


SCHEME = "How fast?\n=== BEGIN MARK SCHEME\nby seven\n=== END MARK SCHEME"
TESTS = "assert f\n### BEGIN HIDDEN TESTS\nassert f(7)\n### END HIDDEN TESTS"
KINDS = {"grade": False, "solution": False, "task": False, "locked": False}


@pytest.mark.parametrize(
    ("kind", "source", "shown"),
    [
        ({"task": True, "locked": True}, SCHEME, "How fast?"),
        ({"grade": True, "locked": True}, TESTS, "assert f"),
        ({"grade": True, "solution": True}, TESTS[:-7], TESTS[:-7]),
        ({"solution": True}, SCHEME, SCHEME),
        ({}, SCHEME[:-7] * 2, SCHEME[:-7] * 2),
    ],
    ids=["task", "tests", "answer", "solution", "own cell"],
)
def test_only_the_courses_own_cells_are_cleared(
    kind: dict[str, bool], source: str, shown: str
) -> None:
    """Do a student's words stay that look like something hidden, even where they never end?"""
    metadata = {"nbgrader": KINDS | kind} if kind else {}
    cell = new_markdown_cell(source, metadata=metadata)
    HideRegions().preprocess(new_notebook(cells=[cell]), {})
    assert cell.source == shown


def test_feedback_shows_nothing_that_was_hidden(nim: Graded) -> None:
    """Is there no hidden test, no mark scheme and no hidden check in what a student gets, and no
    place on the grader's machine?

    Stock nbgrader makes the pages of the autograded notebooks.
    """
    run(nim.root, "nbgrader", "generate_feedback", NAME)
    files = (nim.root / "feedback").glob(f"*/{NAME}/{NAME}.html")
    pages = {
        one.parts[-3]: unescape(re.sub("<[^>]*>", "", one.read_text("utf-8"))) for one in files
    }
    assert pages.keys() == POINTS.keys()
    hidden = regions("### BEGIN HIDDEN TESTS", "### END")
    hidden += regions("=== BEGIN MARK SCHEME.*?", "=== END")
    checks = [one.read_text("utf-8") for one in (ROOT / "tests/hidden" / NAME).glob("*.py")]
    lines = "".join(checks).splitlines()
    hidden += [plain(line) for line in lines if "assert " in line and len(line) > 30]
    released = plain((ROOT / "release" / NAME / NOTEBOOK).read_text("utf-8"))
    solution = regions("### BEGIN SOLUTION", " *### END")
    solution = [line for line in solution if line not in released]
    for name, page in pages.items():
        for words in (str(nim.root), sys.prefix, "tests/hidden", "HIDDEN TESTS", "MARK SCHEME"):
            assert words not in page
        # who solved nothing gets no line of the reference
        secret = hidden + (solution if name == "b-truncated" else [])
        assert [line for line in secret if line in plain(page)] == []
    for cell, points in CELLS.items():
        assert f"{cell}: {points} of {points} points" in pages["a-right"]
