"""Ask whether a year ends and begins clean, and whether a person or a secret is left anywhere."""

import json
import os
import re
import shutil
import signal
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from formgrading import run

from referee import course
from referee.course import CourseError
from referee.doors import publish, year
from referee.marks import roster

SEED = f"tests/hidden/{small.NAME}/seed.txt"
GIVEN = "\nc.IncludeLibrary.files = {'*': {'towns.csv': 'towns.csv'}}\n"
GONE = "Wilhelmine O'Hara"
SECRET = "xyzzy-of-hers"  # in her code and in what it prints


def graded_class(root: Path) -> Path:
    """Make a course with a class of two that was collected, graded, reported and given back."""
    small.make(root)
    with (root / "nbgrader_config.py").open("a") as settings:
        settings.write(GIVEN)
    (root / "towns.csv").write_text("town\nTübingen\n")
    text = {
        "Ada_11": small.notebook(**small.SOLVED),
        f"{GONE}_12": small.notebook(
            double=f"print('{SECRET}')\ndef double(n):\n    return n + 1",
            square=small.SOLVED["square"],
        ),
    }
    with zipfile.ZipFile(root.parent / "all.zip", "w") as archive:
        for person, notebook in text.items():
            name = f"{person}_assignsubmission_file/{small.NAME}.ipynb"
            archive.writestr(name, json.dumps(notebook))
    run(root, "referee", "collect", small.NAME, str(root.parent / "all.zip"))
    small.grade(root)
    run(root, "referee", "return", small.NAME, "--table", "cells")
    run(root, "referee", "return", small.NAME, "--table", "moodle")
    run(root, "referee", "report", small.NAME)
    run(root, "referee", "return", small.NAME, "--for", "moodle")
    (root / "students.csv").write_text(f"id;first_name\r\nAda;Ada\r\n{GONE};W\r\n")
    return root


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return graded_class(tmp_path_factory.mktemp("office") / "course")


@pytest.fixture(scope="module")
def archived(made: Path) -> tuple[str, str, Path]:
    """Close the year; return what was said, the old secret and the archive."""
    secret = (made / SEED).read_text()
    archive = made.parent / "course-2026"
    return run(made, "referee", "year", str(archive)), secret, archive


def naming(folder: Path, words: str) -> list[str]:
    """Return the files below a folder that have some words in their bytes or their paths."""
    spellings = {words.encode(), words.replace("'", "&#39;").encode(), words.encode("utf-16-le")}
    return [
        str(file.relative_to(folder))
        for file in folder.rglob("*")
        if words in str(file.relative_to(folder))
        or (file.is_file() and any(one in file.read_bytes() for one in spellings))
    ]


def test_a_year_is_closed_and_the_next_begins_without_a_trace(
    made: Path, archived: tuple[str, str, Path]
) -> None:
    """Is the class in the archive whole, and nothing of it here but the course?"""
    said, secret, archive = archived
    assert "2 students are in" in said
    assert roster.known(archive) == ["Ada", GONE]
    assert "/submitted/*" in (made / ".gitignore").read_text()
    assert "0 changed." in run(archive, "referee", "why", "Ada", small.NAME, "--again")
    assert naming(made, GONE) == []
    assert naming(made, SECRET) == []
    assert roster.known(made) == []
    assert [file.name for file in made.glob("*.csv")] == ["towns.csv"]
    assert (made / SEED).read_text() != secret
    assert (archive / SEED).read_text() == secret
    small.hand_in(made, "newcomer")
    assert "1 entered" in small.grade(made)


STEPS = {
    "has copied a part": (shutil, "copystat", True),
    "has copied all": (Path, "rename", False),
    "has an archive": (Path, "rename", True),
    "is about to empty the gradebook": (roster, "remove", False),
    "has emptied the gradebook": (roster, "clear_dates", False),
    "has dropped the dates": (roster, "clear_dates", True),
    "has removed a folder": (shutil, "rmtree", True),
    "has removed a file": (Path, "unlink", True),
    "draws a secret": (course, "draw_seed", False),
    "has drawn a secret": (course, "draw_seed", True),
}


def killed_in(step: tuple[object, str, bool], root: Path, archive: Path) -> None:
    """Close the year in a process that is killed before or after it has called something."""
    owner, name, after = step
    real = getattr(owner, name)

    def killing(*given: Any, **named: Any) -> None:
        if after:
            real(*given, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if child == 0:
        setattr(owner, name, killing)
        year.close(root, archive)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("step", STEPS)
def test_a_year_that_was_killed_is_closed_by_the_same_command(
    archived: tuple[str, str, Path], tmp_path: Path, step: str
) -> None:
    """Is the class whole in the archive and gone here, and nothing half-done left beside them?"""
    root, archive = tmp_path / "course", tmp_path / "course-2026"
    shutil.copytree(archived[2], root)
    before = {file: (root / file).read_bytes() for file in (SEED, "grades.jsonl")}
    killed_in(STEPS[step], root, archive)
    if archive.exists():
        said = run(root, "referee", "year", str(tmp_path / "other"), status=2)
        assert f"was stopped half-way; finish it with `referee year {archive}`" in said
    assert "2 students are in" in run(root, "referee", "year", str(archive))
    assert {file: (archive / file).read_bytes() for file in before} == before
    assert roster.known(archive) == ["Ada", GONE]
    assert roster.known(root) == naming(root, GONE) == []
    assert {file.name for file in tmp_path.iterdir()} == {"course", "course-2026"}
    assert (root / SEED).read_bytes() != before[SEED]
    assert "is there already" in run(root, "referee", "year", str(archive), status=2)


def test_a_year_that_was_killed_while_it_copied_may_get_another_name(
    archived: tuple[str, str, Path], tmp_path: Path
) -> None:
    """Is nothing left of the archive that was begun?"""
    shutil.copytree(archived[2], tmp_path / "course")
    killed_in(STEPS["has copied a part"], tmp_path / "course", tmp_path / "old")
    run(tmp_path / "course", "referee", "year", str(tmp_path / "new"))
    assert {file.name for file in tmp_path.iterdir()} == {"course", "new"}


def test_an_archive_is_never_written_over_or_into_the_course(
    made: Path, archived: tuple[str, str, Path]
) -> None:
    """Is it refused before anything is changed?"""
    before = roster.known(made)
    for place, words in (
        (archived[2], "is there already"),
        (made / "old", "lies in the course"),
        (made.parent / "no" / "where", "is no folder; make it first"),
    ):
        assert words in run(made, "referee", "year", str(place), status=2)
    with (made / "nbgrader_config.py").open("a") as settings:
        settings.write(f"\nc.CourseDirectory.root = {str(made)!r}\n")
    said = run(made, "referee", "year", str(made.parent / "new"), status=2)
    assert "c.CourseDirectory.root names another folder" in said
    assert not list(made.parent.glob("*new*"))
    assert roster.known(made) == before


def test_a_student_is_erased_everywhere(tmp_path: Path) -> None:
    """Is nothing of a student in any file of course and archive, and all of the others' there?"""
    root = graded_class(tmp_path / "course")
    archive = tmp_path / "course-2026"
    run(root, "referee", "year", str(archive))
    (root / "students.csv").write_text(f"id;first_name\r\nAda;Ada\r\n{GONE};W\r\n")
    erase = ("referee", "forget", GONE, "--archive", str(archive))
    assert "Aborted" in run(root, *erase, status=1)
    assert len(naming(archive, GONE)) > 8
    said = run(root, *erase, "--yes")
    for place in (
        "submitted/W", "autograded/W", "feedback/W", "-collected.json", "gradebook.db: name",
        "results.db: 1 result,", "grades.jsonl: 1 line", "grades.csv: 1 row", "moodle.csv: 1 row",
        "report-numbers.html: the whole", "feedback-numbers.zip: the whole",
    ):  # fmt: skip
        assert f"{archive}/" in said
        assert re.search(place, said), place
    for folder in (root, archive):
        assert naming(folder, GONE) == []
        assert naming(folder, SECRET) == []
    assert (root / "students.csv").read_text() == "id;first_name\nAda;Ada\n"
    assert roster.known(archive) == ["Ada"]
    assert "0 changed." in run(archive, "referee", "why", "Ada", small.NAME, "--again")
    assert "0 entered, 1 as before" in small.grade(archive)
    assert f"Nothing is kept of {GONE}." in run(root, *erase)
    assert "no student is called" in run(root, "referee", "forget", "../Ada", status=2)
    with sqlite3.connect(archive / "gradebook.db") as book:
        assert book.execute("select count(*) from submitted_assignment").fetchall() == [(1,)]


LEAKS = {
    "a solution in the release": ("release/numbers/numbers.ipynb", "return 2 * number_of_them"),
    "a check in a lesson": ("lessons/one.md", "assert student.double(4) == 8"),
    "a wrong solution in a lesson": ("lessons/one.md", "return n + n + n  # thrice"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_named_and_nothing_is_written(tmp_path: Path, leak: str) -> None:
    """Does a line that was let out by mistake stop it, with its place?"""
    root = small.make(tmp_path / "course")
    (root / "LICENSE").write_text("free")
    with (root / "nbgrader_config.py").open("a") as settings:
        settings.write("\nc.Course.public = ['LICENSE', 'lessons']\n")
    (root / "lessons").mkdir()
    (root / "lessons/one.md").write_text("# One\n")
    bank = root / "bank" / small.NAME / "wrong" / "thrice.py"
    bank.parent.mkdir(parents=True)
    bank.write_text('"""Thrice."""\n# %% double\ndef double(n):\n    return n + n + n  # thrice\n')
    source = root / "source" / small.NAME / f"{small.NAME}.ipynb"
    source.write_text(source.read_text().replace("return 2 * n", "return 2 * number_of_them"))
    assert publish.publish(root, tmp_path / "good").files > 1
    name, line = LEAKS[leak]
    text = (root / name).read_text()
    old = "raise NotImplementedError()" if name.endswith("ipynb") else "# One"
    (root / name).write_text(text.replace(old, line))
    with pytest.raises(CourseError, match=re.escape(f"{name} gives away `{line}` of ")):
        publish.publish(root, tmp_path / "bad")
    assert not list(tmp_path.glob("*bad*"))
    assert course.public(root) == ["LICENSE", "lessons"]
