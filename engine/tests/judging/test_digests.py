"""Ask whether everything that a mark depends on changes a digest, and nothing else does.

Each test edits the smallest course, or a copy of the engine, and looks at which digests are others.
"""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from referee.course import Assignment, Course, CourseError, files_in
from referee.judging import digests, pipeline
from referee.model import Cell, CellRun, Judged, Limits
from referee.sandbox.outside import importable

COURSE = Path(__file__).parents[1] / "courses" / "sums"
FILE, OTHER_FILE = "tests/hidden/sums/test_sums.py", "tests/hidden/sums/test_other.py"
ONE, TWO, THREE = "test_sums.py::test_one", "test_sums.py::test_two", "test_sums.py::test_three"
ALONE = "test_sums.py::test_alone"
APART = "test_other.py::test_other"
MINE, ALL = {ONE, TWO, THREE, ALONE}, {ONE, TWO, THREE, ALONE, APART}
CELLS = [Cell("x = 1", "cell f"), Cell("y", "cell 2")]
LIMITS = Limits()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The smallest course with a subject: one assignment, sums, with two files of checks."""
    return Path(shutil.copytree(COURSE, tmp_path / "course"))


def change(root: Path, path: str, old: str = "", new: str = "# more\n") -> None:
    """Replace a text in a file, which has it once; without one make the file, or make it longer."""
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    text = file.read_text() if file.exists() else ""
    assert not old or text.count(old) == 1
    file.write_text(text.replace(old, new) if old else text + new)


def checks(root: Path) -> dict[str, str]:
    return digests.checks(Assignment("sums", Course(root)))


def work(root: Path, given: Any = CELLS, limits: Limits = LIMITS, student: str = "") -> str:
    task = Assignment("sums", Course(root), student)
    return digests.work(task, digests.keys(task), given, limits)


def course(root: Path) -> str:
    return digests.keys(Assignment("sums", Course(root))).course


def basis(root: Path, limits: Limits = LIMITS) -> str:
    return digests.basis(Assignment("sums", Course(root)), limits, course(root))


# --- checks ----------------------------------------------------------------------------------


CHANGES: dict[str, Any] = {  # the checks concerned, the file, the text there and what replaces it
    "a body": ({THREE}, FILE, "== 6", "== 7"),
    "the body of one that is needed": ({TWO, THREE}, FILE, "== 4", "== 5"),
    "a title": ({ONE, TWO, THREE}, FILE, "One and one.", "1 + 1"),
    "the points": ({THREE}, FILE, "@check(2,", "@check(3,"),
    "a parameter": ({ALONE}, FILE, "[1, 2]", "[1, 3]"),
    "what it needs": ({THREE}, FILE, '2, needs="test_two"', "2"),
    "the layout": (set(), FILE, "(3, 3) ==", "(3,\n        3) =="),
    "a helper": (MINE, FILE, "(n, n)", "(n, 2)"),
    "an import": (MINE, FILE, "import pytest\n", "import pytest, sys\n"),
    "fixtures of the checks": (ALL, "tests/hidden/sums/conftest.py"),
    "the seed": (ALL, "tests/hidden/sums/seed.txt"),
    "data in a folder": (ALL, "tests/hidden/sums/deep/boards.csv"),
    "what its file imports": (MINE, "arithmetic/boards.py"),
    "a module beside that": (MINE, "arithmetic/corners.py"),
    "the package of that": (MINE, "arithmetic/__init__.py"),
    "what nothing imports": (set(), "arithmetic/sums.json"),
    "another import": (MINE, FILE, " import boards", " import subject"),
    "the library": (set(), "calculator.py"),
    "an open editor": (set(), "tests/hidden/sums/.test_sums.py.swp"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_concerns_the_checks_that_it_may_change(root, name):
    """Is a check asked anew when it, what it needs or what it shares is another, and only then?"""
    concerned, *how = CHANGES[name]
    before = checks(root)
    assert set(before) == ALL
    change(root, *how)
    after = checks(root)
    assert list(after) == list(before)
    assert {one for one in before if after[one] != before[one]} == concerned


def test_a_new_or_deleted_check_concerns_no_other(root):
    """Does a check that comes or goes leave the digests of the others as they were?"""
    before = checks(root)
    change(root, "tests/hidden/sums/deep/test_deep.py", new="def test_deep(): pass\n")
    change(root, FILE, new="\n\ndef test_new(student): pass\n")
    (root / OTHER_FILE).unlink()
    after = checks(root)
    assert set(after) == MINE | {"test_deep.py::test_deep", "test_sums.py::test_new"}
    assert {name: after[name] for name in MINE} == {name: before[name] for name in MINE}


def test_a_course_without_checks_is_an_error(root):
    """Does nobody get marks from no checks?"""
    (root / FILE).unlink()
    (root / OTHER_FILE).write_text("def helper(): pass\n")
    with pytest.raises(CourseError, match=r"no checks in .*hidden.sums"):
        checks(root)


# --- work ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "concerned"),
    [
        ("calculator.py", "work, course, basis"),
        ("release/sums/sums.ipynb", "work, course, basis"),
        ("release/sums/drawing/boards.py", "work, course, basis"),
        ("arithmetic/subject.py", "course, basis"),
        ("arithmetic/boards.py", "course, basis"),
        ("arithmetic/sums.json", "course, basis"),
        (FILE, "course, basis"),
        ("nbgrader_config.py", "basis"),
        ("source/sums/sums.ipynb", "basis"),
        ("release/sums/.ipynb_checkpoints/sums-checkpoint.ipynb", ""),
    ],
)
def test_a_changed_file_concerns_what_depends_on_it(root, path, concerned):
    """Do the cells run again when what they run with is another, is the course another when what
    decides or explains a mark is, and is all entered again that is to be shown otherwise?
    """
    digests_of = {"work": work, "course": course, "basis": basis}
    before = {name: digest(root) for name, digest in digests_of.items()}
    change(root, path, new="\n\nx = 1\n")
    changed = [name for name, digest in digests_of.items() if digest(root) != before[name]]
    assert ", ".join(changed) == concerned


OTHERS: dict[str, dict[str, Any]] = {
    "source": {"given": [Cell("x = 2", "cell f"), CELLS[1]]},
    "label": {"given": [Cell("x = 1", "cell g"), CELLS[1]]},
    "order": {"given": CELLS[::-1]},
    "file": {"given": "the digest of files"},
    "limits": {"limits": Limits(check_calls=7)},
    "student": {"student": "ann"},
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_cells_limits_or_students_are_other_work(root, name):
    """Does all that is run, how long it may take, and who may be asked, change the digest?"""
    assert work(root, **OTHERS[name]) != work(root)


def test_another_version_of_a_package_is_other_work(root, monkeypatch):
    """Is all judged anew by what is installed now?"""
    before = work(root)
    monkeypatch.setattr(importable, "versions", lambda _: {"towns": "1.1"})
    assert work(root) != before


# --- course and basis ------------------------------------------------------------------------


def test_what_was_judged_by_another_course_is_not_kept(root, monkeypatch):
    """Is a verdict not filed under a check that was edited while it was asked?"""
    task = Assignment("sums", Course(root))
    judged = []

    def judge(*arguments):
        judged.append(arguments)
        if len(judged) == 1:
            change(root, FILE, "== 6", "== 7")
        return Judged(runs=[CellRun()])

    monkeypatch.setattr(pipeline, "judge", judge)
    for _ in range(3):
        pipeline.judge_or_look_up(task, CELLS, LIMITS)
    assert [known.runs for _, _, _, known in judged] == [None, None, [CellRun()]]


def test_the_digests_are_the_same_wherever_the_course_lies(root, tmp_path_factory):
    """Does a copy of the course, in another folder of another time, have the same digests?

    The basis of what was entered is another one within other limits alone.
    """
    assert basis(root, Limits(check_calls=7)) != basis(root)
    again = shutil.copytree(root, tmp_path_factory.mktemp("elsewhere") / "copy")
    for file in again.rglob("*"):
        os.utime(file, (0, 0))
    for of in (checks, work, course, basis):
        assert of(again) == of(root)


# --- the engine ------------------------------------------------------------------------------


def test_every_module_that_decides_a_mark_changes_the_engine(tmp_path, monkeypatch):
    """Is every mark decided anew by an engine that has changed in any module, and only then?

    And all entered anew by one that has changed at all, wherever it is installed?
    """
    ignored = shutil.ignore_patterns("__pycache__")
    package = shutil.copytree(digests.PACKAGE, tmp_path / "referee", ignore=ignored)
    before, changed = (digests.engine(), digests.package()), set()
    monkeypatch.setattr(digests, "PACKAGE", package)
    for name in ["", *files_in(package)]:
        if name:
            (package / name).write_bytes((package / name).read_bytes() + b"# changed\n")
        now = digests.engine.__wrapped__(), digests.package.__wrapped__()
        assert (now[1] != before[1]) == bool(name), name
        changed |= {name} if now[0] != before[0] else set()
        before = now
    deciding = ("intake/", "sandbox/", "judging/", "model.py", "course.py")
    assert changed == {name for name in files_in(package) if name.startswith(deciding)}
