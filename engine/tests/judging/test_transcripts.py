"""Ask whether a changed check talks to what was said before, and to the code where it must.

A tiny course is judged, then its checks are edited in many ways, and each edition is judged twice:
with what was kept, and afresh. All of it happens in one process of its own, because pytest, which
runs these tests, rewrites the assertions of whatever is imported next to it.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import judge_editions
import nim_course
import pytest

COURSE = Path(__file__).parents[1] / "courses" / "transcripts"

EVERY = ("def check(cell=", "unused = 0\n\n\ndef check(cell=")
SILENT = {  # what no process is needed for
    "all of them": EVERY,
    "its title": ("It doubles", "It makes two of one"),
    "its points": ("points=2", "points=7"),
    "its hint": ("Count.", "Count again."),
    "its tolerance": ("rel=1e-9", "rel=1e-30"),
    "its sentence": ("Not nine.", "Nine is odd."),
    "another assert": ('"Twice as much."\n', '"Twice as much."\n    assert 7 not in numbers\n'),
    "fewer questions": ("[1, 2]\n    assert student.noisy(-4) == 4", "[1, 2]\n    return"),
    "a right answer": ("== 9", "== 8"),
    "a wrong answer": ("== 56", "== 57"),
    "a mistake of ours": ('a tree"""', 'a tree"""\n    1 / 0'),
    "fewer parameters": ("[-3, -50]", "[-50]"),
}
ASKED = {  # and what can only be asked
    "another question": ("student.double(4) == 9", "student.double(5) == 9"),
    "one more question": ("[0, 2, 4]", "[0, 2, 4]\n    student.double(5)"),
    "one more before it": ("assert student.double(4)", "student.double(1), student.double(4)"),
    "another game": ("(Letters()) == 56", "(__import__('piles').Tree([1, 2], 2)) == 56"),
    "more parameters": ("[-3, -50]", "[-3, -50, -7]"),
    "another name": ("test_wrong(", "test_amiss("),
    "more time": ("@check(points=2)", "@check(points=2, cpu_seconds=30)"),
    "a question that is swallowed": (
        "assert student.double(4) == 9",
        "try: student.double(6)\n    except BaseException: pass\n    assert 8 == 9",
    ),
}
DAMAGES = ["cut off", "emptied", "overwritten"]


VERDICTS = {
    "double": "pass", "each[-3]": "pass", "each[-50]": "pass", "objects": "pass",
    "searching": "pass", "wrong": "wrong", "error": "error", "undefined": "error",
    "timeout": "timeout", "work_limit": "work-limit", "memory": "memory", "tampered": "tampered",
    "in_our_hands": "wrong",
}  # fmt: skip


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """How many processes of a student each edition took, and what it said, then and afresh."""
    root = tmp_path_factory.mktemp("said")
    shutil.copytree(COURSE, root, dirs_exist_ok=True)
    shutil.copytree(nim_course.ROOT / "nim", root / "nim")
    shutil.copy(nim_course.ROOT / "piles.py", root)
    (root / "release" / "a").mkdir(parents=True)
    (root / "release" / "a" / "a.ipynb").write_text("{}")
    done = subprocess.run(
        [sys.executable, judge_editions.__file__, root],
        input=json.dumps([(COURSE / "work.py").read_text("utf-8"), SILENT | ASKED, DAMAGES]),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_each_check_ends_as_it_is_to(answers: dict[str, Any]) -> None:
    """Are there, to begin with, all the ends that a conversation can have?"""
    started, (results, *_) = answers[""]
    found = {one["id"].partition("::test_")[2]: one["verdict"] for one in results}
    assert (started, found) == (1, VERDICTS)


@pytest.mark.parametrize("edit", SILENT)
def test_a_check_that_asks_what_it_asked_starts_no_process(
    answers: dict[str, Any], edit: str
) -> None:
    """Is each verdict, sentence, cost and output that of judging afresh, without the code?"""
    started, again, fresh = answers[edit]
    assert started == 0
    assert again == fresh


@pytest.mark.parametrize("edit", ASKED)
def test_a_check_that_asks_something_new_asks_the_code(answers: dict[str, Any], edit: str) -> None:
    """Are the cells run for a question that was never asked, even where the check hides it?"""
    started, again, fresh = answers[edit]
    assert started == 1
    assert again == fresh


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_transcript_that_cannot_be_read_counts_as_none(
    answers: dict[str, Any], damage: str
) -> None:
    """Is a check asked for real whose transcript is damaged?"""
    started, again = answers[damage]
    assert (started, again) == (1, answers["its title"][1])
