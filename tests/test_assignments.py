"""The assignments beside tic-tac-toe: release, both doors and marks, with the real commands.

What does not depend on the assignment is asked of tic-tac-toe in `test_class.py`.
"""

import shutil
from pathlib import Path

import nbformat
import pytest
from formgrading import make_course, run
from nbgrader.api import Gradebook
from sample_class import ASSIGNMENT, CLASSES

pytestmark = pytest.mark.proof
ROOT = Path(__file__).parents[1]

OTHERS = sorted(set(CLASSES) - {ASSIGNMENT})


@pytest.fixture(scope="module", params=OTHERS)
def graded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with one assignment, its sample class and the reference, all graded."""
    name = request.param
    root = make_course(tmp_path_factory.mktemp("course") / name, name)
    for given in (ROOT / "submitted").glob(f"*/{name}"):
        shutil.copytree(given, root / "submitted" / given.parent.name / name)
    mine = root / "submitted" / "reference" / name
    mine.mkdir(parents=True)
    shutil.copy(root / "source" / name / f"{name}.ipynb", mine)
    run(root, "nbgrader", "autograde", name, "--student", "reference")
    (root / "table.txt").write_text(run(root, "referee", "grade", name))
    return root


def marks(root: Path) -> dict[str, dict[str, float]]:
    """Return the automatic marks of every student's cells."""
    with Gradebook(f"sqlite:///{root}/gradebook.db") as gradebook:
        return {
            submission.student.id: {
                grade.name.removeprefix("test_"): grade.auto_score
                for notebook in submission.notebooks
                for grade in notebook.grades
            }
            for submission in gradebook.assignment_submissions(root.name)
        }


def test_every_student_gets_the_expected_marks(graded: Path) -> None:
    """Does the reference get all points through nbgrader, and everybody what must be?"""
    class_ = CLASSES[graded.name]
    expected = {name: student.marks for name, student in class_.students.items()}
    found = marks(graded)
    assert {
        name: tuple(found[name][cell] for cell in class_.cells) for name in found
    } == expected | {"reference": class_.full}


def test_what_nbgrader_has_graded_is_not_graded_again(graded: Path) -> None:
    """Is the reference, which nbgrader has graded, left as it is by `referee grade`?"""
    students = len(CLASSES[graded.name].students)
    assert f"{students + 1} students: {students} entered, 1 as before" in (
        graded / "table.txt"
    ).read_text("utf-8")


def test_the_autograded_notebooks_explain_every_mark(graded: Path) -> None:
    """Does the cell below each solution say how many of its points there are?"""
    class_ = CLASSES[graded.name]
    for name, student in class_.students.items():
        file = graded / "autograded" / name / graded.name / f"{graded.name}.ipynb"
        cells = {
            cell.metadata.get("nbgrader", {}).get("grade_id"): cell
            for cell in nbformat.read(file, as_version=4).cells
        }
        for cell, mark in zip(class_.cells, student.marks, strict=True):
            said = cells[f"test_{cell}"].outputs[0].data["text/plain"]
            assert f"{cell}: {mark:g} of " in said
