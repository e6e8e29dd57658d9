"""Hold the import law: which room knows which, and who may know another project's library."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from course_copies import bare_course
from python_files import imports, parsed, tops

from referee import course
from referee.course import Assignment
from referee.judging import digests

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "engine/referee"
ENGINE = sorted(file for file in PACKAGE.rglob("*.py") if "templates" not in file.parts)
COURSE = sorted((ROOT / "adversarial").rglob("*.py"))
CHECK = PACKAGE / "templates/student/check.py"
STUDENTS = [ROOT / "games.py", CHECK, *ROOT.glob("handout/**/*.py")]
CHECKS = sorted((ROOT / "tests" / "hidden").rglob("*.py"))
COMMANDS = ("__main__.py", "ladder.py")  # the course's own commands, no checks


def naming(files: Iterable[Path], *packages: str) -> list[str]:
    """Return what files import of some packages, or name in a text as `importlib` would."""
    found = []
    for file in files:
        texts = {node.value for node in parsed(file) if isinstance(node, ast.Constant)}
        names = imports(file) | {text.replace(":", ".") for text in texts if isinstance(text, str)}
        found += [
            f"{file.name}: {name}" for name in sorted(names) if name.split(".")[0] in packages
        ]
    return found


def test_the_engine_knows_no_game() -> None:
    """Is nothing of this course, nor of its canvas, named in the referee or in its tests?"""
    tests = (ROOT / "engine" / "tests").rglob("*.py")
    files = [*ENGINE, *(file for file in tests if "bank" not in file.parts)]
    assert len(files) > 150
    assert naming(files, "adversarial", "games", "handout") == []
    assert [file for file in files if "canvas" in tops(file)] == []  # the LMS has that name, too


def test_the_course_knows_the_model_and_the_proxies_only() -> None:
    """Could the engine change everywhere else without a word to the course?"""
    engine = "model", "sandbox.outside.student", "sandbox.outside.conversation.Stopped"
    drawn = (
        "adapters", "canvas.boards", "canvas.drawing", "canvas.search", "first_wrong", "recorded",
        "trees",
    )  # fmt: skip
    allowed = tuple(f"referee.{name}" for name in engine)
    allowed += tuple(f"handout.{name}" for name in drawn)
    assert [
        f"{file.name}: {name}"
        for file in COURSE
        if file.name not in COMMANDS
        for name in imports(file)
        if name.startswith(("referee", "handout")) and not name.startswith(allowed)
    ] == []  # fmt: skip


def test_hidden_checks_know_the_course_and_pytest_only() -> None:
    """Do hidden checks know nothing of the engine but its fixtures, and nothing of a canvas?"""
    assert len(CHECKS) > 10
    assert [
        f"{file}: {known}"
        for file in CHECKS
        if (known := tops(file) - {"adversarial", "games", "handout", "pytest"})
    ] == []


def test_students_files_need_what_students_have() -> None:
    """Do the games need nothing, and the other files no more than is in a release?"""
    own = {"canvas", "check", "games", "play", "pytest", "recorded", "ipywidgets", "IPython"}
    assert {file.name: tops(file) - own for file in STUDENTS if tops(file) - own} == {}
    assert tops(ROOT / "games.py") == tops(ROOT / "handout/trees.py") == set()
    tried = [ROOT / "tests" / name for name in ("test_games.py", "test_check.py")]
    assert naming([CHECK], "handout", "canvas", "play", "ipywidgets") == []
    assert naming(tried, "referee") == []  # on all systems, where students have no engine


def test_a_canvas_can_be_imported_without_its_library() -> None:
    """Is ipywidgets left alone until a page asks for it?"""
    code = "import sys, canvas; sys.exit('ipywidgets' in sys.modules)"
    beside = os.environ | {"PYTHONPATH": str(ROOT / "handout")}
    done = subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT, env=beside)
    assert done.returncode == 0


# --- the wall between marks and pictures: which checks a changed file concerns -------------------

# A check whose digest changes is asked again of everybody, so a file that cannot change what it
# decides must not be in it: of the solvers only that of its own game, and nothing of what students
# are handed but the games.
NAMES = course.Course(ROOT).assignments
HANDED = [f"handout/{file}" for file in course.files_in(ROOT / "handout")]
PICTURES = [file for file in HANDED if file != "handout/trees.py"]
EXPLAINING = [
    f"adversarial/diagnosis/{file}" for file in course.files_in(ROOT / "adversarial/diagnosis")
]
TREES, BOARDS, DROPS, SUSPECTS = "game-trees", "tic-tac-toe", "connect-four", "break-it"


def by_check(root: Path) -> dict[tuple[str, str], str]:
    return {
        (name, check): one
        for name in NAMES
        for check, one in digests.checks(Assignment(name, course.Course(root))).items()
    }


def test_a_change_concerns_the_checks_of_its_own_games_only() -> None:
    """Is a check asked again when games change, or the solver of its own, and nothing else?

    Nothing that is handed out but games and trees concerns a mark, nor what explains one.
    """
    root = bare_course()
    shutil.copytree(ROOT / "tests/hidden", root / "tests/hidden")
    before = by_check(root)

    def changed(*names: str) -> set[tuple[str, str]]:
        contents = {root / name: (root / name).read_bytes() for name in names}
        for file, content in contents.items():
            file.write_bytes(content + b"#")
        after = by_check(root)
        for file, content in contents.items():
            file.write_bytes(content)
        return {check for check in before if after[check] != before[check]}

    assert len(PICTURES) > 5 and len(EXPLAINING) > 5
    assert changed(*PICTURES, *EXPLAINING) == set()
    for name, concerned in (
        ("adversarial/solvers/connect_four.py", {DROPS}),
        ("adversarial/solvers/tictactoe.py", {TREES, BOARDS}),
        ("adversarial/search.py", {TREES, SUSPECTS}),
        ("adversarial/checks/break_it.py", {SUSPECTS}),
        ("tests/hidden/break-it/suspects.toml", {SUSPECTS}),
    ):
        assert {task for task, _ in changed(name)} == concerned, name
    assert changed("games.py") == by_check(ROOT).keys()
