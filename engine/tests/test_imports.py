"""Hold the import law: which room knows which, and who may know another project's library."""

import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from python_files import asserts, imports, long_functions, long_strings, tops

from referee.judging import digests
from referee.sandbox.outside.forkserver import BESIDE

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "referee"
TESTS = PROJECT / "tests"
ENGINE = sorted(file for file in PACKAGE.rglob("*.py") if "templates" not in file.parts)
TESTING = sorted(file for file in TESTS.rglob("*.py") if "courses" not in file.parts)
COURSES = TESTS / "courses"
BROUGHT_ALONG = {"dask": "distributed", "tornado": "nbgrader"}  # with another package

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
    "nbgrader": ("marks/", "doors/nbgrader.py", "doors/formgrader.py"),
    "dask": ("workers/cluster.py",),
    "distributed": ("workers/cluster.py",),
    "pytest": ("judging/", "proof/"),
    "sqlalchemy": ("marks/", "intake/database.py", "intake/saved.py"),
    "rich": ("doors/",),
}


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
    sent = {PACKAGE / f"sandbox/inside/{name}.py" for name in ("fixtures", "testcells")}
    assert own | sent == set(given)  # those are sent when they are needed


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


def test_a_library_is_known_in_few_places() -> None:
    """Does a change of another project's library concern the rooms for it and no others?"""
    assert [
        f"{inside(file)}: {library}"
        for library, places in LIBRARIES.items()
        for file in ENGINE
        if library in tops(file) and not inside(file).startswith(places)
    ] == []


def test_nothing_is_needed_that_the_project_does_not_bring() -> None:
    """Is each import of the product and its tests theirs, Python's, or of a package they declare?

    So the folder works alone, whatever lies beside it: another course is none of these.
    """
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    lines = [*project["dependencies"], *(line for extra in extras for line in extra)]
    declared = {canonicalize_name(Requirement(line).name) for line in lines}
    brought = metadata.packages_distributions()
    own = {"referee", *(file.stem for file in TESTING)}
    own |= {part.stem for part in COURSES.glob("nim/*")} | {"course_alike", "course_library"}
    for file in (*ENGINE, *TESTING):
        for name in tops(file) - own:
            packages = {canonicalize_name(one) for one in brought.get(name, [])}
            assert declared & {*packages, BROUGHT_ALONG.get(name, "")}, f"{file}: {name}"


def test_no_test_reads_a_file_beside_the_project() -> None:
    """Does no path that starts at a test's own file lead out of the project?"""
    for file in TESTING:
        for number in re.findall(r"__file__\)[.\w()]*\.parents\[(\d+)\]", file.read_text("utf-8")):
            assert file.parents[int(number)].is_relative_to(PROJECT), file


def test_the_tests_mirror_the_rooms() -> None:
    """Has each room a folder of tests, and each test a room?"""
    folders = {name for name in LAW if (PACKAGE / name).is_dir()}
    folders |= {f"sandbox/{name}" for name in ("wire", "inside", "outside")}
    tests = {file.parent.relative_to(TESTS).as_posix() for file in TESTING
             if file.name.startswith("test_")}  # fmt: skip
    assert tests - {"."} == folders - {"sandbox"}


def test_a_course_is_no_string() -> None:
    """Is everything of more than thirty lines a file, which is linted and opened by a click?"""
    assert [place for file in TESTING for place in long_strings(file)] == []


def test_a_function_fits_on_a_screen() -> None:
    """Has none of the product's functions more than forty lines?"""
    assert [place for file in ENGINE for place in long_functions(file)] == []


def test_no_product_code_relies_on_assert() -> None:
    """Does everything still work under `python -O`?"""
    assert [place for file in ENGINE for place in asserts(file)] == []


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
