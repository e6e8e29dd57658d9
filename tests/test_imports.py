"""Every module imports only what the design allows it to."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "referee"

# What each module may import of the project, and of others besides the standard library.
ALLOWED = {
    "games": set(),
    "check": {"pytest"},
    "referee.__init__": set(),
    "referee.wire": {"games", "msgspec"},
    "referee.shell": {"referee.wire", "IPython", "traitlets"},
    "referee.player": {"games", "referee.jail", "referee.shell", "referee.wire"},
    "referee.landlock": set(),
    "referee.seccomp": set(),
    "referee.jail": {"referee.landlock", "referee.seccomp"},
    "referee.sandbox": {"games", "msgspec", "psutil", "referee.jail", "referee.wire"},
    "referee.process": {"referee.sandbox", "referee.wire"},
    "referee.submission": {
        "games",
        "msgspec",
        "referee.process",
        "referee.sandbox",
        "referee.wire",
    },
    "referee.rules": {"games"},
    "referee.oracle": {"games"},
    "referee.trace": {"games"},
    "referee.course": set(),
    "referee.ipynb": {"nbformat"},
    "referee.intake": {"nbformat", "referee.ipynb", "referee.submission"},
    "referee.plugin": {
        "games",
        "msgspec",
        "pytest",
        "referee.course",
        "referee.intake",
        "referee.ipynb",
        "referee.oracle",
        "referee.process",
        "referee.rules",
        "referee.sandbox",
        "referee.submission",
        "referee.trace",
    },
    "referee.picture": set(),
    "referee.diagnose": {
        "games",
        "msgspec",
        "referee.course",
        "referee.oracle",
        "referee.picture",
        "referee.process",
        "referee.rules",
        "referee.submission",
        "referee.trace",
    },
    "referee.judge": {
        "msgspec",
        "pytest",
        "referee.course",
        "referee.diagnose",
        "referee.intake",
        "referee.plugin",
        "referee.sandbox",
        "referee.submission",
    },
    "referee.store": {
        "msgspec",
        "referee.course",
        "referee.judge",
        "referee.sandbox",
        "referee.submission",
    },
    "referee.workers": {"referee.sandbox"},
    "referee.feedback": {"referee.diagnose", "referee.judge", "referee.plugin"},
    "referee.gradebook": {"nbgrader", "sqlalchemy"},
    "referee.handin": {"nbformat", "referee.intake", "referee.ipynb"},
    "referee.sanitise": {"nbconvert", "nh3"},
    "referee.nbgrader_door": {
        "msgspec",
        "nbconvert",
        "nbformat",
        "nbgrader",
        "referee.course",
        "referee.feedback",
        "referee.gradebook",
        "referee.handin",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.sandbox",
        "referee.sanitise",
        "referee.store",
        "referee.submission",
        "traitlets",
    },
    "referee.batch": {
        "nbformat",
        "referee.course",
        "referee.handin",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.nbgrader_door",
        "referee.sandbox",
        "referee.store",
        "referee.submission",
        "referee.workers",
    },
    "referee.bank": {"referee.course", "referee.intake", "referee.ipynb"},
    "referee.audit": {
        "msgspec",
        "referee.bank",
        "referee.course",
        "referee.diagnose",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.plugin",
        "referee.submission",
        "referee.workers",
    },
    "referee.cli": {
        "msgspec",
        "referee.audit",
        "referee.bank",
        "referee.diagnose",
        "referee.batch",
        "referee.course",
        "referee.feedback",
        "referee.handin",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.nbgrader_door",
        "referee.plugin",
        "referee.sandbox",
        "referee.submission",
        "rich",
        "typer",
    },
}
HIDDEN_CHECKS = {"games", "pytest"}


def imported(file: Path) -> set[str]:
    """Return what a file imports besides the standard library: project modules in full."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= set(parts) if node.module == "referee" else {str(node.module)}
    names = {name if name.startswith("referee.") else name.partition(".")[0] for name in names}
    return {name for name in names if name not in sys.stdlib_module_names}


def name_of(file: Path) -> str:
    return f"referee.{file.stem}" if file.parent == PACKAGE else file.stem


MODULES = [ROOT / "games.py", ROOT / "check.py", *sorted(PACKAGE.glob("*.py"))]


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_module_imports_what_it_is_allowed_to(file: Path) -> None:
    """Does each module know only what the design lets it know?"""
    assert imported(file) == ALLOWED[name_of(file)]


@pytest.mark.parametrize("file", sorted((ROOT / "tests" / "hidden").rglob("*.py")), ids=str)
def test_hidden_checks_import_games_and_pytest_only(file: Path) -> None:
    """Do hidden checks get everything else through fixtures?"""
    assert imported(file) <= HIDDEN_CHECKS


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_no_product_code_relies_on_assert(file: Path) -> None:
    """Does everything still work under `python -O`?"""
    asserts = [n.lineno for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Assert)]
    assert asserts == []


def test_the_start_waits_for_no_grammar() -> None:
    """Is the slow module left out that jsonschema would import for nothing?"""
    code = "import sys, referee.cli; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False).returncode == 0
