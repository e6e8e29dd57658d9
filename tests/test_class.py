"""The main job, from submissions to gradebook, with the real commands, for each assignment."""

import shutil
from pathlib import Path

import pytest
from course_copies import make_course
from formgrading import rows, run
from sample_class import ASSIGNMENT, CLASSES, handed_in, main, worth
from shares import sampled

from referee import course
from referee.proof import bank

pytestmark = pytest.mark.proof
ROOT = Path(__file__).parents[1]
LIMITS = "c.Limits.cell_cpu_seconds, c.Limits.check_cpu_seconds = 40.0, 12.0\n"
NEED_YOU = (ASSIGNMENT, "game-trees")  # half a file, and a friend's tree


@pytest.mark.parametrize("name", sampled(CLASSES, ASSIGNMENT, "break-it", "game-trees"))
def test_every_student_gets_the_expected_marks(name: str, tmp_path: Path) -> None:
    """Does the reference get all points by nbgrader's own command, and everybody what must be?"""
    root, points = make_course(tmp_path / name, name), worth(name)
    for given in (ROOT / "submitted").glob(f"*/{name}"):
        shutil.copytree(given, root / "submitted" / given.parent.name / name)
    with (root / "nbgrader_config.py").open("a") as config:
        config.write(LIMITS)
    mine = root / "submitted" / "reference" / name
    mine.mkdir(parents=True)
    shutil.copy(root / "source" / name / f"{name}.ipynb", mine)

    def marks() -> dict[str, tuple[float | None, ...]]:
        given = rows(root, name)
        if name == ASSIGNMENT:
            assert {one["evaluation_b"] for one in given.values()} == {(None, None, True)}
        return {who: tuple(one[f"test_{x}"][0] for x in points) for who, one in given.items()}

    run(root, "nbgrader", "autograde", name, "--student", "reference")
    full = {"reference": tuple(points.values())}
    assert marks() == full
    run(root, "referee", "grade", name, status=int(name in NEED_YOU))
    assert marks() == full | {who: one.marks for who, one in CLASSES[name].items()}


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
