"""Ask whether courses of nbgrader's get its marks, or a sentence why not, and cheats nothing.

One is made by `adopted_course`; the referee grades honest work and cheats in it, and stock
nbgrader the honest work in a copy.
"""

import json
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import adopted_course
import commands
import pytest
from adopted_course import HALF, NAME, TESTS
from formgrading import rows, run
from notebooks import cell, notebook

from referee import course
from referee.marks import entries, gradebook, ignored, standings
from referee.model import CheckResult, Verdict
from referee.proof import lint

STUB = "def {0}(*_):\n    return 0\n"
LIAR = "class Yes:\n    def __eq__(self, _):\n        return True\n\n{0} = lambda *_: Yes()\n"
# What each does on its way to the tests; both pass some of them in stock nbgrader. More are asked
# about in `sandbox/inside/test_testcells.py`.
CHEATS = {
    "patches": "import math, unittest, builtins\nmath.isclose = lambda *_, **__: True\n"
    "unittest.TestCase.assertEqual = lambda *_: None\nbuiltins.all = lambda _: True\n",
    "turns": "import ast, sys\nclass Nothing(ast.NodeTransformer):\n"
    "    def visit_Module(self, node):\n        return ast.Module([], [])\n"
    "async def nothing(*_, **__):\n    return False\n"
    "shell = get_ipython()\nshell.ast_transformers.append(Nothing())\n"
    "shell.input_transformers_post.append(lambda lines: [])\n"
    "shell.compile = lambda *_, **__: compile('', '', 'exec')\n"
    "shell._showtraceback = lambda *_: None\n"
    "def jump(frame, event, arg):\n"
    "    if event == 'line':\n        frame.f_lineno += 1\n    return jump\n"
    "def {0}(*_):\n    sys._getframe(1).f_trace = jump\n    sys.settrace(jump)\n    return 0\n"
    "type(shell).run_code = nothing\n",
}


@pytest.fixture(scope="module")
def adopted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, adopted, and graded by the referee."""
    root = adopted_course.make(tmp_path_factory.mktemp("adopted"))
    adopted_course.hand_in(root, "right", {})
    adopted_course.hand_in(root, "half", HALF)
    shutil.copytree(root / "release" / NAME, root / "submitted" / "empty" / NAME)
    for student, cheat in {"liar": LIAR, **CHEATS}.items():
        written = {
            name: STUB.format(name) + cheat.replace("{0}", name) for name in adopted_course.SOLVED
        }
        adopted_course.hand_in(root, student, written)
    adopted_course.hand_in(root, "half-missing", {})
    (root / "submitted" / "half-missing" / NAME / "words.ipynb").unlink()
    run(root, "referee", "adopt", "--yes")
    run(root, "referee", "grade", NAME, "--workers", "1", status=1)  # a notebook is missing
    return root


def marks(root: Path) -> dict[str, dict[str, float | None]]:
    """Return the marks of all cells that stand in a gradebook, by student."""
    return {
        student: {cell: row[0] for cell, row in cells.items()}
        for student, cells in rows(root, NAME).items()
    }


def results(root: Path, student: str) -> dict[str, CheckResult]:
    """Return what became of the tests of each cell."""
    kept = [entries.get(root, f"{NAME}/{part}") for part in adopted_course.NOTEBOOKS]
    return {check.cell: check for one in kept for check in one[student].report.checks}


@pytest.mark.proof
def test_honest_work_gets_what_nbgrader_gives(adopted: Path, tmp_path: Path) -> None:
    """Do both give the same points for each cell, parts of them, and nothing for no work?"""
    stock = adopted_course.make(tmp_path / "stock")
    for student in ("right", "half", "empty", "half-missing"):
        shutil.copytree(adopted / "submitted" / student, stock / "submitted" / student)
    run(stock, "nbgrader", "autograde", NAME)
    ours, theirs = marks(adopted), marks(stock)
    for student, scores in theirs.items():
        mine = {cell: ours[student][cell] for cell in TESTS}
        assert mine == {cell: scores[cell] for cell in TESTS}, student
    assert [sum(ours[s][cell] or 0 for cell in TESTS) for s in ("right", "half", "empty")] == [
        14, 4.5, 0,
    ]  # fmt: skip


def test_a_cheat_that_deceives_nbgrader_gains_nothing(adopted: Path) -> None:
    """Is every test lost, whatever was done to what runs it, and who changes a library named?"""
    for cheat in CHEATS:
        scores = marks(adopted)[cheat]
        assert {name: scores[name] for name in TESTS} == dict.fromkeys(TESTS, 0), cheat
    found = entries.get(adopted, f"{NAME}/numbers")
    named = {student for student, one in found.items() if "library" in str(one.report.failures)}
    assert named == {"patches"}


def test_what_failed_is_told_but_for_what_is_hidden(adopted: Path) -> None:
    """Does the student read the line that failed, and of a hidden one only that it did?"""
    half = results(adopted, "half")
    seen, hidden = half["mean_uses_sum"], half["mean_right"]
    assert seen.verdict is Verdict.WRONG
    assert "assert_equal(mean([5]), 5)" in seen.message
    assert hidden.message == "A hidden test of this cell failed."
    assert "4.5 is not 3" in hidden.details
    assert "in the student's process" in hidden.title
    assert results(adopted, "empty")["squares_right"].unwritten


def test_an_object_that_lies_is_caught_by_a_hardened_cell(adopted: Path) -> None:
    """Does the check that was written from the asserts take away what the liar had?"""
    hidden = adopted / "tests" / "hidden" / NAME / "numbers" / "test_item_raises.py"
    assert marks(adopted)["liar"]["squares_right"] == 2  # as docs/security.md says
    for name in ("squares_right", "item_raises"):
        run(adopted, "referee", "adopt", f"{NAME}/numbers", "--harden", name)
    harden = "adopt", f"{NAME}/words", "--harden", "count_parts"
    said = run(adopted, "referee", *harden, status=2)
    assert "points for a part" in said
    assert "nothing was written" in said
    run(adopted, "referee", "grade", NAME, "--student", "liar", "--student", "right")
    assert marks(adopted)["liar"]["squares_right"] == 0
    right = marks(adopted)["right"]
    assert (right["squares_right"], right["item_raises"]) == (2, 1)
    assert "student.raises(student.Missing)" in hidden.read_text()


@pytest.mark.proof
def test_how_good_test_cells_are_is_told_without_a_bank(adopted: Path, tmp_path: Path) -> None:
    """Are mutants of all that students write asked, whatever a cell is called, and no bank?

    Is it the same when all is kept?
    """
    root = tmp_path / "course"
    shutil.copytree(
        adopted, root, ignore=shutil.ignore_patterns("tests", "submitted", "autograded")
    )
    for folder in ("source", "release"):
        file = root / folder / NAME / "numbers.ipynb"
        file.write_text(file.read_text().replace('"grade_id": "mean"', '"grade_id": "cell-1"'))
    for _ in range(2):  # what is kept says the same
        said = run(root, "referee", "audit", f"{NAME}/numbers")
        assert "21 of 21 mutants are caught" in said
        assert "bank" not in said


def test_what_was_adopted_is_shown_and_added_once(tmp_path: Path) -> None:
    """Is what was there before it as it was, and is the second time a sentence?"""
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "own.py").write_text("import __main__, own, json")
    file = tmp_path / course.CONFIG
    latin = "# -*- coding: latin-1 -*-\r\nNAME = 'J\xf6rg'\r\n".encode("latin-1")
    for before in (b"", b"c = get_config()\nc.CourseDirectory.course_id = 'x'", latin):
        file.write_bytes(before)
        said = run(tmp_path, "referee", "adopt", "--yes")
        assert "c.Course.asserts = True" in said and "Not installed here" not in said
        assert course.Course(tmp_path).settings.asserts
        assert file.read_bytes().startswith(before)
        once = file.read_bytes()
        assert "delete it up to the line" in run(tmp_path, "referee", "adopt", status=2)
        assert file.read_bytes() == once
    assert not ignored.add(course.Course(tmp_path)), "it has named there what git is to ignore"


def test_adopting_looks_before_it_leaps(tmp_path: Path) -> None:
    """Are the tests told that the own solution fails, and is nothing written after a no?"""
    root = adopted_course.make(tmp_path)
    before = {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}
    asked = commands.run(root, "referee", "adopt")  # there is nobody to say yes
    assert asked.returncode == 1
    assert f"{NAME}/numbers: 5 of 5 tests pass on your own solution today" in asked.stdout
    assert f"{NAME}/words: 3 of 3 tests pass" in asked.stdout
    kept = {file: content for file, content in before.items() if "gradebook" not in file.name}
    assert {file: file.read_bytes() for file in kept} == kept
    source = root / "source" / NAME / "numbers.ipynb"
    text = source.read_text().replace('"def squares(n):', '"def squares(n):\\n", "    return 0')
    text = text.replace("TINY = 1", "seen = mean([1]); TINY = 1")
    source.write_text(text.replace("assert item", "seen; assert item"))
    (root / "gradebook.db").unlink()  # which knows the tests as they were
    words = root / "source" / NAME / "words.ipynb"
    words.write_text(words.read_text().replace('"points": 4', '"points": 3'))
    said = run(root, "referee", "adopt", "--yes")
    assert f"{NAME}/numbers: 2 of 5 tests pass" in said
    where = "seen is set in the hidden region of the test cell mean_right"
    assert where in " ".join(said.split())
    assert "  squares_right: " in said
    assert f"{NAME}/words: 2 of 3 tests pass" in said
    assert "  count_parts: The tests gave 4 points of 3" in said


def test_what_only_people_mark_is_graded_and_waits_for_them(tmp_path: Path) -> None:
    """Is a notebook without tests told as one, and a work all of which waits not graded again?"""
    essay = cell("why", "Why?", 5, words=True, solution=True, locked=False)
    file = tmp_path / "source" / "essay" / "essay.ipynb"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(notebook(essay)))
    shutil.copy(adopted_course.COURSE / course.CONFIG, tmp_path)
    run(tmp_path, "nbgrader", "generate_assignment", "essay", "--create")
    said = run(tmp_path, "referee", "adopt", "--yes")
    assert "essay: without a test, so people mark all that is to be marked" in said
    assert "0 of 0" not in said
    handed_in = tmp_path / "submitted" / "ada" / "essay" / "essay.ipynb"
    handed_in.parent.mkdir(parents=True)
    released = (tmp_path / "release" / "essay" / "essay.ipynb").read_text()
    handed_in.write_text(released.replace("YOUR ANSWER HERE", "Therefore."))
    run(tmp_path, "referee", "grade", "essay", "--workers", "1")
    said = run(tmp_path, "referee", "status", "essay")
    assert said.splitlines()[1].split() == ["essay", "1", "1", "0", "0", "1"]
    assert "essay, with a cell to mark by hand: ada" in said


def test_every_command_takes_one_notebook_of_several(adopted: Path, tmp_path: Path) -> None:
    """Do report, tables, feedback and files to check mean what was named?"""
    key, said = f"{NAME}/numbers", str(tmp_path / "page.html")
    assert "students" in run(adopted, "referee", "report", key, "--html", said)
    assert (tmp_path / "page.html").stat().st_size
    run(adopted, "referee", "report", key)
    assert (adopted / f"report-{NAME}-numbers.html").is_file()
    run(adopted, "referee", "return", key, "--table", "cells", "--to", str(tmp_path / "grades.csv"))
    assert "numbers/squares_right" in (tmp_path / "grades.csv").read_text().splitlines()[0]
    run(adopted, "referee", "return", key, "--for", "folder", "--to", str(tmp_path / "all.zip"))
    with zipfile.ZipFile(tmp_path / "all.zip") as packed:
        assert f"right/{NAME}-numbers.html" in packed.namelist()
    assert lint.faults(course.Course(adopted).find(key)) == []


def test_an_adopted_test_may_give_no_points(adopted: Path, tmp_path: Path) -> None:
    shutil.copytree(adopted, root := tmp_path / "course")
    file = root / "source" / NAME / "numbers.ipynb"
    file.write_text(file.read_text().replace('"points": 3', '"points": 0'))
    faults = lint.faults(course.Course(root).find(f"{NAME}/numbers"))
    assert any("its cells or points are not those of the source" in one for one in faults)
    assert not any("no points" in one for one in faults)


def test_the_mark_of_an_assignment_is_that_of_all_its_notebooks(adopted: Path) -> None:
    """Do cells of one name and the penalties of both notebooks add up, as nbgrader adds them?

    Is the key of a notebook's rows that by which the log and `referee why` know it?
    """
    with gradebook.opened(f"sqlite:///{adopted}/gradebook.db") as book:
        submission = book.find_submission(NAME, "half")
        keys = [gradebook.key(row) for row in submission.notebooks]
        assert sorted(keys) == [part.key for part in course.Course(adopted).parts(NAME)]
        for number, notebook in enumerate(submission.notebooks, start=1):
            notebook.late_submission_penalty = float(number) / 4
            notebook.grades[0].cell.name = "one"
        book.db.commit()
        standing = standings.read(book.db, NAME)["half"]
        assert standing.penalty == submission.late_submission_penalty == 0.75
        assert standing.final == submission.score - 0.75 > 0
        book.db.rollback()


def test_what_is_handed_in_beside_the_notebook_is_there(tmp_path: Path) -> None:
    """Does a module count, hide none of Python's, and an unnamed file reach a human?"""
    root = adopted_course.make(tmp_path / "course")
    run(root, "referee", "adopt", "--yes")
    mean = "import statistics\nfrom helper import total\n\n"
    mean += "def mean(numbers):\n    return total(numbers) / len(numbers)"
    adopted_course.hand_in(root, "ada", {"mean": mean})
    place = root / "submitted" / "ada" / NAME
    (place / "helper.py").write_text("def total(numbers):\n    return sum(numbers)\n")
    (place / "statistics.py").write_text("raise SystemExit\n")
    (place / "answers.pdf").write_bytes(b"%PDF")
    said = run(root, "referee", "grade", f"{NAME}/numbers", "--workers", "1")
    assert "files that the notebook does not name: ada (answers.pdf)" in " ".join(said.split())
    report = entries.get(root, f"{NAME}/numbers")["ada"].report
    assert report.perfect, report.failures


# --- other courses of nbgrader's: those of `nbgrader quickstart`, and one whose notebooks stand for
# what differs there from a course with asserts and a solution -------------------------------------

PS1 = "ps1"
SOLVED = "def double(n):\n    ### BEGIN SOLUTION\n    return 2 * n\n    ### END SOLUTION"
UNWRITTEN = "def double(n):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
TEST = "assert double(2) == 4"
RAISED = "raise AssertionError('it is not run as nbgrader runs it')"
NOTEBOOKS = {  # its cells: what is solved there, and what is tested
    "solved": [SOLVED, TEST],
    "stub": [UNWRITTEN, TEST],
    "unsolved": ["", TEST],
    "wrong": [SOLVED.replace("2 * n", "3 * n"), TEST],
    "idle": [SOLVED, "# the tests of this cell are made by hand"],
    "environment": [
        SOLVED,
        f"{TEST}\nimport os\nif os.environ['NBGRADER_EXECUTION'] != 'autograde':\n    {RAISED}",
    ],
}
CONFIG = (adopted_course.COURSE / "nbgrader_config.py").read_text("utf-8")  # finds the programs


def write(root: Path, name: str, cells: list[dict[str, Any]], /, **kernel: str) -> None:
    """Put a notebook of the assignment into a course."""
    file = root / "source" / PS1 / f"{name}.ipynb"
    file.parent.mkdir(parents=True, exist_ok=True)
    made = notebook(*cells)
    made["metadata"]["kernelspec"].update(kernel)
    file.write_text(json.dumps(made))


def released(root: Path) -> Path:
    """Make the release of a course, and let one student hand in that and one the source."""
    run(root, "nbgrader", "generate_assignment", PS1)
    shutil.copytree(root / "release" / PS1, root / "submitted" / "blank" / PS1)
    shutil.copytree(root / "source" / PS1, root / "submitted" / "right" / PS1)
    return root


def decided(root: Path) -> Iterator[tuple[str, str, float]]:
    """Yield whose mark of which cell is what, where no human has to give it."""
    for student, cells in rows(root, PS1).items():
        for name, (score, _, by_hand) in cells.items():
            if not by_hand:
                yield student, name, score


def apart(stock: Path, folder: Path, status: int = 0) -> tuple[set[tuple[str, str, float]], str]:
    """Return the marks that only one of nbgrader and the referee gives, and what ours says."""
    for name in "ours", "stock":
        shutil.copytree(stock, folder / name)
    root = folder / "ours"
    run(root, "referee", "adopt", "--yes")
    run(folder / "stock", "nbgrader", "autograde", PS1)
    said = run(root, "referee", "grade", PS1, "--workers", "1", status=status)
    return set(decided(root)) ^ set(decided(folder / "stock")), said


@pytest.mark.proof
@pytest.mark.nightly
def test_the_courses_of_quickstart_get_nbgraders_marks(tmp_path: Path) -> None:
    """Does every cell that both decide have one mark, with asserts by nbgrader?"""
    run(tmp_path, "nbgrader", "quickstart", "c", "--autotest")
    config = tmp_path / "c" / "nbgrader_config.py"
    config.write_text(f"{CONFIG}\n{config.read_text()}")
    different, _ = apart(released(tmp_path / "c"), tmp_path)
    assert {score for _, _, score in different} <= {0}  # of answers not written


TOLD = {
    "stub": ["no solution", "nobody knows whether it can be passed"],
    "unsolved": ["no solution", "nobody knows whether it can be passed"],
    "wrong": ["Suspended"],
    "idle": ["everybody gets them", "make it fail there"],
    "solved": [],
    "environment": [],
}


@pytest.mark.proof
def test_marks_are_those_of_nbgrader_but_where_it_is_told(tmp_path: Path) -> None:
    """Is a test that the solution fails the only one for which nobody has a mark?

    What no solution has passed, or asks nothing, is told, and nothing of what is as it should be.
    """
    (root := tmp_path / "mixed").mkdir()
    header = 'c.IncludeHeaderFooter.header = "header.ipynb"'
    (root / "nbgrader_config.py").write_text(f"{CONFIG}\n{header}\n")
    (root / "header.ipynb").write_text(json.dumps(notebook()))
    for name, (solution, test) in NOTEBOOKS.items():
        solved = [cell("double", solution)] if solution else []
        write(root, name, [*solved, cell(f"test_{name}", test, 1)])
    different, said = apart(released(root), tmp_path, status=1)
    assert {name for _, name, _ in different} == {"test_wrong"}
    for name, words in TOLD.items():
        lines = [
            line
            for line in said.splitlines()
            if f"test_{name}" in line and "/1" not in line and "  " not in line
        ]
        assert bool(lines) == bool(words), name
        assert all(any(word in line for line in lines) for word in words), (name, lines)


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    """A course with a notebook in Python and one whose kernel says that it speaks R.

    Stock has graded it, and then it was adopted.
    """
    root = tmp_path
    kernel = root / "jupyter" / "kernels" / "ir" / "kernel.json"
    kernel.parent.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(json.dumps({"argv": argv, "display_name": "R", "language": "R"}))
    paths = f"os.environ['JUPYTER_PATH'] = {str(root / 'jupyter')!r}\n"
    (root / "nbgrader_config.py").write_text(f"{CONFIG}\n{paths}")
    spec = {"display_name": "R", "language": "R", "name": "ir"}
    write(root, "solved", [cell("double", SOLVED), cell("test_solved", TEST, 1)])
    write(root, "other", [cell("twice", SOLVED), cell("test_other", TEST, 1)], **spec)
    released(root)
    run(root, "nbgrader", "autograde", PS1, "--student", "right")  # a kernel for each notebook
    assert f"{PS1}/other is written in R" in run(root, "referee", "adopt", "--yes")
    return root


@pytest.mark.proof
def test_a_notebook_that_is_not_python_keeps_its_marks(foreign: Path) -> None:
    """Is it named, the other one graded, and it never run as Python?

    Does what the sentence says to do give the marks of stock, and those of Python ours?
    """
    before = set(decided(foreign))
    assert ("right", "test_other", 1) in before
    said = run(foreign, "referee", "grade", PS1, "--student", "right", "--workers", "1")
    assert f"{PS1}/other is written in R" in said and "its marks stay as they are" in said
    assert set(decided(foreign)) == before
    for asked in (
        ("check", f"submitted/right/{PS1}/other.ipynb"),
        ("why", "right", f"{PS1}/other"),
    ):
        assert "is written in R" in run(foreign, "referee", *asked, status=2)
    run(foreign, "nbgrader", "autograde", PS1, "--student", "right", "--force")
    assert set(decided(foreign)) == before
    shown = foreign / "autograded" / "right" / PS1
    assert "in the student's process" in (shown / "solved.ipynb").read_text()
    assert "in the student's process" not in (shown / "other.ipynb").read_text()
