"""Hold the import law: which room knows which, and who may know another project's library."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from python_files import imports, parsed, tops

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
        "adapters", "canvas.board_drawing", "canvas.drawing", "canvas.page", "canvas.search",
        "first_wrong", "recorded", "trees",
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
