"""Ask whether zips of other platforms are read, by their own names or by a pattern, or refused.

Where the names come from, and what could not be confirmed, is in `docs/platforms.md`.
"""

import json
import zipfile
from pathlib import Path

import pytest
import small_course as small
from formgrading import run

from referee import intake
from referee.course import Assignment, CourseError
from referee.doors import platforms

BLACKBOARD = [
    "Sheet_1_ada_attempt_2027-01-31-23-59-01.txt",
    "Sheet_1_ada_attempt_2027-01-31-23-59-01_numbers.ipynb",
    "Sheet_1_ada_attempt_2027-01-30-08-00-00.txt",
    "Sheet_1_ada_attempt_2027-01-30-08-00-00_numbers.ipynb",
    "Sheet_1_eve_attempt_2027-01-31-10-00-00.txt",
    "Sheet_1_eve_attempt_2027-01-31-10-00-00_Sheet_1_ada_attempt_2029-01-31-10-00-00_x.ipynb",
    "Sheet_1_kim_attempt_2027-01-31-10-00-00.txt",
    "Sheet_1_kim_attempt_2027-01-31-10-00-00_essay.pdf",
    "Sheet_1_jo.van-dam@x.org_poging_2027-01-31-10-00-00_numbers.ipynb.txt",
]
BRIGHTSPACE = [
    "index.html",
    "39786-640693 - Ada O'Brien - Jan 31, 2027 1159 PM/numbers.ipynb",
    "39786-640693 - Ada O'Brien - Jan 3, 2027 930 AM/numbers.ipynb",
    "39787-640693 - Jan Li - Jan 31, 2027 1022 AM/x - numbers.ipynb",
    "39788-640693 - Jan Li - Jan 31, 2027 1022 AM/numbers.IPYNB",
    "39789-640693 - Eve - Jan 31, 2027 1200 PM/1-2 - Ada O'Brien - Feb 1, 2027 100 AM/x.ipynb",
    "39790-640693 - Kim - Jan 31, 2027 1200 AM/essay.pdf",
    "39791-640693 - Zoé - 31 janv. 2027 1022/numbers.ipynb",
]
FLAT = [
    "index.html",
    "271836-442356 - Blake Payne - Dec 5, 2026 1149 AM - numbers.ipynb",
    "271837-442356 - Ada - Dec 5, 2026 1:49 PM - 11_12_assignsubmission_file_x.ipynb",
]
GOOGLE = [
    "Sheet 1/Ada Lovelace - numbers.ipynb",
    "Sheet 1/Jürgen Müller - numbers.ipynb",
    "Sheet 1/Eve - Ada Lovelace - numbers.ipynb",
    "Sheet 1/numbers.ipynb",
]
NBGRADERS = r".*_(?P<student_id>\w+)_attempt_(?P<timestamp>[0-9\-]+)_(?P<file_id>\w+)"


@pytest.fixture
def assignment(tmp_path: Path) -> Assignment:
    (tmp_path / "submitted").mkdir()
    return Assignment(small.NAME, tmp_path)


def packed(folder: Path, entries: list[str], around: str = "") -> Path:
    """Write a zip in which each file says its own name."""
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        for name in entries:
            archive.writestr(around + name, "" if name.endswith("/") else name)
    return folder / "all.zip"


def held(assignment: Assignment, student: str) -> str:
    folder = assignment.root / "submitted" / student / small.NAME
    return (folder / assignment.notebook).read_text("utf-8")


def stamp(assignment: Assignment, student: str) -> str | None:
    return intake.time_stamp(assignment.root / "submitted" / student / small.NAME)[0]


@pytest.mark.parametrize("around", ["", "a/", "gradebook_1/b/"])
def test_blackboard_is_recognised_by_itself(assignment, tmp_path, around):
    """Is the newest attempt taken, with its time, and nobody graded for what another has named?"""
    done = platforms.collect(assignment, packed(tmp_path, BLACKBOARD, around))
    assert set(done.keys) == {"ada", "eve", "jo.van-dam@x.org"}
    assert "ada_attempt_2027-01-31-23-59-01_numbers" in held(assignment, "ada")
    assert "eve_attempt" in held(assignment, "eve")
    assert stamp(assignment, "ada") == "2027-01-31 23:59:01.000000 UTC"
    assert (done.refused, done.zone, done.timeless) == ({}, "UTC", [])
    assert list(done.without) == ["kim"] and "essay.pdf" in str(done.without["kim"])
    again = platforms.collect(assignment, tmp_path / "all.zip")
    assert set(again.keys) == set(done.keys)


def test_brightspace_is_recognised_by_itself(assignment, tmp_path):
    """Is each attempt's time read, namesakes told apart, and an unreadable time told?"""
    done = platforms.collect(assignment, packed(tmp_path, BRIGHTSPACE))
    people = {"Ada O'Brien", "Jan Li (39787-640693)", "Jan Li (39788-640693)", "Eve", "Zoé"}
    assert set(done.keys) == people
    assert held(assignment, "Ada O'Brien") == BRIGHTSPACE[1]
    assert held(assignment, "Eve") == BRIGHTSPACE[5]
    assert stamp(assignment, "Ada O'Brien") == "2027-01-31 23:59:00.000000 UTC"
    assert stamp(assignment, "Eve") == "2027-01-31 12:00:00.000000 UTC"
    assert (done.timeless, stamp(assignment, "Zoé")) == (["Zoé"], None)
    assert done.without == {"Kim": ["essay.pdf"]} and done.others == ["index.html"]


def test_brightspace_without_folders(assignment, tmp_path):
    """Is the name before the file's own the student's, whatever the file is called?"""
    done = platforms.collect(assignment, packed(tmp_path, FLAT))
    assert set(done.keys) == {"Blake Payne", "Ada"}
    assert stamp(assignment, "Ada") == "2026-12-05 13:49:00.000000 UTC"


def test_times_are_in_the_zone_of_the_course(assignment, tmp_path):
    """Does nbgrader's own setting say which, and is one refused that is not clear?"""
    settings = tmp_path / "nbgrader_config.py"
    settings.write_text("c = get_config()\nc.Exchange.timezone = 'America/Chicago'\n")
    done = platforms.collect(assignment, packed(tmp_path, BLACKBOARD))
    assert done.zone == "America/Chicago"
    assert stamp(assignment, "ada") == "2027-02-01 05:59:01.000000 UTC"
    settings.write_text("c = get_config()\nc.Exchange.timezone = 'CST'\n")
    with pytest.raises(CourseError, match=r"c\.Exchange\.timezone = 'CST' .*time zone"):
        platforms.collect(assignment, tmp_path / "all.zip")


def test_an_hour_that_no_clock_has_shown_is_no_time(assignment, tmp_path):
    """Is it told, and the notebook collected all the same?"""
    settings = tmp_path / "nbgrader_config.py"
    settings.write_text("c = get_config()\nc.Exchange.timezone = 'Europe/Berlin'\n")
    entries = ["s_ada_attempt_2027-03-28-02-30-00_x.ipynb", "s_bo_attempt_2027-99-28-02-30-00.txt"]
    done = platforms.collect(assignment, packed(tmp_path, entries))
    assert (list(done.keys), done.timeless) == (["ada"], ["ada"])
    assert stamp(assignment, "ada") is None


@pytest.mark.parametrize("word", ["google", r"(?P<student_id>[^/]+?) - "])
def test_google_classroom_is_read_where_it_is_named(assignment, tmp_path, word):
    """Is the copy made for each student found, and a file that belongs to nobody told?"""
    with pytest.raises(CourseError, match=r"the first is Sheet 1/Ada.*by --names"):
        platforms.collect(assignment, packed(tmp_path, GOOGLE))
    done = platforms.collect(assignment, tmp_path / "all.zip", word)
    assert set(done.keys) == {"Ada Lovelace", "Jürgen Müller", "Eve"}
    assert held(assignment, "Ada Lovelace") == GOOGLE[0]
    assert done.others == ["Sheet 1/numbers.ipynb"]


def test_a_pattern_of_zip_collect_is_understood(assignment, tmp_path):
    """Does what nbgrader's users have written before work as it did?"""
    entries = [f"ps1_{one}_attempt_2016-01-30-15-00-00_problem1.ipynb" for one in ("ada", "bo")]
    done = platforms.collect(assignment, packed(tmp_path, entries, "x/"), NBGRADERS)
    assert set(done.keys) == {"ada", "bo"} and set(done.late) == set()
    assert held(assignment, "bo") == entries[1]
    assert stamp(assignment, "bo") == "2016-01-30 15:00:00.000000 UTC"


PATTERNS = {
    r"(?P<student_id>\w+)/": {"ada": "ada/x.ipynb", "bo": "bo/sub/x.ipynb"},
    r"(?P<student_id>\d+)-(?P<timestamp>.+?Z)-": {"17": "17-2027-01-31T10:00:00Z-x.ipynb"},
    r".*\((?P<student_id>[^)]+)\)": {"a@x.org": "Ada (a@x.org)/x.ipynb", "b": "deep/B (b)/x.ipynb"},
    r"(?P<last_name>\w+), (?P<student_id>\w+)_": {"kim": "Li, kim_x.ipynb"},
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_says_whose_a_file_is(assignment, tmp_path, pattern):
    """Is it matched with the path in the zip, or else with the file's name?"""
    done = platforms.collect(
        assignment, packed(tmp_path, list(PATTERNS[pattern].values())), pattern
    )
    assert set(done.keys) == set(PATTERNS[pattern])


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (r"(?P<student_id>\w+", "is no regular expression .*position"),
        (r"(\w+)_x", "has no group called student_id"),
        (r"(?P<student>\w+)_", "has no group called student_id"),
        ("blackbord", "has no group called student_id; give one of moodle, .*blackboard"),
        ("brightspace", "not all entries are named as brightspace does"),
        (r"(?P<student_id>\d+)_", "called as --names .* says; the first is ada/x.ipynb"),
    ],
)
def test_a_pattern_that_does_not_fit_is_told(assignment, tmp_path, pattern, said):
    """Does one sentence say what is wrong with it, before anything is written?"""
    with pytest.raises(CourseError, match=said):
        platforms.collect(assignment, packed(tmp_path, ["ada/x.ipynb"]), pattern)
    assert list((tmp_path / "submitted").iterdir()) == []


FORGED = [
    ["Eve_15_assignsubmission_file/s_ada_attempt_2027-01-31-10-00-00_x.ipynb"],
    ["Eve_15_assignsubmission_file/1-2 - Ada - Jan 31, 2027 1022 AM/x.ipynb"],
    ["Evil_Eve_eve_15/1-2 - Ada - Jan 31, 2027 1022 AM/x.ipynb"],
    ["eve_15_98_s_ada_attempt_2027-01-31-10-00-00_x.ipynb"],
    ["1-2 - Eve - Jan 31, 2027 1022 AM/s_ada_attempt_2027-01-31-10-00-00_x.ipynb"],
    ["1-2 - Eve - Jan 31, 2027 1022 AM/Ada_15_assignsubmission_file/x.ipynb"],
    ["s_eve_attempt_2027-01-31-10-00-00_ada_15_98_x.ipynb"],
    ["s_eve_attempt_2027-01-31-10-00-00_1-2 - Ada - Jan 31, 2027 1022 AM - x.ipynb"],
]


@pytest.mark.parametrize("entries", FORGED)
def test_who_hands_in_alone_is_nobody_else(assignment, tmp_path, entries):
    """Can no name of a file or folder put work into the place of somebody who handed in none?"""
    try:
        done = platforms.collect(assignment, packed(tmp_path, entries))
    except CourseError as error:
        assert "--names" in str(error)
        return
    assert {name.casefold() for name in done.keys} == {"eve"}


def test_who_has_handed_in_no_notebook_is_told_by_name(assignment, tmp_path):
    """Is there a person and what lies there in place of a path, also for an empty folder?"""
    entries = [
        "Ada_1_assignsubmission_file/numbers.ipynb",
        "Ada_1_assignsubmission_onlinetext/onlinetext.html",
        "Jan Li_2_assignsubmission_file/deep/work.zip",
        "Jan Li_2_assignsubmission_onlinetext/onlinetext.html",
        "Kim_3_assignsubmission_file/",
        "Zoé_4_assignsubmission_file/numbers.ipynb.txt",
    ]
    done = platforms.collect(assignment, packed(tmp_path, entries))
    assert set(done.keys) == {"Ada", "Zoé"}
    assert done.without == {"Jan Li": ["onlinetext.html", "work.zip"], "Kim": []}
    assert done.others == ["Ada_1_assignsubmission_onlinetext/onlinetext.html"]


def test_what_is_collected_is_told_in_lines(tmp_path):
    """Does the command say who came, whose time counts how, and who has no notebook?"""
    root = small.make(tmp_path / "course")
    said = run(root, "referee", "collect", small.NAME, str(packed(tmp_path, BRIGHTSPACE)))
    assert said.splitlines() == [
        "5 students collected, 5 new.",
        "The times in the names are taken as UTC (c.Exchange.timezone), and written into "
        "timestamp.txt.",
        "Their time cannot be read, put it into timestamp.txt: Zoé.",
        "Without a notebook: Kim (essay.pdf).",
        "Left out, since it is no notebook or nobody's: index.html.",
    ]
    file = packed(tmp_path, GOOGLE)
    said = run(root, "referee", "collect", small.NAME, str(file), "--names", "(x", status=2)
    assert "--names (x is no regular expression" in said and "Traceback" not in said
    said = run(root, "referee", "collect", small.NAME, str(file), "--names", "google")
    assert said.startswith("8 students collected, 3 new.")


def test_who_takes_feedback_to_canvas_is_told_what_becomes_of_its_name(tmp_path):
    """Is it said where the zip is written, and of no other platform?"""
    root = small.make(tmp_path / "course")
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        text = json.dumps(small.notebook(**small.SOLVED))
        archive.writestr("ada_11_981_numbers.ipynb", text)
    run(root, "referee", "collect", small.NAME, str(tmp_path / "all.zip"))
    small.grade(root)
    said = run(root, "referee", "return", small.NAME, "--for", "canvas")
    assert "feedback for 1 students.\nCanvas gives each page the name of the file" in said
    assert "rename it to .html" in said
    assert "rename" not in run(root, "referee", "return", small.NAME, "--for", "folder")
