"""Hold the import law: which room knows which, and who may know another project's library."""

import ast
import functools
import os
import subprocess
import sys
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

from referee.judging import digests
from referee.sandbox.outside.zygote import BESIDE

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "engine/referee"
ENGINE = sorted(file for file in PACKAGE.rglob("*.py") if "templates" not in file.parts)
COURSE = sorted((ROOT / "adversarial").rglob("*.py"))
CHECK = PACKAGE / "templates/student/check.py"
STUDENTS = [ROOT / "games.py", CHECK, *ROOT.glob("handout/**/*.py")]
CHECKS = sorted((ROOT / "tests" / "hidden").rglob("*.py"))
COMMANDS = ("__main__.py",)  # the course's own command, no check

EXPECTING = "checks"  # an assert is what checks take of what lies there

# What each room may know besides itself; each also model and course.
LAW = {
    "model": "",
    "course": "",
    "workers": "",
    "intake": "",
    "sandbox": "",
    "judging": "intake sandbox",
    "marks": "intake sandbox judging",
    "report": "intake sandbox judging marks",
    "proof": "intake sandbox judging marks workers",
    "doors": "intake sandbox judging marks workers report proof",
}
LIBRARIES = {
    "nbgrader": ("marks/", "doors/nbgrader.py"),
    "dask": ("workers/cluster.py",),
    "distributed": ("workers/cluster.py",),
    "pytest": ("judging/", "proof/"),
    "sqlalchemy": ("marks/", "intake/saved.py"),
    "rich": ("doors/",),
}


@functools.cache
def parsed(file: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(file.read_text("utf-8"))))


@functools.cache
def imports(file: Path) -> set[str]:
    """Return all that a file imports from outside its folder: modules, and what is in them."""
    names = set()
    for node in parsed(file):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def tops(file: Path) -> set[str]:
    """Return the packages that a file imports, besides the standard library's."""
    return {name.partition(".")[0] for name in imports(file)} - set(sys.stdlib_module_names)


def inside(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def room(file: Path) -> str:
    return inside(file).partition("/")[0].removesuffix(".py")


def rooms() -> dict[str, set[str]]:
    """Return which rooms each room imports, besides itself."""
    found: dict[str, set[str]] = {name: set() for name in LAW}
    for file in ENGINE:
        if file != PACKAGE / "__init__.py":
            known = {name.split(".")[1] for name in imports(file) if name.startswith("referee.")}
            found[room(file)] |= known - {room(file)}
    return found


def closure(file: Path) -> set[str]:
    """Return the files of the referee that come with one when it is imported."""
    found, todo = set(), [file]
    while todo:
        one = todo.pop()
        found.add(one)
        for name in imports(one):
            path = PACKAGE.parent.joinpath(*name.split("."))
            paths = [path, *path.parents][: name.count(".") + 1]
            files = [p / "__init__.py" for p in paths] + [p.with_suffix(".py") for p in paths]
            todo += [file for file in files if file in ENGINE and file not in found]
    return found


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


def test_every_room_knows_only_those_below_it() -> None:
    """Does every import keep the law, and is there no room that the law does not name?"""
    assert {room(file) for file in ENGINE} - {"__init__"} == set(LAW)
    allowed = {name: {*known.split(), "model", "course"} for name, known in LAW.items()}
    allowed |= {"model": set(), "workers": set(), "course": {"model"}}
    assert {name: known - allowed[name] for name, known in rooms().items()} == {
        name: set() for name in LAW
    }


def test_the_house_has_ten_rooms_on_seven_floors() -> None:
    """Is there no circle among the rooms, and can each be told from few others?"""
    house, floors = TopologicalSorter(rooms()), 0
    house.prepare()  # raises CycleError
    while house.is_active():
        house.done(*house.get_ready())
        floors += 1
    assert len(rooms()) <= 10
    assert floors <= 7


def test_what_runs_beside_the_student_is_inside_wire_and_model() -> None:
    """Is what a student's process holds of the referee exactly what it is made of?"""
    beside = [PACKAGE / name for name in BESIDE]
    given = [*filter(Path.is_file, beside), *(file for one in beside for file in one.glob("*.py"))]
    own = closure(PACKAGE / "sandbox/inside/player.py")
    assert own | {PACKAGE / "sandbox/inside/fixtures.py"} == set(given)  # which is sent when asked


def test_nobody_but_the_outside_knows_what_runs_inside() -> None:
    """Does the wire know neither side, and is the player's side known to one room only?"""
    allowed = {"outside": {"inside", "outside", "wire"}, "inside": {"inside", "wire"}}
    allowed["wire"] = {"wire"}
    for file in ENGINE:
        own = inside(file).split("/")[1] if room(file) == "sandbox" else ""
        known = {one.split(".")[2] for one in imports(file) if one.startswith("referee.sandbox.")}
        assert known <= allowed.get(own, {"outside", "wire"}), file


def test_the_engine_is_all_that_a_mark_is_made_by() -> None:
    """Is no room forgotten whose change may change a mark?"""
    found: set[str] = set()
    todo = {"judging", "intake", "sandbox"}
    while todo:
        found |= todo
        todo = set().union(*(rooms()[name] for name in todo)) - found
    assert found == {name.removesuffix(".py") for name in digests.ENGINE}


def test_the_engine_knows_no_game() -> None:
    """Is nothing of this course, nor of its canvas, named in the referee?"""
    assert naming(ENGINE, "adversarial", "games") == []
    assert [file for file in ENGINE if "canvas" in tops(file)] == []  # the LMS has that name, too


def test_a_library_is_known_in_few_places() -> None:
    """Does a change of another project's library concern the rooms for it and no others?"""
    assert [
        f"{inside(file)}: {library}"
        for library, places in LIBRARIES.items()
        for file in ENGINE
        if library in tops(file) and not inside(file).startswith(places)
    ] == []


def test_the_course_knows_the_model_and_the_proxies_only() -> None:
    """Could the engine change everywhere else without a word to the course?"""
    allowed = (
        "referee.model",
        "referee.sandbox.outside.student",
        "referee.sandbox.outside.conversation.Stopped",
    )
    drawn = ("handout.canvas.drawing", "handout.canvas.search", "handout.canvas.first_wrong")
    assert [
        f"{file.name}: {name}"
        for file in COURSE
        if file.name not in COMMANDS
        for name in imports(file)
        if (name.startswith("referee") and not name.startswith(allowed))
        or (name.startswith("handout") and not name.startswith(drawn))
    ] == []  # fmt: skip


def test_every_room_of_the_course_knows_only_those_below_it() -> None:
    """Do games and solvers know the library only, checks both, and the diagnosis all of them?"""
    law = {"games": "", "solvers": "games", "checks": "games solvers"}
    law["diagnosis"] = "games solvers checks"
    for name, known in law.items():
        for file in (ROOT / "adversarial" / name).glob("*.py"):
            rooms = {one.split(".")[1] for one in imports(file) if one.startswith("adversarial.")}
            assert rooms <= {name, *known.split()}, file


def test_hidden_checks_know_the_course_and_pytest_only() -> None:
    """Do hidden checks know nothing of the engine but its fixtures, and nothing of a canvas?"""
    assert len(CHECKS) > 10
    assert [
        f"{file}: {known}"
        for file in CHECKS
        if (known := tops(file) - {"adversarial", "games", "pytest"})
    ] == []


def test_no_mark_depends_on_a_canvas() -> None:
    """Does nothing that hidden checks import know what students are handed besides the games?"""
    handed = {"handout", "canvas", "check", "play", "ipycanvas", "ipywidgets"}
    deciding = {*digests.imported(ROOT, CHECKS), *CHECKS} - {*ENGINE}
    assert {file.name for file in deciding} >= {"games.py", "trees.py", "pruning.py", "recorded.py"}
    assert naming(sorted(deciding), *handed) == []
    assert naming([CHECK], *handed - {"check"}) == []


def test_students_files_need_what_students_have() -> None:
    """Do the games need nothing, and the other files no more than is in a release?"""
    own = {"canvas", "check", "games", "play", "pytest", "ipycanvas", "ipywidgets", "IPython"}
    assert {file.name: tops(file) - own for file in STUDENTS if tops(file) - own} == {}
    assert tops(ROOT / "games.py") == set()


def test_a_canvas_can_be_imported_without_its_library() -> None:
    """Are ipycanvas and ipywidgets left alone until a page asks for them?"""
    code = "import sys, canvas; sys.exit('ipycanvas' in sys.modules or 'ipywidgets' in sys.modules)"
    paths = {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'handout'}"}
    done = subprocess.run([sys.executable, "-c", code], check=False, env={**os.environ, **paths})
    assert done.returncode == 0


def test_a_function_fits_on_a_screen() -> None:
    """Has none of the product's functions, the students' too, more than forty lines?"""
    long = [
        f"{file.name}: {node.name}"
        for file in (*ENGINE, *COURSE, *STUDENTS)
        for node in parsed(file)
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= 40
    ]
    assert long == []


def test_no_product_code_relies_on_assert() -> None:
    """Does everything still work under `python -O`?"""
    assert [
        f"{file}:{node.lineno}"
        for file in (*ENGINE, *COURSE, *STUDENTS)
        if file.parent.name != EXPECTING
        for node in parsed(file)
        if isinstance(node, ast.Assert)
    ] == []


def test_help_imports_what_help_needs() -> None:
    """Does every command wait with what it needs until it runs, and help need nearly nothing?"""
    code = (
        "import atexit, sys; from referee.doors import cli; sys.argv[1:] = ['--help']\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    own = {name for name in loaded if name.startswith("referee.")}
    cli = {name for name in own if name.startswith("referee.doors.cli")}
    assert own - cli == {"referee.doors", "referee.model"}
    slow = {"multiprocessing", "nbformat", "nbgrader", "pytest", "sqlite3", "traitlets"}
    assert loaded & slow == set()
