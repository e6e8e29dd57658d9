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
    give(root, GROUPS, f"{HEAD}ida,numbers,{IN_TIME}\n")
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
    assert "; ida has handed in for the group" in run(
        root, "referee", "why", "lou", small.NAME, status=2
    )


# --- what is told before anybody is graded --------------------------------------------------------

HEAD = "student,assignment,until\n"
GROUP = "group,student\nRed,ada\nRed,ben\n"
IN_TIME = "2027-02-03 12:00 Europe/Berlin"


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


@pytest.mark.parametrize(
    ("groups", "who", "what", "said"),
    [
        (GROUP, "Ada", "numbers", "line 2: no student is called 'Ada'; did you mean ada?"),
        (GROUP, "ju\u0308rgen", "numbers", "did you mean jürgen?"),
        (GROUP, "eve", "numbers", "'eve'; correct it, or leave the line out"),
        (GROUP, "ada", "number", "line 2: no assignment is called 'number'; did you mean numbers?"),
        (GROUP, "ben", "numbers", "counts by what ada has handed in; write ada in its place"),
        ("group,student\nRed,ADA\n", "ada", "numbers", "groups.csv, line 2: no student is called"),
        ("group,student,assignment\nRed,ada,numbrs\n", "ada", "numbers", "called 'numbrs'; did"),
        ("group,student\nJÜRGEN,ben\n", "ada", "numbers", "'JÜRGEN'; did you mean jürgen?"),
        ("group,student\nRed,adda\nRed,ada\nBlue,jürgen\nBlue,jurgen\n", "ada", "numbers", ""),
    ],
)
def test_who_is_in_no_other_list_is_told(
    root: Path, groups: str, who: str, what: str, said: str
) -> None:
    """Is what reaches nobody told, with what is meant, but no member who has handed in nothing?"""
    give(root, groups, f"{HEAD}{who},{what},{IN_TIME}\n")
    assert [said in line for line in told(root)] == [True] * bool(said)


def test_a_member_who_is_not_in_the_list_of_students_is_told(root: Path) -> None:
    """Is a misspelt member told, who would be given marks that no platform knows?"""
    give(root, "group,student\nRed,ada\nRed,nobody\n")
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        for name in ("ada", "jürgen"):
            book.add_student(name, first_name="One")
    (said,) = told(root)
    assert "no student is called 'nobody'; correct it, or leave the line out" in said


def test_who_is_not_in_the_list_of_students_is_told(root: Path) -> None:
    """Is a folder with a misspelt name no new student without a word?"""
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        for name in ("ada", "juergen"):
            book.add_student(name, first_name="One")
    assert told(root) == [
        "numbers: jürgen is not in the gradebook's list of students; did you mean juergen?"
    ]


def test_an_extension_of_what_is_never_due_is_told(root: Path) -> None:
    """Is it said that nobody is late, and does the command that is named change that?"""
    due(root, None)
    give(root, extensions=f"{HEAD}ada,numbers,{IN_TIME}\n")
    (said,) = told(root)
    (command,) = re.findall(r"`(nbgrader db assignment add numbers --duedate=)", said)
    run(root, *command.split()[:-1], "--duedate=2027-01-31 23:59 UTC")
    assert told(root) == []


def test_a_student_has_one_extension(root: Path) -> None:
    """Is it an error to be there twice, told before anything is judged?"""
    give(root, extensions=f"{HEAD}ada,numbers,{IN_TIME}\nada,numbers,2027-02-09\n")
    said = small.grade(root, status=2)
    assert f"extensions.csv, line 3: ada has until {IN_TIME} already; leave one of them out" in said
    assert not list(root.glob("autograded/*"))


def test_whose_stamp_does_not_count_is_told_to_who_grades(root: Path) -> None:
    """Does nobody's lateness go without a word, and does what the notebook says help?"""
    stamp = root / "submitted" / "ada" / small.NAME / "timestamp.txt"
    stamp.write_text("2027-02-02 12:00:00.000000 CET")
    said = "Not late, since their time stamp does not count (the notebook in autograded/ says why)"
    assert f"{said}: ada." in small.grade(root)
    page = (root / "autograded" / "ada" / small.NAME / f"{small.NAME}.ipynb").read_text()
    assert "2027-01-31 23:59 +0100" in page


def test_many_lines_are_counted(root: Path) -> None:
    """Are long lists a few lines on the screen, and strays not hidden among them?"""
    give(root, extensions=HEAD + "".join(f"s{n},numbers,2027-02-09\n" for n in range(50)))
    for n in range(25):
        small.hand_in(root, f"s{n}")
    said = small.grade(root, "--student", "ada").splitlines()
    assert "and 40 more lines of extensions.csv" in said
    assert "and 15 more lines of what reaches nobody" in said
    assert len([line for line in said if line.startswith("extensions.csv")]) == 20
