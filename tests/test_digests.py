"""Hold the wall between marks and pictures: which of this course's checks a changed file concerns.

A check whose digest changes is asked again of everybody, so a file that cannot change what it
decides must not be in it: of the solvers only that of its own game, and nothing of what students
are handed but the games.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from course_copies import bare_course

from referee import course
from referee.course import Assignment
from referee.judging import digests

ROOT = Path(__file__).parents[1]
NAMES = course.Course(ROOT).assignments
HANDED = [f"handout/{file}" for file in course.files_in(ROOT / "handout")]
PICTURES = [file for file in HANDED if file != "handout/trees.py"]
EXPLAINING = [
    f"adversarial/diagnosis/{file}" for file in course.files_in(ROOT / "adversarial/diagnosis")
]
TREES, BOARDS, DROPS, SUSPECTS = "game-trees", "tic-tac-toe", "connect-four", "break-it"
Changed = Callable[..., set[tuple[str, str]]]


def by_check(root: Path) -> dict[tuple[str, str], str]:
    return {
        (name, check): digest
        for name in NAMES
        for check, digest in digests.checks(Assignment(name, course.Course(root))).items()
    }


@pytest.fixture(scope="module")
def changed() -> Changed:
    """Give a function that changes a character of files in a copy of the course.

    It returns which checks of which assignments have another digest then.
    """
    root = bare_course()
    shutil.copytree(ROOT / "tests/hidden", root / "tests/hidden")
    before = by_check(root)

    def change(*names: str) -> set[tuple[str, str]]:
        contents = {root / name: (root / name).read_bytes() for name in names}
        for file, content in contents.items():
            file.write_bytes(content + b"#")
        after = by_check(root)
        for file, content in contents.items():
            file.write_bytes(content)
        return {check for check in before if after[check] != before[check]}

    return change


def test_no_check_is_asked_again_because_of_a_picture_or_an_explanation(changed: Changed) -> None:
    """Does nothing that is handed out but games and trees concern a mark, nor what explains one?"""
    assert len(PICTURES) > 5 and len(EXPLAINING) > 5
    assert changed(*PICTURES, *EXPLAINING) == set()


@pytest.mark.parametrize(
    ("name", "concerned"),
    [
        ("solvers/connect_four.py", {DROPS}),
        ("solvers/tictactoe.py", {TREES, BOARDS}),
        ("search.py", {TREES, SUSPECTS}),
        ("checks/mutants.py", {SUSPECTS}),
    ],
)
def test_a_module_concerns_the_checks_of_its_own_games_only(
    changed: Changed, name: str, concerned: set[str]
) -> None:
    """Is a check left alone when the solver of another game is changed?"""
    assert {task for task, _ in changed(f"adversarial/{name}")} == concerned


def test_a_change_of_the_games_concerns_all_checks(changed: Changed) -> None:
    """Is a change noticed at all, for each of the checks?"""
    assert changed("games.py") == by_check(ROOT).keys()
