"""Follow the recipes of the pages by the letter, and erase a person: is anything left?"""

import csv
import json
import re
import shutil
import zipfile
from pathlib import Path

import nbformat
import pytest
import small_course as small
from classes import Class
from commands import typed
from formgrading import run
from notebooks import cell
from pages import block

from referee import intake
from referee.course import Course
from referee.marks import ignored, standings

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = DOCS / "guide.md"

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


@pytest.mark.nightly
def test_the_recipe_for_a_year_leaves_an_empty_class_with_new_secrets(
    made: Path, tmp_path: Path
) -> None:
    """Is nothing of the class in the new folder, and all of it in the old, and is it graded?"""
    root, new = committed(shutil.copytree(made, tmp_path / "course")), tmp_path / "course-next"
    typed(root, block(GUIDE, "The end of a year"))
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
    typed(root, block(GUIDE, "Publish"))
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
    typed(root, block(GUIDE, "The list of a class"))
    assert standings.students(Course(root)) == ["Äda O'Hara Li"]
    (root / "late.py").write_text(block(GUIDE, "Late work", "python"))
    (named,) = re.findall(r"`(c\.AssignLatePenalties.*?)`", GUIDE.read_text("utf-8"))
    with (root / "nbgrader_config.py").open("a") as settings:
        settings.write(f"\n{named}\n")
    typed(root, block(GUIDE, "Late work").replace("tic-tac-toe", small.NAME))
    file = small.hand_in(root, "Äda O'Hara Li")
    (file.parent / "timestamp.txt").write_text("2027-02-02 00:00:00 UTC")  # the second day
    small.grade(root)
    said = " ".join(run(root, "referee", "why", "Äda O'Hara Li", small.NAME).split())
    told = "8 of 10", "1 day, 0:01:00 late", "2 points off for being late, by TenthADay."
    assert [words for words in told if words not in said] == []
    Class(root).save("Äda O'Hara Li", "test_double", score="1")
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
    assert files >= {
        "grades.csv", "moodle.csv", "students.csv", "report-numbers.html", "feedback-numbers.zip",
    }  # fmt: skip
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
    assert Class(other).sql("select count(*) from submitted_assignment") == [(1,)]


# --- a repository a student -------------------------------------------------------------------

IN_TIME, LATE = "2027-02-07T22:58:00+00:00", "2027-02-07T18:00:00-05:00"  # 23:58, 00:00 in +01:00
AT = "export GIT_{{AUTHOR,COMMITTER}}_{{NAME,EMAIL}}=x GIT_{{AUTHOR,COMMITTER}}_DATE={}"
WRONG = {"double": "def double(n):\n    return 0", "square": "def square(n):\n    return 0"}


def repository(root: Path, student: str) -> Path:
    """Make a student's repository in the folder that `gh classroom clone` makes."""
    place = root / f"{small.NAME}-submissions" / f"{small.NAME}-{student}"
    place.mkdir(parents=True)
    typed(place, "git init --quiet --initial-branch=main")
    return place


def commit(place: Path, time: str, **sources: str) -> None:
    """Commit a notebook."""
    text = json.dumps(small.notebook(**sources))
    (place / f"{small.NAME}.ipynb").write_text(text)
    typed(place, f"{AT.format(time)}; git add --all; git commit --quiet --message x")


def test_the_last_commit_before_the_deadline_counts(tmp_path: Path) -> None:
    """Do the lines for GitHub take no older one, and no later one, whatever its zone?"""
    text = (DOCS / "platforms.md").read_text("utf-8").partition("## GitHub Classroom")[2]
    (lines,) = re.findall(r"(?m)(?:^    .*\n)*^    deadline=.*\n(?:^    .*\n)+", text)
    root = small.make(tmp_path / "a course")
    on_time = repository(root, "ada-l")
    commit(on_time, "2027-02-01T10:00:00+00:00", **WRONG)
    commit(on_time, IN_TIME, **small.SOLVED)
    commit(on_time, LATE, **WRONG)
    commit(repository(root, "bo"), LATE, **small.SOLVED)
    merged = repository(root, "kim")
    commit(merged, "2027-02-01T10:00:00+00:00", **small.SOLVED)
    typed(merged, "git checkout --quiet -b side")
    commit(merged, "2027-02-02T10:00:00+00:00", **WRONG)
    merge = "git checkout --quiet main; git merge --quiet --no-ff -m x side"
    typed(merged, f"{AT.format(LATE)}; {merge}")
    said = typed(root, lines.replace("tic-tac-toe", small.NAME))
    assert intake.students(Course(root), small.NAME) == ["ada-l", "kim"]
    assert "bo: nothing before the deadline" in said
    folder = root / "submitted" / "ada-l" / small.NAME
    taken = json.loads((folder / f"{small.NAME}.ipynb").read_text())
    assert taken == small.notebook(**small.SOLVED)
    assert intake.time_stamp(folder)[0] == "2027-02-07 22:58:00.000000 UTC"
    marks = [line for line in said.splitlines() if line.startswith(("ada", "kim"))]
    assert len(marks) == 2 and all(" 10" in line for line in marks)


# --- the first assignment ---------------------------------------------------------------------

CELL = re.compile(r"# (Autogra\w+ \w+) in (\S+): (\w+)(?:, (\d+) points?)?")
BLOCK = re.compile(r"(?ms)^```(sh|python|text)\n(.*?)^```$")


def write(text: str, folder: Path) -> None:
    """Write a file that says in its first line what it is, or add such a cell to a notebook."""
    first, _, rest = text.partition("\n")
    if not (found := CELL.fullmatch(first)):
        (folder / first.removeprefix("# ")).write_text(rest)
        return
    kind, place, name, points = found.groups()
    notebook = nbformat.read(folder / place, 4)
    if "median" in [cell.id for cell in notebook.cells]:  # the example's
        notebook.cells = [cell for cell in notebook.cells if cell.id == "imports"]
    assert (kind == "Autograder tests") == bool(points)
    notebook.cells.append(nbformat.from_dict(cell(name, rest, int(points or 0))))
    nbformat.write(notebook, folder / place)


@pytest.mark.proof
def test_the_guide_leads_from_nothing_to_a_graded_class(tmp_path: Path) -> None:
    """Does each command work, and say what the guide shows of it, with the files of the guide?"""
    said, shown = "", 0
    for kind, text in BLOCK.findall((DOCS / "first-assignment.md").read_text("utf-8")):
        if kind == "sh":
            said = typed(tmp_path, text)
        elif kind == "python":
            write(text, tmp_path)
        else:
            assert [line for line in text.splitlines() if line not in said] == [], said
            shown += 1
    assert shown == 5
    with (tmp_path / "grades.csv").open() as file:
        marks = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert marks == {"ada": 3, "bob": 0}
