"""Ask whether the table is the mark and a regrade disturbs nobody, on a small course."""

import csv
import ctypes
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
import small_course as small
from formgrading import run
from shares import sampled

from referee.marks import gradebook

LIBC = ctypes.CDLL(None)
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1  # for the superuser, to whom modes mean nothing
CLASS = ("ada", "o'brien@uni.de", "Zoë Müller", "ben", "gone")


def give(root: Path, student: str, cell: str, **values: float) -> None:
    """Give a mark as formgrader does."""
    with (
        gradebook.opened(f"sqlite:///{root}/gradebook.db") as book,
        gradebook.submission(book, small.NAME, student) as row,
    ):
        (grade,) = (one for one in row.grades if one.name == cell)
        for name, value in values.items():
            setattr(grade, name, value)
        grade.needs_manual_grade = False


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A course that was graded, marked by hand and graded again, and what was said then."""
    root = small.make(tmp_path_factory.mktemp("day"))
    for student in CLASS:
        small.hand_in(root, student)
    small.hand_in(root, ".ipynb_checkpoints")
    small.grade(root)
    give(root, "ada", "test_double", manual_score=2.0)
    give(root, "ada", "test_square", extra_credit=1.5)
    small.hand_in(root, "ben", square="def square(n):\n    return n")
    shutil.rmtree(root / "submitted" / "gone")
    (root / "submitted" / "dora" / small.NAME).mkdir(parents=True)
    return root, small.grade(root, "--never-lower", status=1)


def test_the_table_shows_the_mark_that_counts(day: tuple[Path, str]) -> None:
    """Does it stand beside the automatic one, with the reason?"""
    rows = {line.split("  ")[0]: line.split() for line in day[1].splitlines()}
    assert rows["ada"][1:] == ["6", "4", "10", "7.5", "override", "-4,", "extra", "+1.5"]
    assert rows["o'brien@uni.de"][1:] == ["6", "4", "10", "10"]
    assert ".ipynb_checkpoints" not in day[1]


def test_what_became_of_marks_is_said_in_a_line(day: tuple[Path, str]) -> None:
    """Are a folder that is gone, a lower mark and an older notebook that stays told?"""
    lines = day[1].splitlines()
    assert any(line.startswith("Without a folder") and ": gone. Put" in line for line in lines)
    assert "ben keeps 10 points; the new result has 6." in lines
    assert "With the marks of an older notebook: ben." in lines
    lower = "Lower than before: 1 of 5, by test_square.py::test_square (1): ben 10 -> 6."
    assert lower in lines
    assert any(line.startswith("sandboxed: ") and line.endswith(" layers") for line in lines)
    assert "Grading numbers: 1 of 1" in day[1]


def test_other_tables_show_the_same_mark(day: tuple[Path, str], tmp_path: Path) -> None:
    """Do table and report have the mark, the automatic one and the reason, sorted by student?"""
    root = day[0]
    to = str(tmp_path / "grades.csv")
    run(root, "referee", "return", small.NAME, "--table", "cells", "--to", to)
    with (tmp_path / "grades.csv").open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    names = [row["student_id"] for row in rows]
    assert names == sorted(names)
    (ada,) = [row for row in rows if row["student_id"] == "ada"]
    found = ada["auto_score"], ada["score"], ada["why"]
    assert found == ("10.0", "7.5", "override -4; extra +1.5")
    run(root, "referee", "report", small.NAME, "--html", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "override -4, extra +1.5" in page
    assert "<strong>7.5</strong>" in page
    for name, words in (("ben", "has handed in another notebook since"), ("gone", "has no folder")):
        assert f'<th scope="row">{name}</th><td class="words">{words}' in page


def flagged(root: Path) -> set[tuple[str, str]]:
    """Return who has a cell that waits for a human, and which."""
    with gradebook.opened(f"sqlite:///{root}/gradebook.db") as book:
        return {
            (one.student.id, grade.name)
            for one in book.find_assignment(small.NAME).submissions
            for notebook in one.notebooks
            for grade in notebook.grades
            if grade.needs_manual_grade
        }


def test_a_regrade_flags_changed_answers_only(tmp_path: Path) -> None:
    """Is nobody asked again since another cell's check was mended, but about what was rewritten?"""
    root = small.make(tmp_path)
    for student in ("ada", "ben"):
        small.hand_in(root, student)
    small.grade(root)
    for student in ("ada", "ben"):
        give(root, student, "test_double", manual_score=2.0)
    check = root / "tests" / "hidden" / small.NAME / "test_square.py"
    check.write_text(check.read_text("utf-8").replace("square(7) == 49", "square(9) == 81"))
    small.hand_in(root, "ben", double="def double(n):\n    return n + n")
    small.grade(root)
    assert flagged(root) == {("ben", "test_double")}
    assert "with a cell to mark by hand: ben" in run(root, "referee", "status")
    assert " + ?" in small.grade(root).partition("\nben ")[2].splitlines()[0]
    file = tmp_path / "cells.csv"
    run(root, "referee", "return", small.NAME, "--table", "cells", "--to", str(file))
    (line,) = [one for one in file.read_text().splitlines() if ",ben," in one]
    assert ",unmarked," in line


@pytest.mark.parametrize("others", sampled([8, 177], 8))
def test_a_class_goes_from_the_platform_and_back_in_two_commands(
    tmp_path: Path, others: int
) -> None:
    """Is everybody's feedback in one zip, with the mark by hand in it, and nobody else's?"""
    root = small.make(tmp_path / "course")
    people = {"Ada O'Brien_11": "double", "Jürgen Müller_12": "square", "李雷_13": ""}
    people |= {f"Student {number}_{number}": "" for number in range(100, 100 + others)}
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for person, wrong in people.items():
            sources = {
                **small.SOLVED,
                **({wrong: f"def {wrong}(n):\n    return 0"} if wrong else {}),
            }
            text = json.dumps(small.notebook(**sources))
            archive.writestr(f"{person}_assignsubmission_file/numbers.ipynb", text)
            archive.writestr(f"{person}_assignsubmission_onlinetext/onlinetext.html", "<p>Hi</p>")
    said = run(root, "referee", "collect", small.NAME, str(tmp_path / "all.zip"))
    assert f"{len(people)} students collected, {len(people)} new." in said
    assert said.count("onlinetext.html") == 10
    assert said.endswith(f" and {len(people) - 10} more.\n")
    small.grade(root)
    give(root, "Ada O'Brien", "test_double", manual_score=5.0)
    back = tmp_path / "back.zip"
    said = run(root, "referee", "return", small.NAME, "--for", "moodle", "--to", str(back))
    assert said == f"Wrote {back}: feedback for {len(people)} students.\n"
    with zipfile.ZipFile(back) as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(pages) == {f"{one}_assignfeedback_file_/numbers.html" for one in people}
    score = re.compile(r"<h1>numbers: ([\d.]+) of 10 points")
    found = {name.split("_")[0]: score.findall(page)[0] for name, page in pages.items()}
    expected = dict.fromkeys(found, 10.0) | {"Ada O'Brien": 9.0, "Jürgen Müller": 6.0}
    assert {name: float(text) for name, text in found.items()} == expected
    name = "Zoë_19_assignsubmission_file/numbers.ipynb"
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr(name, json.dumps(small.notebook(**small.SOLVED)))
    run(root, "referee", "collect", small.NAME, str(tmp_path / "all.zip"))
    said = run(root, "referee", "return", small.NAME, "--for", "moodle", "--to", str(back))
    assert "Collected, and without feedback, since they have no marks: Zoë." in said


def test_one_bad_item_of_a_zip_is_told_and_stops_nobody(tmp_path: Path) -> None:
    """Is the exit code 1, and is the student graded whose notebook was copied by hand, as told?"""
    root, text = small.make(tmp_path / "course"), json.dumps(small.notebook(**small.SOLVED))
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for number, name in enumerate(("Ada", "李" * 100)):
            archive.writestr(f"Blatt_1/{name}_{number}_assignsubmission_file/numbers.ipynb", text)
    said = run(root, "referee", "collect", small.NAME, str(tmp_path / "all.zip"), status=1)
    assert "1 students collected, 1 new." in said
    assert "李, since its folder cannot be made (File name too long)." in said
    assert "Copy by hand what you can read of these into submitted/<student>/numbers/." in said
    small.hand_in(root, "李", text.encode())
    assert "2 entered" in small.grade(root)
