"""The main job, from submissions to gradebook, with the real commands."""

import json
import shutil
from pathlib import Path

import pytest
from course_copies import make_course
from formgrading import rows, run
from sample_class import ASSIGNMENT, CELLS, CLASSES, FULL, STUDENTS, handed_in, main

from referee import course
from referee.proof import bank

pytestmark = pytest.mark.proof
ROOT = Path(__file__).parents[1]

EXPECTED = {name: student.marks for name, student in STUDENTS.items()} | {"reference": FULL}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course whose sample class has been graded by `referee grade`."""
    root = make_course(tmp_path_factory.mktemp("course"), ASSIGNMENT)
    for given in (ROOT / "submitted").glob(f"*/{ASSIGNMENT}"):
        shutil.copytree(given, root / "submitted" / given.parent.name / ASSIGNMENT)
    config = root / "nbgrader_config.py"
    limits = "c.Limits.cell_cpu_seconds, c.Limits.check_cpu_seconds = 40.0, 12.0\n"
    config.write_text(f"{config.read_text('utf-8')}{limits}", "utf-8")
    mine = root / "submitted" / "reference" / ASSIGNMENT
    mine.mkdir(parents=True)
    shutil.copy(root / "source" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb", mine)
    run(root, "nbgrader", "autograde", ASSIGNMENT, "--student", "reference")
    (root / "first.json").write_text(json.dumps(rows(root, ASSIGNMENT)))
    table = run(root, "referee", "grade", ASSIGNMENT, status=1)
    assert "15 students: 14 entered, 1 as before, 1 need you." in table
    return root


def test_the_reference_gets_full_marks_through_nbgrader_itself(graded: Path) -> None:
    """Does the plain `nbgrader autograde` give the reference solution all points?"""
    marks = json.loads((graded / "first.json").read_text())["reference"]
    assert [marks[f"test_{cell}"][0] for cell in CELLS] == list(FULL)
    assert marks["evaluation_b"] == [None, None, True]


def test_every_student_gets_the_expected_marks(graded: Path) -> None:
    """Does each kind of submission get the marks that follow from its mistakes?"""
    assert rows(graded, ASSIGNMENT) == {
        name: {f"test_{cell}": (mark, None, False) for cell, mark in zip(CELLS, marks, strict=True)}
        | {"evaluation_b": (None, None, True)}
        for name, marks in EXPECTED.items()
    }


@pytest.mark.parametrize("name", CLASSES)
def test_the_sample_class_is_made_from_the_bank(name: str) -> None:
    """Is each file in `submitted/` what `make samples` writes?"""
    assignment = course.Course(ROOT).find(name)
    students = CLASSES[name]
    found = {folder.parent.name for folder in (ROOT / "submitted").glob(f"*/{name}")}
    assert found == set(students)
    for one, student in students.items():
        file = ROOT / "submitted" / one / name / assignment.notebook
        assert file.read_text("utf-8") == handed_in(one, student, assignment), one
        assert bank.read_all(assignment, [student.solution])[0].idea


def test_a_class_that_is_no_sample_is_not_replaced(tmp_path: Path) -> None:
    """Is all of it there after `make samples`?"""
    (tmp_path / "real" / ASSIGNMENT).mkdir(parents=True)
    with pytest.raises(SystemExit, match="real"):
        main(tmp_path)
    assert (tmp_path / "real" / ASSIGNMENT).is_dir()
