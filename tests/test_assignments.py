"""The assignments beside tic-tac-toe: release, both doors and marks, with the real commands.

What does not depend on the assignment is asked of tic-tac-toe in `test_class.py`.
"""

import shutil
from pathlib import Path

import pytest
from course_copies import make_course
from formgrading import rows, run
from sample_class import ASSIGNMENT, CLASSES, worth
from shares import sampled

pytestmark = pytest.mark.proof
ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "name", sampled(sorted(set(CLASSES) - {ASSIGNMENT}), "break-it", "game-trees")
)
def test_every_student_gets_the_expected_marks(name: str, tmp_path: Path) -> None:
    """Does the reference get all points through nbgrader, and everybody what must be?"""
    root, points = make_course(tmp_path / name, name), worth(name)
    for given in (ROOT / "submitted").glob(f"*/{name}"):
        shutil.copytree(given, root / "submitted" / given.parent.name / name)
    mine = root / "submitted" / "reference" / name
    mine.mkdir(parents=True)
    shutil.copy(root / "source" / name / f"{name}.ipynb", mine)
    run(root, "nbgrader", "autograde", name, "--student", "reference")
    expected = {student: one.marks for student, one in CLASSES[name].items()}
    waits = any(None in marks for marks in expected.values())
    run(root, "referee", "grade", name, status=int(waits))
    assert {
        student: tuple(marks[f"test_{cell}"][0] for cell in points)
        for student, marks in rows(root, name).items()
    } == expected | {"reference": tuple(points.values())}
