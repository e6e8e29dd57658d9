"""Every module imports only what the design allows it to."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from referee.judging import version

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "referee"
OWN = ("canvas", "referee")  # the packages

# What each module may import of the project, and of others besides the standard library.
ALLOWED = {
    "games": set(),
    "play": {"check", "games"},
    "check": {"pytest"},
    "canvas.__init__": {"canvas.boards", "canvas.trees"},
    "canvas.drawing": set(),
    "canvas.search": {"games"},
    "canvas.page": {"canvas.drawing", "ipycanvas", "ipywidgets"},
    "canvas.boards": {"canvas.drawing", "canvas.page", "canvas.search", "games", "ipywidgets"},
    "canvas.trees": {"canvas.drawing", "canvas.page", "canvas.search", "games", "ipywidgets"},
    "referee.__init__": set(),
    "referee.wire": {"games", "msgspec"},
    "referee.shell": {"IPython", "referee.wire", "traitlets"},
    "referee.player": {"games", "referee.jail", "referee.shell", "referee.wire"},
    "referee.landlock": set(),
    "referee.seccomp": set(),
    "referee.jail": {"referee.landlock", "referee.seccomp"},
    "referee.sandbox": {"games", "msgspec", "psutil", "referee.jail", "referee.wire"},
    "referee.process": {"referee.sandbox", "referee.wire"},
    "referee.submission": {
        "games",
        "msgspec",
        "referee.course",
        "referee.process",
        "referee.sandbox",
        "referee.wire",
    },
    "referee.rules": {"games"},
    "referee.oracle": {"games"},
    "referee.four_search": set(),
    "referee.connect_four": {"games", "referee.four_search"},
    "referee.trace": {"games"},
    "referee.opponent": {
        "games",
        "referee.connect_four",
        "referee.four_search",
        "referee.oracle",
        "referee.rules",
    },
    "referee.play": {"games", "referee.opponent", "rich"},
    "referee.course": set(),
    "referee.ipynb": {"nbformat"},
    "referee.intake": {"nbformat", "referee.ipynb", "referee.submission"},
    "referee.version": {
        "canvas.drawing",
        "games",
        "msgspec",
        "referee.course",
        "referee.submission",
    },
    "referee.plugin": {
        "games",
        "msgspec",
        "pytest",
        "referee.connect_four",
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
    "referee.diagnose": {
        "canvas.drawing",
        "games",
        "msgspec",
        "referee.course",
        "referee.oracle",
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
        "referee.version",
    },
    "referee.cluster": {"dask", "distributed"},
    "referee.store": {
        "msgspec",
        "referee.course",
        "referee.judge",
        "referee.plugin",
        "referee.sandbox",
        "referee.submission",
        "referee.version",
    },
    "referee.feedback": {"referee.diagnose", "referee.judge", "referee.plugin"},
    "referee.handin": {"msgspec", "nbformat", "nbgrader", "referee.intake", "referee.ipynb"},
    "referee.sanitise": {"nbconvert", "nh3"},
    "referee.autograded": {
        "msgspec",
        "nbformat",
        "nbgrader",
        "referee.feedback",
        "referee.intake",
        "referee.judge",
        "referee.sanitise",
        "referee.submission",
    },
    "referee.history": {"msgspec"},
    "referee.task": {
        "msgspec",
        "nbformat",
        "referee.autograded",
        "referee.course",
        "referee.handin",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.sandbox",
        "referee.submission",
        "referee.version",
    },
    "referee.gradebook": {"nbgrader", "referee.autograded", "referee.course", "sqlalchemy"},
    "referee.doors.nbgrader": {
        "msgspec",
        "nbconvert",
        "nbgrader",
        "referee.autograded",
        "referee.course",
        "referee.gradebook",
        "referee.handin",
        "referee.history",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.sandbox",
        "referee.store",
        "referee.submission",
        "referee.task",
        "referee.version",
        "traitlets",
    },
    "referee.writer": {
        "nbgrader",
        "referee.course",
        "referee.gradebook",
        "referee.history",
        "referee.doors.nbgrader",
        "referee.store",
        "referee.task",
        "traitlets",
    },
    "referee.batch": {
        "msgspec",
        "referee.cluster",
        "referee.course",
        "referee.gradebook",
        "referee.handin",
        "referee.history",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.sandbox",
        "referee.store",
        "referee.submission",
        "referee.task",
        "referee.version",
        "referee.writer",
    },
    "referee.spreadsheet": set(),
    "referee.exports": {
        "nbgrader",
        "referee.course",
        "referee.spreadsheet",
        "referee.store",
        "traitlets",
    },
    "referee.gradescope": {
        "msgspec",
        "referee.course",
        "referee.feedback",
        "referee.handin",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.doors.nbgrader",
        "referee.sandbox",
        "referee.submission",
        "referee.task",
        "referee.version",
    },
    "referee.bank": {"referee.course", "referee.intake", "referee.ipynb"},
    "referee.audit": {
        "msgspec",
        "referee.bank",
        "referee.cluster",
        "referee.course",
        "referee.diagnose",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.plugin",
        "referee.submission",
        "referee.task",
    },
    "referee.arena": {
        "games",
        "msgspec",
        "referee.course",
        "referee.handin",
        "referee.intake",
        "referee.ipynb",
        "referee.process",
        "referee.rules",
        "referee.sandbox",
        "referee.submission",
    },
    "referee.screen": {
        "referee.arena",
        "referee.audit",
        "referee.batch",
        "referee.feedback",
        "referee.judge",
        "referee.replay",
        "referee.summary",
        "rich",
    },
    "referee.replay": {
        "referee.cluster",
        "referee.course",
        "referee.handin",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.plugin",
        "referee.sandbox",
        "referee.store",
        "referee.submission",
        "referee.task",
        "referee.version",
    },
    "referee.summary": {
        "referee.judge",
        "referee.plugin",
        "referee.store",
        "referee.submission",
    },
    "referee.difficulty": {
        "referee.judge",
        "referee.plugin",
        "referee.submission",
        "referee.summary",
    },
    "referee.similar": {"pygments"},
    "referee.chart": {"matplotlib"},
    "referee.report": {
        "jinja2",
        "markupsafe",
        "referee.chart",
        "referee.course",
        "referee.difficulty",
        "referee.feedback",
        "referee.intake",
        "referee.ipynb",
        "referee.similar",
        "referee.summary",
    },
    "referee.cli": {
        "msgspec",
        "referee.arena",
        "referee.audit",
        "referee.bank",
        "referee.batch",
        "referee.cluster",
        "referee.course",
        "referee.diagnose",
        "referee.exports",
        "referee.gradescope",
        "referee.handin",
        "referee.intake",
        "referee.ipynb",
        "referee.judge",
        "referee.doors.nbgrader",
        "referee.play",
        "referee.replay",
        "referee.report",
        "referee.sandbox",
        "referee.screen",
        "referee.spreadsheet",
        "referee.store",
        "referee.submission",
        "referee.task",
        "referee.writer",
        "rich",
        "typer",
    },
}
HIDDEN_CHECKS = {"adversarial", "games", "pytest"}


def imported(file: Path) -> set[str]:
    """Return what a file imports besides the standard library: project modules in full."""
    return {name for name in named(file) if name not in sys.stdlib_module_names}


def named(file: Path) -> set[str]:
    """Return all that a file imports: project modules in full, of others the package."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= set(parts) if node.module in OWN else {str(node.module)}
    return {name if name.startswith(OWN) else name.partition(".")[0] for name in names}


def name_of(file: Path) -> str:
    return file.stem if file.parent == ROOT else f"{file.parent.name}.{file.stem}"


STUDENTS = [
    *(ROOT / f"{name}.py" for name in ("games", "check", "play")),
    *sorted((ROOT / "canvas").glob("*.py")),
]
MODULES = [*STUDENTS, *sorted(PACKAGE.glob("*.py"))]


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_a_module_imports_what_it_is_allowed_to(file: Path) -> None:
    """Does each module know only what the design lets it know?"""
    assert imported(file) == ALLOWED[name_of(file)]


@pytest.mark.parametrize(
    ("library", "modules"),
    [
        ("dask distributed", {"cluster"}),
        ("sqlite3", {"store"}),
        ("sqlalchemy", {"gradebook"}),
        ("nbgrader", {"autograded", "exports", "gradebook", "handin", "nbgrader_door", "writer"}),
        ("pytest", {"judge", "plugin"}),
        ("rich", {"cli", "play", "screen"}),
    ],
)
def test_a_library_is_known_in_few_places(library: str, modules: set[str]) -> None:
    """Does a change of another project's library concern the modules for it and no others?"""
    found = {file.stem for file in PACKAGE.glob("*.py") if named(file) & set(library.split())}
    assert found == modules


def test_the_engine_is_all_that_a_mark_is_made_by() -> None:
    """Is no module forgotten whose change may change a mark?

    They are those that the judge, the intake and the player are made of.
    """
    closure: set[str] = set()
    todo = {"referee.judge", "referee.handin", "referee.player"}
    while todo:
        name = todo.pop()
        closure.add(name)
        found = {one for one in ALLOWED[name] if one.startswith("referee.")}
        todo |= found - closure
    assert {f"referee.{name}" for name in version.ENGINE} == closure
    assert len(set(version.ENGINE)) == len(version.ENGINE)


def test_no_mark_depends_on_a_canvas() -> None:
    """Is the drawing of feedback all that the referee knows of boards and trees to click?"""
    files = [*PACKAGE.glob("*.py"), ROOT / "games.py", ROOT / "check.py"]
    files += [*(ROOT / "tests/hidden").rglob("*.py"), *(ROOT / "source").rglob("*.py")]
    known = {(file.stem, name) for file in files for name in named(file) if "canvas" in name}
    assert known == {("diagnose", "canvas.drawing"), ("version", "canvas.drawing")}


def test_a_canvas_can_be_imported_without_its_library() -> None:
    """Are ipycanvas and ipywidgets left alone until a page asks for them?"""
    code = "import sys, canvas; sys.exit('ipycanvas' in sys.modules or 'ipywidgets' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=ROOT).returncode == 0


@pytest.mark.parametrize("file", sorted((ROOT / "tests" / "hidden").rglob("*.py")), ids=str)
def test_hidden_checks_import_the_course_and_pytest_only(file: Path) -> None:
    """Do hidden checks know nothing of the engine but its fixtures?"""
    assert imported(file) <= HIDDEN_CHECKS


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_no_product_code_relies_on_assert(file: Path) -> None:
    """Does everything still work under `python -O`?"""
    asserts = [n.lineno for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.Assert)]
    assert asserts == []


def test_the_start_waits_for_no_grammar() -> None:
    """Is the slow module left out that jsonschema would import for nothing?"""
    code = "import sys, referee.doors.cli; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=False).returncode == 0
