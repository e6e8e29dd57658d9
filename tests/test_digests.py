"""Hold the wall between marks and pictures: which of this course's checks a changed file concerns.

A check whose digest changes is asked again of everybody, so a file that cannot change what it
decides must not be in it: of the solvers only that of its own game, and nothing of what students
are handed but the games.
"""

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import course
from referee.course import Assignment
from referee.judging import digests

ROOT = Path(__file__).parents[1]
NAMES = course.assignments(ROOT)
COPIED = ("adversarial", "handout", "tests/hidden")
COURSE = course.files_in(ROOT / "adversarial")
PICTURES = [f"handout/{file}" for file in course.files_in(ROOT / "handout")]
TREES, BOARDS, DROPS, SUSPECTS = "game-trees", "tic-tac-toe", "connect-four", "break-it"
ALL = {TREES, BOARDS, DROPS, SUSPECTS}

# Whose checks each module of the course may concern; those that are not named concern nobody's.
CONCERNED = {
    "__init__.py": ALL,
    "checks/__init__.py": ALL,
    "checks/boards.py": {TREES, BOARDS},
    "checks/connect_four.py": {DROPS},
    "checks/depth.py": {BOARDS},
    "checks/figure.py": ALL,
    "checks/fixtures.py": {TREES, BOARDS},
    "checks/four_fixtures.py": {DROPS},
    "checks/limited.py": {DROPS},
    "checks/own_trees.py": {SUSPECTS},
    "checks/pruning.py": ALL,
    "checks/slipped.py": {SUSPECTS, TREES},
    "checks/suspects.py": {SUSPECTS},
    "checks/trees.py": ALL,
    "games/__init__.py": ALL,
    "games/drop_rules.py": {DROPS},
    "games/recorded.py": ALL,
    "games/rules.py": {TREES, BOARDS},
    "games/sent_boards.py": {TREES, BOARDS},
    "games/sent_search.py": {SUSPECTS},
    "games/sent_visitor.py": ALL - {SUSPECTS},
    "solvers/__init__.py": ALL - {SUSPECTS},
    "solvers/connect_four.py": {DROPS},
    "solvers/four_search.py": {DROPS},
    "solvers/tictactoe.py": {TREES, BOARDS},
}
Changed = Callable[[str], dict[str, set[str]]]


def by_check(root: Path) -> dict[tuple[str, str], str]:
    return {
        (name, check): digest
        for name in NAMES
        for check, digest in digests.checks(Assignment(name, root)).items()
    }


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Changed:
    """Give a function that changes a character of a file in a copy of the course.

    It returns which checks of which assignments have another digest then.
    """
    root = tmp_path_factory.mktemp("course")
    for folder in COPIED:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("games.py", "nbgrader_config.py"):
        shutil.copy(ROOT / name, root)
    before = by_check(root)

    def change(name: str) -> dict[str, set[str]]:
        file = root / name
        content = file.read_bytes()
        file.write_bytes(content + b"#")
        after = by_check(root)
        file.write_bytes(content)
        found: dict[str, set[str]] = {}
        for assignment, check in before:
            if after[assignment, check] != before[assignment, check]:
                found.setdefault(assignment, set()).add(check)
        return found

    return change


@pytest.mark.parametrize("name", PICTURES)
def test_no_check_is_asked_again_because_of_a_picture(changed: Changed, name: str) -> None:
    """Does nothing that students are handed but the games concern a mark?"""
    assert changed(name) == {}


@pytest.mark.parametrize("name", sorted(COURSE))
def test_a_module_concerns_the_checks_of_its_own_games_only(changed: Changed, name: str) -> None:
    """Does each solver concern its own game, and what explains no game at all?"""
    assert set(changed(f"adversarial/{name}")) == CONCERNED.get(name, set())


def test_a_change_of_the_games_concerns_all_checks(changed: Changed) -> None:
    """Is a change noticed at all, for each of the checks?"""
    total = Counter(name for name, _ in by_check(ROOT))
    assert {name: len(checks) for name, checks in changed("games.py").items()} == total
    assert set(total) == ALL
