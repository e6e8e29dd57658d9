"""Ask whether lists of groups and extensions count as written, and bad ones are told in a line."""

import csv
import datetime
import re
from pathlib import Path

import pytest
import small_course as small
from formgrading import run

from referee.course import Course, CourseError
from referee.marks import gradebook, groups_and_extensions

DUE = datetime.datetime(2027, 1, 31, 23, 59)
GROUPS = "group;student;assignment\nRed;ada;\nRed;ben;\nBlue;ida;\nBlue;lou;\nBlue;ada;other\n"


def give(root: Path, groups: str = "", extensions: str = "") -> None:
    for name, text in (
        (groups_and_extensions.GROUPS, groups),
        (groups_and_extensions.EXTENSIONS, extensions),
    ):
        (root / name).write_text(text, "utf-8") if text else (root / name).unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("handed_in", "owners"),
    [
        (["zoe"], {"zoe": "zoe"}),
        (["Red", "zoe"], {"ada": "Red", "ben": "Red", "zoe": "zoe"}),
        (["ada", "ida"], {"ada": "ada", "ben": "ada", "ida": "ida", "lou": "ida"}),
        (["Red", "ben"], {"ada": "Red", "ben": "ben"}),
        (["ada", "ben"], {"ada": "ada", "ben": "ben"}),
    ],
)
def test_a_submission_counts_for_those_of_the_group_who_have_none(
    tmp_path: Path, handed_in: list[str], owners: dict[str, str]
) -> None:
    """Does everybody count by one submission at most, their own before the group's?"""
    give(tmp_path, GROUPS)
    assert groups_and_extensions.owners(Course(tmp_path), small.NAME, handed_in) == owners


BAD = {
    "name,student\nRed,ada\n": "groups.csv: the first line has no column 'group'",
    "group,student\nRed,\n": "groups.csv, line 2: student is empty; fill it in",
    "group,student\nRed,ada\n\nBlue,ada\n": "groups.csv, line 4: ada is in Red already",
    "group,student\nRed,ada\nRed,ben\nRed,cy\n": "ada and ben of Red have both handed in numbers",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_groups_are_told_with_their_line(tmp_path: Path, text: str) -> None:
    """Is nobody's mark decided by a guess?"""
    give(tmp_path, groups=text)
    with pytest.raises(CourseError, match=re.escape(BAD[text])):
        groups_and_extensions.owners(Course(tmp_path), small.NAME, ["ada", "ben"])


@pytest.mark.parametrize(
    ("until", "said"),
    [
        ("soon", "line 2: 'soon' is no time"),
        ("2027-01-30 12:00 UTC", "is before numbers is due"),
    ],
)
def test_bad_extensions_are_told_with_their_line(tmp_path: Path, until: str, said: str) -> None:
    """Is a time that cannot be meant refused?"""
    give(tmp_path, extensions=f"student,assignment,until\nada,numbers,{until}\n")
    with pytest.raises(CourseError, match=re.escape(said)):
        groups_and_extensions.extensions(Course(tmp_path), small.NAME, DUE)
    assert groups_and_extensions.extensions(Course(tmp_path), "other", DUE) == {}


def rows(root: Path) -> dict[str, tuple[str, ...]]:
    """Return days late, mark and its reasons by student, from the exported table."""
    run(root, "referee", "return", small.NAME, "--table", "cells")
    with (root / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        return {
            row["student_id"]: (row["days_late"], row["score"], row["why"])
            for row in csv.DictReader(file)
        }


def test_who_is_not_in_the_list_of_students_is_told(tmp_path: Path) -> None:
    """Is a folder with a misspelt name no new student without a word?"""
    root = small.make(tmp_path)
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        book.add_student("josephine", first_name="Josephine")
    small.hand_in(root, "jospehine")
    said = "numbers: jospehine is not in the gradebook's list of students; did you mean josephine?"
    assert said in small.grade(root)


def test_a_class_with_groups_and_extensions_is_graded(tmp_path: Path) -> None:
    """Has each of a group the mark, and is lateness counted from the extension, both ways?"""
    root = small.make(tmp_path)
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        book.find_assignment(small.NAME).duedate = DUE
        book.db.commit()
    for student in ("Red", "ida"):
        folder = small.hand_in(root, student).parent
        (folder / "timestamp.txt").write_text("2027-02-02 12:00:00 UTC")
    give(root, GROUPS)
    small.grade(root)
    late = {"ada": "handed in by Red", "ben": "handed in by Red", "ida": "", "lou": ""}
    late["lou"] = "handed in by ida"
    assert rows(root) == {name: ("2", "10.0", why) for name, why in late.items()}
    give(root, GROUPS, "student,assignment,until\nida,numbers,2027-02-03 12:00 Europe/Berlin\n")
    assert "1 entered, 1 as before" in small.grade(root)
    days = {name: values[0] for name, values in rows(root).items()}
    assert days == {"ada": "2", "ben": "2", "ida": "0", "lou": "0"}
    give(root, GROUPS)
    assert "1 entered, 1 as before" in small.grade(root)
    assert rows(root)["lou"][0] == "2"
    said = run(root, "referee", "return", small.NAME, "--for", "folder")
    assert "feedback for 4 students" in said


def due(root: Path, when: datetime.datetime | None = DUE) -> None:
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        book.find_assignment(small.NAME).duedate = when
        book.db.commit()


HEAD = "student,assignment,until\n"
IN_TIME = "2027-02-03 12:00 Europe/Berlin"


@pytest.fixture
def late(tmp_path: Path) -> Path:
    """A course in which ada and jürgen hand in late, and ben with ada."""
    root = small.make(tmp_path)
    due(root)
    for student in ("ada", "jürgen"):
        folder = small.hand_in(root, student).parent
        (folder / "timestamp.txt").write_text("2027-02-02 12:00:00 UTC")
    give(root, "group,student,assignment\nRed,ada,\nRed,ben,\n")
    return root


def test_what_was_understood_of_extensions_is_said(late: Path) -> None:
    """Is each said once when a class is graded, in UTC and as it was written?"""
    give(late, extensions=f"{HEAD}ada,numbers,{IN_TIME}\njürgen,numbers,2027-02-03T09:00:30\n")
    said = small.grade(late).splitlines()
    assert [
        line.partition(": ")[2] for line in said if groups_and_extensions.EXTENSIONS in line
    ] == [
        f"ada has until 2027-02-03 11:00 UTC for numbers ({IN_TIME})",
        "jürgen has until 2027-02-03 09:00:30 UTC for numbers (2027-02-03T09:00:30)",
    ]
    assert {name: days for name, (days, *_) in rows(late).items()} == {"ada": "0", "jürgen": "0"}


STRAYS = {
    ("Ada", "numbers"): "extensions.csv, line 2: no student is called 'Ada'; did you mean ada?",
    ("ju\u0308rgen", "numbers"): "did you mean jürgen?",
    ("eve", "numbers"): "no student is called 'eve'; correct it, or leave the line out",
    ("ada", "number"): "line 5: no assignment is called 'number'; did you mean numbers?",
    ("ben", "numbers"): "ben counts by what ada has handed in; write ada in its place",
}


def test_who_is_in_no_other_list_is_told(late: Path) -> None:
    """Is each line told that nobody can mean, and does what is said about them help?"""
    group = "group,student\nRed,ada\nRed,ben\n"
    give(late, group, "".join([HEAD, *(f"{who},{what},{IN_TIME}\n" for who, what in STRAYS)]))
    said = " ".join(small.grade(late).split())
    assert [told for told in STRAYS.values() if told not in said] == []
    give(late, group, "".join([HEAD, *(f"{who},numbers,{IN_TIME}\n" for who in ("jürgen", "ada"))]))
    said = small.grade(late)
    assert {row[0] for row in rows(late).values()} == {"0"}
    give(late, group)
    assert "csv, line 2" not in said + small.grade(late)


def test_whose_stamp_does_not_count_is_told_to_who_grades(late: Path) -> None:
    """Does nobody's lateness go without a word, and does what the notebook says help?"""
    stamp = late / "submitted" / "ada" / small.NAME / "timestamp.txt"
    stamp.write_text("2027-02-02 12:00:00.000000 CET")
    said = "Not late, since their time stamp does not count (the notebook in autograded/ says why)"
    assert f"{said}: ada." in small.grade(late)
    page = (late / "autograded" / "ada" / small.NAME / f"{small.NAME}.ipynb").read_text()
    assert "2027-01-31 23:59 +0100" in page
    stamp.write_text("2027-02-02 12:00:00.000000 +0100")
    assert said not in small.grade(late)
    assert rows(late)["ada"][0] == "2"


GROUP_STRAYS = {
    "group,student\nRed,ADA\nRed,ben\n": "groups.csv, line 2: no student is called 'ADA'; did",
    "group,student,assignment\nRed,ada,nummbers\n": "line 2: no assignment is called 'nummbers'",
    "group,student\nJÜRGEN,ben\n": "line 2: no group is called 'JÜRGEN'; did you mean jürgen?",
}


@pytest.mark.parametrize("text", GROUP_STRAYS)
def test_groups_too(late: Path, text: str) -> None:
    """Is a member who has handed nothing in no stray, but one who is somebody in other letters?"""
    give(late, text)
    assert GROUP_STRAYS[text] in small.grade(late)


def test_a_member_with_nearly_the_name_of_another_is_no_stray(late: Path) -> None:
    """Is nobody told about who has handed in nothing, if the other one is in a group, too?"""
    give(late, "group,student\nRed,ada\nRed,adda\nBlue,jürgen\nBlue,jurgen\n")
    assert "groups.csv, line" not in small.grade(late)


def test_an_extension_of_what_is_never_due_is_told(late: Path) -> None:
    """Is it said that nobody is late, and does the command that is named change that?"""
    due(late, None)
    give(late, extensions=f"{HEAD}ada,numbers,{IN_TIME}\n")
    said = small.grade(late)
    assert "extensions.csv: numbers has no due date" in said
    (command,) = re.findall(r"`(nbgrader db assignment add numbers --duedate=)", said)
    run(late, *command.split()[:-1], "--duedate=2027-01-31 23:59 UTC")
    assert "has no due date" not in small.grade(late)


@pytest.mark.parametrize("second", ["ada,numbers,2027-02-09", f"ada,numbers,{IN_TIME}"])
def test_a_student_has_one_extension(late: Path, second: str) -> None:
    """Is it an error to be there twice, told before anything is judged?"""
    give(late, extensions=f"{HEAD}ada,numbers,{IN_TIME}\n{second}\n")
    said = small.grade(late, status=2)
    assert f"extensions.csv, line 3: ada has until {IN_TIME} already; leave one of them out" in said
    assert not list(late.glob("autograded/*"))


def test_many_lines_are_counted(late: Path) -> None:
    """Are long lists a few lines on the screen, and strays not hidden among them?"""
    give(late, extensions=HEAD + "".join(f"s{n},numbers,2027-02-09\n" for n in range(50)))
    for n in range(25):
        small.hand_in(late, f"s{n}")
    said = small.grade(late, "--student", "ada").splitlines()
    assert "and 40 more lines of extensions.csv" in said
    assert "and 15 more lines of what reaches nobody" in said
    assert len([line for line in said if line.startswith("extensions.csv")]) == 20


def test_who_has_handed_in_nothing_alone_is_told_who_has(tmp_path: Path) -> None:
    """Is a member of a group who asks for the reasons of a mark led to the submission?"""
    root = small.make(tmp_path / "course")
    (root / "groups.csv").write_text("group,student\nRed,ada\nRed,ben\n")
    small.hand_in(root, "ada")
    small.grade(root)
    assert "; ada has handed in for the group" in run(
        root, "referee", "why", "ben", small.NAME, status=2
    )
