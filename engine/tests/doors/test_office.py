"""Follow the recipes of the guide to their end, and erase a person: is anything left?"""

import json
import re
import shutil
import sqlite3
import zipfile
from pathlib import Path

import pytest
import small_course as small
from commands import typed
from formgrading import run

from referee.course import Course
from referee.marks import by_hand, gradebook, ignored, standings
from referee.marks.grade_log import HandMark

GUIDE = Path(__file__).parents[2] / "docs" / "guide.md"

SEED = f"tests/hidden/{small.NAME}/seed.txt"
GIVEN = "\nc.IncludeLibrary.files = {'*': {'towns.csv': 'towns.csv'}}\n"
GONE = "Wilhelmine O'Hara"
SECRET = "xyzzy-of-hers"  # in her code and in what it prints


def naming(folder: Path, words: str) -> list[str]:
    """Return the files below a folder that have some words in their bytes or their paths."""
    spellings = {words.encode(), words.replace("'", "&#39;").encode(), words.encode("utf-16-le")}
    return [
        str(file.relative_to(folder))
        for file in folder.rglob("*")
        if words in str(file.relative_to(folder))
        or (file.is_file() and any(one in file.read_bytes() for one in spellings))
    ]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a class of two that was collected, graded, reported and given back."""
    root = small.make(tmp_path_factory.mktemp("office") / "course")
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


def committed(root: Path) -> Path:
    """Keep a course in git, but for what is about persons."""
    ignored.add(Course(root))
    typed(root, "git init -q; git add -A; git -c user.name=a -c user.email=a@b.c commit -qm a")
    return root


def recipe(heading: str) -> str:
    """Return the lines to type below a heading of the guide."""
    section = GUIDE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    (lines,) = re.findall(r"(?ms)^```sh\n(.*?)^```$", section)
    return str(lines)


@pytest.mark.nightly
def test_the_recipe_for_a_year_leaves_an_empty_class_with_new_secrets(
    made: Path, tmp_path: Path
) -> None:
    """Is nothing of the class in the new folder, and all of it in the old, and is it graded?"""
    root, new = committed(shutil.copytree(made, tmp_path / "course")), tmp_path / "course-next"
    typed(root, recipe("The end of a year"))
    assert naming(new, GONE) == naming(new, SECRET) == standings.students(Course(new)) == []
    assert [file.name for file in new.glob("*.csv")] == ["towns.csv"]
    assert standings.students(Course(root)) == ["Ada", GONE]
    assert "0 changed." in run(root, "referee", "why", "Ada", small.NAME, "--again")
    small.hand_in(new, "newcomer")
    assert "1 entered" in small.grade(new)
    assert (new / SEED).read_text() != (root / SEED).read_text()


def test_the_recipe_for_the_public_copy_gives_no_secret_away(made: Path, tmp_path: Path) -> None:
    """Is it what students get, without solution, hidden check or secret?"""
    root = committed(shutil.copytree(made, tmp_path / "course"))
    typed(root, recipe("Publish"))
    public = tmp_path / "public"
    assert [one.name for one in public.iterdir()] == ["release"]
    assert (public / f"release/{small.NAME}/{small.NAME}.ipynb").is_file()
    for words in ("return 2 * n", "student.double", (root / SEED).read_text(), GONE):
        assert naming(root, words)
        assert naming(public, words) == []


def test_the_recipes_for_a_list_and_for_late_work_work(tmp_path: Path) -> None:
    """Is the class known as Moodle calls it, and does each day that has begun cost a tenth?"""
    root = small.make(tmp_path / "course")
    (root / "participants.csv").write_text(
        'First name,Last name,"Email address",Roles\nÄda,"O\'Hara Li",ada@example.org,Student\n'
        "Jan,Li,jan@example.org,Student\nJan,Li,li@example.org,Student\n",
        encoding="utf-8-sig",
    )
    typed(root, recipe("The list of a class"))
    assert standings.students(Course(root)) == ["Äda O'Hara Li"]
    section = GUIDE.read_text("utf-8").partition("## Late work\n")[2]
    (rule,) = re.findall(r"(?ms)^```python\n(.*?)^```$", section)
    (root / "late.py").write_text(rule)
    (named,) = re.findall(r"`(c\.AssignLatePenalties.*?)`", section)
    with (root / "nbgrader_config.py").open("a") as settings:
        settings.write(f"\n{named}\n")
    typed(root, recipe("Late work").replace("tic-tac-toe", small.NAME))
    file = small.hand_in(root, "Äda O'Hara Li")
    (file.parent / "timestamp.txt").write_text("2027-02-02 00:00:00 UTC")  # the second day
    small.grade(root)
    said = " ".join(run(root, "referee", "why", "Äda O'Hara Li", small.NAME).split())
    assert (
        "8 of 10" in said
        and "1 day, 0:01:00 late" in said
        and "2 points off for being late, by TenthADay." in said
    )
    saving = by_hand.Saving("test_double", HandMark(automatic=6.0), "1")
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        row = book.find_submission_notebook(small.NAME, small.NAME, "Äda O'Hara Li")
        by_hand.save(Course(root), book, row.id, saving, "anna")
    said = run(root, "referee", "why", "Äda O'Hara Li", small.NAME)
    assert "4 of 10" in said and "1 point off for being late" in said  # two tenths of 5


def test_who_was_taken_out_of_the_gradebook_is_in_nobodys_way(made: Path, tmp_path: Path) -> None:
    """Do the others get their feedback, although an autograded folder is left?"""
    root = shutil.copytree(made, tmp_path / "course")
    typed(root, "nbgrader db student remove Ada --force")
    shutil.rmtree(root / "feedback")
    assert "the feedback of 1." in run(root, "referee", "return", small.NAME)
    assert [one.name for one in (root / "feedback").iterdir()] == [GONE]


def test_a_student_is_erased_and_what_still_names_them_is_said(made: Path, tmp_path: Path) -> None:
    """Is nothing left when what is named was deleted too, and all of the others' marks?"""
    root, other = shutil.copytree(made, tmp_path / "course"), tmp_path / "course-2026"
    shutil.copytree(root, other)
    (other / "towns.csv").write_text("town\nAda\n")
    erase = ("referee", "forget", GONE, "--archive", str(other))
    assert "Aborted" in run(root, *erase, status=1)
    assert len(naming(other, GONE)) > 8
    said = run(root, *erase, "--yes", status=1)
    named = [line.partition(f" still has the word {GONE}")[0] for line in said.splitlines()]
    files = {
        Path(one).relative_to(other).as_posix() for one in named if one.startswith(f"{other}/")
    }
    made = {
        "grades.csv",
        "moodle.csv",
        "students.csv",
        "report-numbers.html",
        "feedback-numbers.zip",
    }
    assert made <= files
    kept = (root / "submitted" / ".numbers-collected.json").read_text()
    assert "Ada" in kept and GONE not in kept  # who can be given feedback still
    for one in named:
        if Path(one).is_file() and Path(one).suffix in (".csv", ".html", ".zip", ".json"):
            Path(one).unlink()
    for folder in (root, other):
        assert naming(folder, GONE) == []
        assert naming(folder, SECRET) == []
    assert standings.students(Course(other)) == ["Ada"]
    assert "0 changed." in run(other, "referee", "why", "Ada", small.NAME, "--again")
    assert "0 entered, 1 as before" in small.grade(other)
    assert f"Nothing is kept of {GONE}." in run(root, *erase)
    assert "no student is called" in run(root, "referee", "forget", "../Ada", status=2)
    with sqlite3.connect(other / "gradebook.db") as book:
        assert book.execute("select count(*) from submitted_assignment").fetchall() == [(1,)]
