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
GROUP = "group,student\nRed,ada\nRed,ben\n"
HEAD = "student,assignment,until\n"
IN_TIME = "2027-02-03 12:00 Europe/Berlin"


def give(root: Path, groups: str = "", extensions: str = "") -> None:
    """Write the lists; the extensions without their first line."""
    (root / "groups.csv").write_text(groups or "group,student\n", "utf-8")
    (root / "extensions.csv").write_text(HEAD + extensions, "utf-8")


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


BAD = [  # groups, extensions, and what is said
    ("name,student\nRed,ada\n", "", "groups.csv: the first line has no column 'group'"),
    ("group,student\nRed,\n", "", "groups.csv, line 2: student is empty; fill it in"),
    ("group,student\nRed,ada\n\nBlue,ada\n", "", "groups.csv, line 4: ada is in Red already"),
    (f"{GROUP}Red,cy\n", "", "ada and ben of Red have both handed in numbers"),
    ("", "ada,numbers,soon\n", "line 2: 'soon' is no time"),
    ("", "ada,numbers,2027-01-30 12:00 UTC\n", "is before numbers is due"),
    (
        "", f"ada,numbers,{IN_TIME}\nada,numbers,2027-02-09\n",
        f"extensions.csv, line 3: ada has until {IN_TIME} already; leave one of them out",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("groups", "extensions", "said"), BAD)
def test_bad_lists_are_told_with_their_line(
    tmp_path: Path, groups: str, extensions: str, said: str
) -> None:
    """Is nobody's mark decided by a guess, and a time that cannot be meant refused?"""
    give(tmp_path, groups, extensions)
    own = Course(tmp_path)
    assert groups_and_extensions.extensions(own, "other", DUE) == {}
    with pytest.raises(CourseError, match=re.escape(said)):
        groups_and_extensions.owners(own, small.NAME, ["ada", "ben"])
        groups_and_extensions.extensions(own, small.NAME, DUE)


def rows(root: Path) -> dict[str, tuple[str, ...]]:
    """Return days late, mark and its reasons by student, from the exported table."""
    run(root, "referee", "return", small.NAME, "--table", "cells")
    with (root / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        return {
            row["student_id"]: (row["days_late"], row["score"], row["why"])
            for row in csv.DictReader(file)
        }


def due(root: Path, when: datetime.datetime | None = DUE) -> None:
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        book.find_assignment(small.NAME).duedate = when
        book.db.commit()


def test_a_class_with_groups_and_extensions_is_graded(tmp_path: Path) -> None:
    """Has each of a group the mark, and is lateness counted from the extension, both ways?"""
    root = small.make(tmp_path)
    due(root)
    for student in ("Red", "ida"):
        folder = small.hand_in(root, student).parent
        (folder / "timestamp.txt").write_text("2027-02-02 12:00:00 UTC")
    give(root, GROUPS)
    small.grade(root)
    late = {"ada": "handed in by Red", "ben": "handed in by Red", "ida": ""}
    late["lou"] = "handed in by ida"
    assert rows(root) == {name: ("2", "10.0", why) for name, why in late.items()}
    give(root, GROUPS, f"ida,numbers,{IN_TIME}\n")
    said = small.grade(root)
    assert "1 entered, 1 as before" in said
    assert f"ida has until 2027-02-03 11:00 UTC for numbers ({IN_TIME})" in said
    days = {name: values[0] for name, values in rows(root).items()}
    assert days == {"ada": "2", "ben": "2", "ida": "0", "lou": "0"}
    give(root, GROUPS)
    assert "1 entered, 1 as before" in small.grade(root)
    assert rows(root)["lou"][0] == "2"
    said = run(root, "referee", "return", small.NAME, "--for", "folder")
    assert "feedback for 4 students" in said
    said = run(root, "referee", "why", "lou", small.NAME, status=2)
    assert "; ida has handed in for the group" in said


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course in which ada and jürgen have handed in."""
    root = small.make(tmp_path)
    due(root)
    for student in ("ada", "jürgen"):
        small.hand_in(root, student)
    return root


def told(root: Path) -> list[str]:
    """Return the lines on what has no effect."""
    return groups_and_extensions.reading(Course(root), [small.NAME])[1]


STRAYS = [  # groups, student and assignment of an extension, and what is told
    (GROUP, "Ada", "numbers", "line 2: no student is called 'Ada'; did you mean ada?"),
    (GROUP, "ju\u0308rgen", "numbers", "did you mean jürgen?"),
    (GROUP, "eve", "numbers", "'eve'; correct it, or leave the line out"),
    (GROUP, "ada", "number", "line 2: no assignment is called 'number'; did you mean numbers?"),
    (GROUP, "ben", "numbers", "counts by what ada has handed in; write ada in its place"),
    ("group,student\nRed,ADA\n", "ada", "numbers", "groups.csv, line 2: no student is called"),
    ("group,student,assignment\nRed,ada,numbrs\n", "ada", "numbers", "called 'numbrs'; did"),
    ("group,student\nJÜRGEN,ben\n", "ada", "numbers", "'JÜRGEN'; did you mean jürgen?"),
    ("group,student\nRed,adda\nRed,ada\nBlue,jürgen\nBlue,jurgen\n", "ada", "numbers", ""),
]


def test_who_is_in_no_other_list_is_told(root: Path) -> None:
    """Is what reaches nobody told, with what is meant, but no member who has handed in nothing?"""
    for groups, who, what, said in STRAYS:
        give(root, groups, f"{who},{what},{IN_TIME}\n")
        assert [said in line for line in told(root)] == [True] * bool(said), told(root)


def test_who_is_not_in_the_list_of_students_is_told(root: Path) -> None:
    """Is a misspelt name of a folder, or of a member, no new student without a word?"""
    give(root, "group,student\nRed,ada\nRed,nobody\n")
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        for name in ("ada", "juergen"):
            book.add_student(name, first_name="One")
    member, folder = sorted(told(root))
    assert "no student is called 'nobody'; correct it, or leave the line out" in member
    assert folder == (
        "numbers: jürgen is not in the gradebook's list of students; did you mean juergen?"
    )


def test_an_extension_of_what_is_never_due_is_told(root: Path) -> None:
    """Is it said that nobody is late, and does the command that is named change that?"""
    due(root, None)
    give(root, "", f"ada,numbers,{IN_TIME}\n")
    (said,) = told(root)
    (command,) = re.findall(r"`(nbgrader db assignment add numbers --duedate=)", said)
    run(root, *command.split()[:-1], "--duedate=2027-01-31 23:59 UTC")
    assert told(root) == []


def test_what_lists_and_stamps_say_is_told_to_who_grades(root: Path) -> None:
    """Are long lists a few lines on the screen, and strays not hidden among them?

    Is a list that cannot be used told before anything is judged, and nobody's lateness left out
    without a word, and does what the notebook says help?
    """
    give(root, "", "ada,numbers,soon\n")
    assert "'soon' is no time" in small.grade(root, status=2)
    assert not list(root.glob("autograded/*"))
    give(root, "", "".join(f"s{n},numbers,2027-02-09\n" for n in range(50)))
    for n in range(25):
        small.hand_in(root, f"s{n}")
    stamp = root / "submitted" / "ada" / small.NAME / "timestamp.txt"
    stamp.write_text("2027-02-02 12:00:00.000000 CET")
    said = small.grade(root, "--student", "ada")
    assert "and 40 more lines of extensions.csv" in said
    assert "and 15 more lines of what reaches nobody" in said
    assert len([one for one in said.splitlines() if one.startswith("extensions.csv")]) == 20
    stamps = (
        "Not late, since their time stamp does not count (the notebook in autograded/ says why)"
    )
    assert f"{stamps}: ada." in said
    page = (root / "autograded" / "ada" / small.NAME / f"{small.NAME}.ipynb").read_text()
    assert "2027-01-31 23:59 +0100" in page
