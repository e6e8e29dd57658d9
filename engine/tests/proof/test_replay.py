"""Ask whether a result that is judged again comes out as it was."""

from pathlib import Path

import small_course as small

from referee.course import Course
from referee.proof import replay


def test_what_counts_for_nobody_and_an_unreadable_file_come_out_again(tmp_path: Path) -> None:
    """Is neither told as a changed verdict, where nothing has changed?"""
    root = small.make(tmp_path)
    small.hand_in(root, "ada")
    small.hand_in(root, "mal", b"no notebook")
    check = root / "tests" / "hidden" / small.NAME / "test_square.py"
    check.write_text(check.read_text().replace("== ", "!= "))
    small.grade(root, status=1)
    for student, verdict in ("ada", "referee-error"), ("mal", "not-run"):
        found = replay.again(Course(root).find(small.NAME), student)
        assert found.same and not found.edited
        assert verdict in {one.now for one in found.checks}
