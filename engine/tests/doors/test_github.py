"""Ask whether the lines that `docs/platforms.md` shows for GitHub take what was there in time."""

import json
import re
from pathlib import Path

import small_course as small
from commands import typed

from referee import intake
from referee.course import Course

DOCS = Path(__file__).parents[2] / "docs"
IN_TIME, LATE = "2027-02-07T22:58:00+00:00", "2027-02-07T18:00:00-05:00"  # 23:58, 00:00 in +01:00
AT = "export GIT_{{AUTHOR,COMMITTER}}_{{NAME,EMAIL}}=x GIT_{{AUTHOR,COMMITTER}}_DATE={}"
WRONG = {"double": "def double(n):\n    return 0", "square": "def square(n):\n    return 0"}


def recipe() -> str:
    """Return the lines of the page, for this assignment."""
    text = (DOCS / "platforms.md").read_text("utf-8").partition("## GitHub Classroom")[2]
    (lines,) = re.findall(r"(?m)(?:^    .*\n)*^    deadline=.*\n(?:^    .*\n)+", text)
    return re.sub("(?m)^    ", "", lines).replace("tic-tac-toe", small.NAME)


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
    """Is no older one taken, and no later one, whatever its zone?"""
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
    said = typed(root, recipe())
    assert intake.students(Course(root), small.NAME) == ["ada-l", "kim"]
    assert "bo: nothing before the deadline" in said
    folder = root / "submitted" / "ada-l" / small.NAME
    taken = json.loads((folder / f"{small.NAME}.ipynb").read_text())
    assert taken == small.notebook(**small.SOLVED)
    assert intake.time_stamp(folder)[0] == "2027-02-07 22:58:00.000000 UTC"
    marks = [line for line in said.splitlines() if line.startswith(("ada", "kim"))]
    assert len(marks) == 2 and all(" 10" in line for line in marks)
