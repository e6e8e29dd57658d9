"""Ask whether nbgrader's own commands, with the referee behind them, are free of their pitfalls.

A copy of the course grades a few students, each of whom meets one pitfall of stock nbgrader. The
cells that play whole games are replaced by short ones, and most students solve little, to be fast.
"""

import copy
import json
import re
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest
import small_course
from commands import run
from formgrading import rows
from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from nim_course import NAME, NOTEBOOK, ROOT, make
from nim_course import POINTS as CELLS
from sqlalchemy.exc import SAWarning
from typer.testing import CliRunner

from referee import course
from referee.commands import app
from referee.nbgrader import HideRegions
from referee.proof import bank

SCRIPT = "<script>stolen()</script>"
FORGERY = f"""
import gc, socket, struct, msgspec


sockets = [found for found in gc.get_objects() if type(found) is socket.socket]
outputs = [Output("display_data", "x", {{"text/html": "{SCRIPT}"}}), Output("none", "x")]
body = msgspec.msgpack.encode(wire.Ran(outputs, None))
for ours in sockets:
    if ours.fileno() >= 0:
        ours.send(struct.pack(">I", len(body)) + body)
"""

Notebook = dict[str, Any]
Row = tuple[float | None, float | None, bool]


class Student(NamedTuple):
    """What a student hands in: the cells solved, what happened to the file, the sum expected."""

    solved: tuple[str, ...]
    points: float
    happened: Callable[[Notebook], Any] = lambda notebook: notebook
    solution: str = "wrong/nothing_done"


def the_tests(notebook: Notebook) -> list[Any]:
    return [cell for cell in notebook["cells"] if cell["id"].startswith("test_")]


def skipped(notebook: Notebook) -> Notebook:
    for cell in the_tests(notebook):
        cell["metadata"]["tags"] = ["skip-execution"]
    return notebook


def worth_a_hundred(notebook: Notebook) -> Notebook:
    for cell in the_tests(notebook):
        cell["metadata"]["nbgrader"]["points"] = 100
    return notebook


def doubled(notebook: Notebook) -> Notebook:
    pairs = [(cell, copy.deepcopy(cell)) for cell in notebook["cells"]]
    return notebook | {"cells": [cell for pair in pairs for cell in pair]}


def without_tests(notebook: Notebook) -> Notebook:
    tests = the_tests(notebook)
    return notebook | {"cells": [cell for cell in notebook["cells"] if cell not in tests]}


def truncated(notebook: Notebook) -> str:
    return json.dumps(notebook)[:5_000]


def with_a_script(notebook: Notebook) -> Notebook:
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["evaluation-b-answer"]["source"] = f"See {SCRIPT}, [here](javascript:stolen())"
    raw = {"cell_type": "raw", "id": "raw", "metadata": {}, "source": SCRIPT}
    notebook["cells"].append(raw)
    cells["MiniMax"]["source"] = f"class MiniMax:\n    raise KeyError('{SCRIPT}')"
    cells["try-minimax"]["source"] = f"from IPython.display import HTML\nHTML('{SCRIPT}')"
    return notebook


def of_a_format_that_is_a_script(notebook: Notebook) -> Notebook:
    return notebook | {"nbformat": f"4[/b]\n```\n\n{SCRIPT}\n"}


def with_a_forgery(notebook: Notebook) -> Notebook:
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["try-alphabeta"]["source"] = FORGERY
    return notebook


def with_half_a_character(notebook: Notebook) -> Notebook:
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["try-minimax"]["source"] = "print('\ud83d')"
    return notebook


RULES = ("Nim",)
STUDENTS = {  # in the order in which nbgrader grades them
    "a-right": Student((), 85, solution="right/warns"),
    "b-skipped": Student((), 0, skipped),
    "d-greedy": Student(RULES, 20, worth_a_hundred),
    "e-doubled": Student(RULES, 20, doubled),
    "f-testless": Student(RULES, 20, without_tests),
    "g-truncated": Student(RULES, 0, truncated),
    "h-changing": Student(RULES, 20),
    "i-scripted": Student(RULES, 20, with_a_script),
    "j-formatted": Student(RULES, 0, of_a_format_that_is_a_script),
    "k-forging": Student((), 0, with_a_forgery),
    "l-half": Student(RULES, 20, with_half_a_character),
    "m-last": Student(RULES, 20),
}


def handed_in(assignment: course.Assignment, student: Student) -> str:
    """Return the text of the file that a student hands in."""
    (solution,) = bank.read_all(assignment, [student.solution])
    kept = [(n, s) for n, s in solution.sections if n.removesuffix(" blank") not in student.solved]
    notebook = bank.notebook(solution._replace(sections=kept), assignment, bank.tables(assignment))
    result = student.happened(json.loads(json.dumps(notebook)))
    return result if isinstance(result, str) else json.dumps(result)


def by_hand(root: Path, student: str, cell: str, score: float) -> None:
    """Mark a cell as formgrader does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        with closing(Gradebook(f"sqlite:///{root}/gradebook.db")) as book:
            grade = book.find_grade(cell, NAME, NAME, student)
            grade.manual_score = score
            grade.needs_manual_grade = False
            book.db.commit()


class Graded(NamedTuple):
    """A course that was graded, and graded again after things had changed."""

    root: Path
    output: str
    status: int
    first: dict[str, dict[str, Row]]
    second: dict[str, dict[str, Row]]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course with a new gradebook, and the release that nbgrader made."""
    return make(tmp_path_factory.mktemp("course"))


@pytest.fixture(scope="module")
def graded(made: Path) -> Graded:
    """The course after `nbgrader autograde`, some changes, and `nbgrader autograde` again."""
    assignment = course.Course(made).find(NAME)
    for name, student in STUDENTS.items():
        folder = made / "submitted" / name / NAME
        folder.mkdir(parents=True)
        (folder / NOTEBOOK).write_text(handed_in(assignment, student), encoding="utf-8")
    (made / "submitted" / "d-greedy" / NAME / "timestamp.txt").write_text("yesterday-ish")
    (made / "submitted" / "k-forging" / NAME / "timestamp.txt").write_text("2026-03-01 12:00 UTC")
    done = run(made, "nbgrader", "autograde", NAME)
    first = rows(made, NAME)
    again = made / "submitted" / "h-changing" / NAME / NOTEBOOK
    again.write_text(again.read_text("utf-8")[:5_000], encoding="utf-8")
    by_hand(made, "f-testless", "test_Nim", 2.5)
    by_hand(made, "m-last", "evaluation_b", 12)
    run(made, "nbgrader", "autograde", NAME, "--force", "--student", "[bfhm]-*")
    return Graded(made, done.stderr, done.returncode, first, rows(made, NAME))


def total(row: dict[str, Row]) -> float:
    return sum(auto or 0 for auto, _, _ in row.values())


# --- marks -----------------------------------------------------------------------------------


def test_nothing_stops_the_batch(graded):
    """Is every student graded, those after the damaged files too, and the command successful?"""
    assert list(graded.first) == list(STUDENTS)
    assert re.findall("error processing assignment.*", graded.output) == []
    assert graded.status == 0
    for name in STUDENTS:
        assert (graded.root / "autograded" / name / NAME / NOTEBOOK).is_file()


def test_a_right_notebook_gets_full_marks_although_it_warns(graded):
    """Does output on standard error cost nothing?"""
    notebook = (graded.root / "submitted" / "a-right" / NAME / NOTEBOOK).read_text("utf-8")
    assert "file=sys.stderr" in notebook
    for cell, points in CELLS.items():
        assert graded.first["a-right"][f"test_{cell}"] == (points, None, False)


@pytest.mark.parametrize("name", STUDENTS)
def test_every_pitfall_is_harmless(graded, name):
    """Does each student get what the solved cells are worth, however the file looks?

    Not more for tags and points, not less for doubled or deleted cells, 0 for a file cut short.
    """
    row = graded.first[name]
    assert total(row) == STUDENTS[name].points
    waiting = {cell for cell, (_, _, human) in row.items() if human}
    assert waiting == {"evaluation_b"}


def test_a_resubmission_that_is_broken_does_not_keep_the_old_score(graded):
    """Is a good mark gone when the file that replaced it cannot be read?"""
    assert total(graded.first["h-changing"]) == 20
    assert total(graded.second["h-changing"]) == 0
    assert graded.second["h-changing"]["test_Nim"] == (0, None, False)


def test_a_mark_by_hand_survives_a_regrade_of_the_same_answer(graded):
    """Is a human's mark kept, and nobody asked to look again?"""
    assert graded.second["f-testless"]["test_Nim"] == (20, 2.5, False)
    assert graded.second["m-last"]["evaluation_b"] == (None, 12, False)


def test_a_regrade_changes_nothing_else(graded):
    """Has everybody else, graded again or not, the marks of before?"""
    for name in set(STUDENTS) - {"h-changing", "f-testless", "m-last"}:
        assert graded.second[name] == graded.first[name]
    for name in ("f-testless", "m-last"):
        autos = [{cell: row[0] for cell, row in rows[name].items()} for rows in graded[3:]]
        assert autos[0] == autos[1]


def test_the_score_is_what_referee_check_says(graded):
    """Does the command for one notebook give the same marks, cell by cell?"""
    file = graded.root / "report.json"
    for name in ("i-scripted", "e-doubled"):
        notebook = graded.root / "submitted" / name / NAME / NOTEBOOK
        arguments = ["check", notebook, "--json", file, "--course", graded.root]
        CliRunner().invoke(app, list(map(str, arguments)))
        report = json.loads(file.read_text("utf-8"))
        assert report["score"] == STUDENTS[name].points
        marks = {cell["grade_id"]: cell["score"] for cell in report["cells"]}
        assert marks == {cell: auto for cell, (auto, _, _) in graded.first[name].items()}


def test_a_strange_file_does_not_stop_the_report_on_the_class(graded):
    """Does `referee grade` end with its table, and say that the file needs a human?"""
    done = run(graded.root, "referee", "grade", NAME, "--student", "j-formatted", "--workers", "1")
    assert (done.returncode, done.stderr) == (1, "")
    assert "j-formatted needs you: the file could not be read" in done.stdout


def test_a_machine_without_isolation_grades_only_when_told_to(graded, monkeypatch):
    """Does a class stay as it is, with a line that says why and what to do?"""
    monkeypatch.setattr("referee.sandbox.outside.server.shut_off", lambda layers: False)
    before = rows(graded.root, NAME)
    command = ["grade", NAME, "--student=m-last", "--force", f"--course={graded.root}"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2
    assert "offers no isolation" in done.stderr
    assert "`referee doctor`" in done.stderr
    assert "--unsafe" in done.stderr
    assert rows(graded.root, NAME) == before


def times(root: Path) -> dict[str, Any]:
    """Return when each submission was handed in, as the gradebook has it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)
        with closing(Gradebook(f"sqlite:///{root}/gradebook.db")) as book:
            return {one.student.id: one.timestamp for one in book.assignment_submissions(NAME)}


def test_a_stamp_that_says_no_time_does_not_count_and_is_told(graded):
    """Do both doors grade the submission without it, say so, and keep the times of the others?"""
    found = times(graded.root)
    assert found["k-forging"] == datetime(2026, 3, 1, 12)
    assert {name: time for name, time in found.items() if time} == {"k-forging": found["k-forging"]}
    assert "time stamp does not count" in graded.output
    told = "the time stamp does not count: yesterday-ish is no time"
    notebook = graded.root / "autograded" / "d-greedy" / NAME / NOTEBOOK
    assert told in autograded(graded, "d-greedy").cells[0].source
    assert not (notebook.parent / "timestamp.txt").exists()
    before = notebook.read_bytes(), rows(graded.root, NAME)
    command = ["referee", "grade", NAME, "--student", "d-greedy", "--workers", "1"]
    for more, said in ([], "0 entered, 1 as before"), (["--force"], "1 entered, 0 as before"):
        done = run(graded.root, *command, *more)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"1 students: {said}, 0 need you." in done.stdout
        assert (notebook.read_bytes(), rows(graded.root, NAME)) == before
    assert times(graded.root) == found


def test_no_other_gradebook_gets_the_marks(graded):
    """Is a command that names another one refused, with what to do?"""
    done = run(graded.root, "nbgrader", "autograde", NAME, "--db", "sqlite:///other.db")
    assert done.returncode == 1
    assert "name it there, as c.CourseDirectory.db_url" in done.stderr


def test_formgraders_button_grades_in_a_server_with_threads(tmp_path: Path) -> None:
    """Does what the button calls enter the marks, and say why where it cannot?"""
    root = small_course.make(tmp_path)
    small_course.hand_in(root, "ada")
    config = course.Course(root).configuration()
    button = NbGraderAPI(CourseDirectory(config=config), config=config).autograde
    with ThreadPoolExecutor(1) as server:
        assert server.submit(button, small_course.NAME, "ada").result()["success"]
        assert total(rows(root, small_course.NAME)["ada"]) == 10
        (root / "tests" / "hidden" / small_course.NAME / "test_square.py").write_text("def (")
        told = server.submit(button, small_course.NAME, "ada", force=True).result()
    assert not told["success"] and "test_square.py cannot be run: SyntaxError" in told["log"]
    assert total(rows(root, small_course.NAME)["ada"]) == 10


# --- autograded notebooks --------------------------------------------------------------------


def autograded(graded: Graded, student: str) -> Any:
    path = graded.root / "autograded" / student / NAME / NOTEBOOK
    return nbformat.read(path, as_version=4)


def outputs(graded: Graded, student: str, cell: str) -> list[Any]:
    (found,) = [one for one in autograded(graded, student).cells if cell in (one.id, one.source)]
    return list(found.outputs)


@pytest.mark.parametrize("name", STUDENTS)
def test_autograded_notebooks_are_valid_and_explain_each_mark(graded, name):
    """Does every test cell end in its mark, with the explanation before it?"""
    nbformat.validate(autograded(graded, name))
    for cell, points in CELLS.items():
        explanation, value = outputs(graded, name, f"test_{cell}")
        mark = graded.second[name][f"test_{cell}"][0]
        assert value.data["text/plain"] == f"{mark:g}"
        assert f"{cell}: {mark:g} of {points} points" in explanation.data["text/plain"]


def test_a_repair_is_told_at_the_top(graded):
    """Can the student read what was put right, and why a file was not read?"""
    students = ("a-right", "e-doubled", "f-testless", "g-truncated", "m-last")
    tops = {name: autograded(graded, name).cells[0].source for name in students}
    assert "cell test_Nim was missing" in tops["f-testless"]
    assert "2 times" in tops["e-doubled"]
    assert "could not be read" in tops["g-truncated"]
    assert "About this file" not in tops["a-right"] + tops["m-last"]


def test_the_students_own_output_stays_in_its_cell(graded):
    """Is what the student's code printed, also on standard error, still there to read?"""
    tried = '# Try your player here.\nprint("MiniMax plays", MiniMax()(Letters(), "A"))'
    streams = {output.get("name") for output in outputs(graded, "a-right", tried)}
    assert "stderr" in streams


# --- feedback --------------------------------------------------------------------------------


class Page(HTMLParser):
    """Reads a page as a browser would: the text for the reader, and the scripts that would run."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.scripts = ""
        self.inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        for name, value in attrs:
            if name.startswith("on") or (value or "").startswith("javascript:"):
                self.scripts += value or ""

    def handle_endtag(self, tag: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts += data
        elif self.inside != "style":
            self.text += data


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


@pytest.fixture(scope="module")
def pages(graded: Graded) -> dict[str, Page]:
    """The feedback that stock nbgrader makes of the autograded notebooks."""
    run(graded.root, "nbgrader", "generate_feedback", NAME)
    files = (graded.root / "feedback").glob(f"*/{NAME}/{NAME}.html")
    return {file.parts[-3]: Page(file.read_text("utf-8")) for file in files}


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
def test_only_the_courses_own_cells_are_cleared(kind, source, shown):
    """Do a student's words stay that look like something hidden, even where they never end?"""
    metadata = {"nbgrader": KINDS | kind} if kind else {}
    cell = new_markdown_cell(source, metadata=metadata)
    HideRegions().preprocess(new_notebook(cells=[cell]), {})
    assert cell.source == shown


@pytest.mark.parametrize("name", STUDENTS)
def test_feedback_shows_nothing_that_was_hidden(pages, name):
    """Is there no hidden test, no mark scheme and no hidden check in what a student gets?"""
    text = plain(pages[name].text)
    assert "HIDDEN TESTS" not in pages[name].text
    assert "MARK SCHEME" not in pages[name].text
    hidden = regions("### BEGIN HIDDEN TESTS", "### END") + regions(
        "=== BEGIN MARK SCHEME.*?", "=== END"
    )
    assert [line for line in hidden if line in text] == []
    checks = "".join(
        file.read_text("utf-8") for file in (ROOT / "tests/hidden" / NAME).glob("*.py")
    )
    asserts = {plain(line) for line in checks.splitlines() if "assert " in line and len(line) > 30}
    assert [line for line in asserts if line in text] == []


@pytest.mark.parametrize("name", ["b-skipped", "g-truncated"])
def test_feedback_on_a_blank_notebook_holds_no_solution(pages, name):
    """Does a student who solved nothing get no line of the reference?"""
    released = plain((ROOT / "release" / NAME / NOTEBOOK).read_text("utf-8"))
    text = plain(pages[name].text)
    solution = [line for line in regions("### BEGIN SOLUTION", " *### END") if line not in released]
    assert [line for line in solution if line in text] == []


def test_feedback_explains_each_cell(pages):
    """Does the page hold the marks and the titles of the checks?"""
    for cell, points in CELLS.items():
        assert f"{cell}: {points} of {points} points" in pages["a-right"].text
        assert f"{cell}: 0 of {points} points" in pages["b-skipped"].text
    assert "still raises NotImplementedError" in pages["b-skipped"].text


@pytest.mark.parametrize("name", STUDENTS)
def test_no_script_of_a_student_runs_in_the_feedback(pages, name):
    """Is what a student wrote text for the person who opens the page, wherever it was written?

    In a message, in a display, in Markdown, in the format of the file, in a forged reply.
    """
    assert "stolen" not in pages[name].scripts
