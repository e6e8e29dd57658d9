"""Ask whether the lines that `docs/platforms.md` shows for GitHub take what was there in time."""

import json
import os
import re
import subprocess
from pathlib import Path

import small_course as small
from commands import typed

from referee import intake
from referee.course import Course

DOCS = Path(__file__).parents[2] / "docs"
IN_TIME, LATE = "2027-02-07T22:58:00+00:00", "2027-02-07T18:00:00-05:00"  # 23:58, 00:00 in +01:00
WRONG = {"double": "def double(n):\n    return 0", "square": "def square(n):\n    return 0"}


def recipe() -> str:
    """Return the lines of the page, for this assignment."""
    text = (DOCS / "platforms.md").read_text("utf-8").partition("## GitHub Classroom")[2]
    (lines,) = re.findall(r"(?m)(?:^    .*\n)*^    deadline=.*\n(?:^    .*\n)+", text)
    return re.sub("(?m)^    ", "", lines).replace("tic-tac-toe", small.NAME)


class Repository:
    """A student's repository in the folder that `gh classroom clone` makes."""

    def __init__(self, root: Path, student: str) -> None:
        self.place = root / f"{small.NAME}-submissions" / f"{small.NAME}-{student}"
        self.place.mkdir(parents=True)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *words: str, time: str = IN_TIME) -> None:
        who = {
            f"GIT_{who}_{what}": "x"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        times = {"GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time}
        subprocess.run(["git", *words], cwd=self.place, env=os.environ | who | times, check=True)

    def commit(self, time: str, **sources: str) -> None:
        text = json.dumps(small.notebook(**sources))
        (self.place / f"{small.NAME}.ipynb").write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "x", time=time)


def test_the_last_commit_before_the_deadline_counts(tmp_path: Path) -> None:
    """Is no older one taken, and no later one, whatever its zone?"""
    root = small.make(tmp_path / "a course")
    on_time = Repository(root, "ada-l")
    on_time.commit("2027-02-01T10:00:00+00:00", **WRONG)
    on_time.commit(IN_TIME, **small.SOLVED)
    on_time.commit(LATE, **WRONG)
    Repository(root, "bo").commit(LATE, **small.SOLVED)
    merged = Repository(root, "kim")
    merged.commit("2027-02-01T10:00:00+00:00", **small.SOLVED)
    merged.git("checkout", "--quiet", "-b", "side")
    merged.commit("2027-02-02T10:00:00+00:00", **WRONG)
    merged.git("checkout", "--quiet", "main")
    merged.git("merge", "--quiet", "--no-ff", "-m", "x", "side", time=LATE)
    said = typed(root, recipe())
    assert intake.students(Course(root), small.NAME) == ["ada-l", "kim"]
    assert "bo: nothing before the deadline" in said
    folder = root / "submitted" / "ada-l" / small.NAME
    taken = json.loads((folder / f"{small.NAME}.ipynb").read_text())
    assert taken == small.notebook(**small.SOLVED)
    assert intake.time_stamp(folder)[0] == "2027-02-07 22:58:00.000000 UTC"
    marks = [line for line in said.splitlines() if line.startswith(("ada", "kim"))]
    assert len(marks) == 2 and all(" 10" in line for line in marks)
