"""Ask whether the engine grades a course that it knows nothing of, and that has no games.

In the course's folder lie a configuration, a notebook and hidden checks, and nothing else.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import notebooks
import pytest
from formgrading import BIN
from notebooks import cell

from referee import course
from referee.marks import entries

pytestmark = pytest.mark.proof
PROJECT = Path(__file__).parents[2]
NAME = "basics"
SOLVED = {
    "ordered": '''def ordered(items):
    """Return the items in order, of equal ones the first one first."""
    ### BEGIN SOLUTION
    return sorted(items)
    ### END SOLUTION''',
    "Stack": '''class Stack:
    """A pile of things: the last one put on it comes off first."""

    ### BEGIN SOLUTION
    def __init__(self):
        self.things = []

    def push(self, thing):
        self.things.append(thing)

    def pop(self):
        if not self.things:
            raise ValueError("the stack is empty")
        return self.things.pop()
    ### END SOLUTION''',
    "statistics": '''def words_of(text):
    """Return the different words of a text."""
    ### BEGIN SOLUTION
    return set(text.lower().split())
    ### END SOLUTION


def root_of(number):
    """Return a square root of any number."""
    ### BEGIN SOLUTION
    return complex(number) ** 0.5
    ### END SOLUTION''',
    "MiniMax": '''class MiniMax:
    """Both ends of a list of numbers."""

    def ends(self, numbers):
        ### BEGIN SOLUTION
        return min(numbers), max(numbers)
        ### END SOLUTION''',
}
POINTS = {"ordered": 1, "Stack": 2, "statistics": 1, "MiniMax": 1}
COURSE = PROJECT / "tests" / "courses" / NAME
WRONG = {"MiniMax": SOLVED["MiniMax"].replace("max(numbers)", "len(numbers) - 4")}


def notebook(**instead: str) -> str:
    """Return the notebook, solved but for the cells that are given."""
    cells = []
    for name, source in (SOLVED | instead).items():
        cells += [cell(name, source), cell(f"test_{name}", "# checked", POINTS[name])]
    return json.dumps(notebooks.notebook(*cells))


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the built wheel, and nothing else of this checkout.

    A .pth leads to the other packages, those of the environment that runs the tests; what lies
    there of an editable install is not followed.
    """
    source, place = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("alone")
    for name in ("pyproject.toml", "LICENSE", "README.md"):
        shutil.copy(PROJECT / name, source)
    shutil.copytree(PROJECT / "referee", source / "referee")
    done(sys.executable, "-m", "venv", "--without-pip", str(place))
    packages = sysconfig.get_path("purelib", vars={"base": str(place)})
    Path(packages, "others.pth").write_text(sysconfig.get_path("purelib"))
    pip, none = [sys.executable, "-m", "pip", "--disable-pip-version-check"], "--no-index"
    done(*pip, "wheel", "--no-deps", none, "--no-build-isolation", f"-w{source}", str(source))
    [wheel] = source.glob("referee-*.whl")
    done(*pip, f"--python={place}/bin/python", "install", "--no-deps", none, str(wheel))
    said = done(f"{place}/bin/python", "-Pc", WHERE, cwd=place)
    assert said.split() == [f"{packages}/referee/__init__.py", "None", "None", "None"]
    return place


WHERE = """
import importlib.util, referee
print(referee.__file__, *map(importlib.util.find_spec, ("cells", "nim", "piles")))
"""


def done(*command: str, status: int = 0, cwd: Path | None = None) -> str:
    """Return what a command says; the programs beside it, and those of the tests, are found."""
    path = [str(Path(command[0]).parent), str(BIN), os.environ["PATH"]]
    ended = subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | {"PATH": os.pathsep.join(path), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == status, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def graded(alone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course, graded by what was installed."""
    root = tmp_path_factory.mktemp("course")
    shutil.copytree(COURSE, root, dirs_exist_ok=True)
    for folder, text in (
        (root / "source" / NAME, notebook()),
        (root / "submitted" / "ann" / NAME, notebook()),
        (root / "submitted" / "bob" / NAME, notebook(**WRONG)),
    ):
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(text)
    nbgrader = [f"{alone}/bin/python", "-m", "nbgrader"]
    done(*nbgrader, "generate_assignment", NAME, "--create", cwd=root)
    said = done(f"{alone}/bin/referee", "grade", NAME, "--workers", "1", cwd=root)
    assert "2 entered" in said, said
    return root


@pytest.mark.nightly
def test_the_engine_alone_leads_from_an_empty_folder_to_marks(alone: Path, tmp_path: Path) -> None:
    """Does it say there how to begin, write an assignment that is right, and grade a class?"""
    referee = f"{alone}/bin/referee"
    said = done(referee, "grade", "a", cwd=tmp_path, status=2)
    assert "no course found" in said and "`referee new NAME` makes one" in said
    done(referee, "new", "a", cwd=tmp_path)
    for student, kind in (("ann", "source"), ("bob", "release")):
        (tmp_path / "submitted" / student / "a").mkdir(parents=True)
        shutil.copy(tmp_path / kind / "a" / "a.ipynb", tmp_path / "submitted" / student / "a")
    assert "2 entered" in done(referee, "grade", "a", "--workers", "1", cwd=tmp_path)
    results = entries.get(tmp_path, "a")
    assert {student: one.report.score for student, one in results.items()} == {"ann": 3, "bob": 0}


def test_the_templates_of_an_assignment_are_installed(alone: Path) -> None:
    """Does `referee new` find each file there, and are the students' checks among them?"""
    [place] = alone.glob("lib/*/site-packages/referee/templates")
    ours = PROJECT / "referee" / "templates"
    assert "student/check.py" in course.files_in(ours)
    assert course.files_in(ours) == course.files_in(place)


def test_a_course_without_games_is_graded(graded: Path) -> None:
    """Does a right solution get 5 of 5, and a wrong one lose what it must?"""
    results = entries.get(graded, NAME)
    assert {student: one.report.score for student, one in results.items()} == {"ann": 5, "bob": 4}
    assert results["ann"].report.max_score == 5
    assert results["ann"].report.ours == results["bob"].report.ours == []


def test_a_name_of_another_course_explains_nothing(graded: Path) -> None:
    """Is a cell that is called MiniMax here not taken for a search?"""
    report = entries.get(graded, NAME)["bob"].report
    assert [check.id for check in report.checks if check.verdict.lost] == [
        "test_basics.py::test_ends"
    ]
    assert report.explanations == report.trouble == []


def test_nothing_else_is_in_its_folder(graded: Path) -> None:
    """Were no file of a library, no package and no settings of pytest needed?"""
    made = {"release", "autograded", "submitted", "gradebook.db", "grades.jsonl", ".referee"}
    assert {file.name for file in graded.iterdir()} - made == {
        "nbgrader_config.py", "source", "tests"
    }  # fmt: skip
    assert course.Course(graded).settings.subject is None
