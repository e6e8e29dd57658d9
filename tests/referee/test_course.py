"""Ask whether the course finds its files, and knows when a mark has to be decided anew."""

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from referee import course

PACKAGE = Path(course.__file__).parent


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The smallest course: one assignment, called sums."""
    for name in ("games.py", "check.py", "nbgrader_config.py", "README.md"):
        (tmp_path / name).write_text(f"# {name}\n")
    for folder, file in {
        "release/sums": "sums.ipynb",
        "source/sums": "sums.ipynb",
        "tests/hidden/sums": "test_sums.py",
        "submitted/ada/sums": "sums.ipynb",
    }.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / file).write_text("{}\n")
    return tmp_path


# --- finding things --------------------------------------------------------------------------


@pytest.mark.parametrize("below", [".", "release/sums", "submitted/ada"])
def test_the_course_is_found_from_every_folder_in_it(root, below):
    """Is the root found from the root itself and from below?"""
    assert course.find_root(root / below) == root


def test_outside_of_a_course_the_error_says_where_and_what_to_do(tmp_path):
    """Does the message name the folder, the missing file and the option?"""
    with pytest.raises(course.CourseError) as caught:
        course.find_root(tmp_path / "nowhere")
    for words in (str(tmp_path / "nowhere"), "nbgrader_config.py", "--course"):
        assert words in str(caught.value)


def test_an_unknown_assignment_is_answered_with_the_known_ones(root):
    """Can the reader pick the right name from the message?"""
    (root / "tests/hidden/trees").mkdir()
    with pytest.raises(course.CourseError, match=r"'chess'.*: sums, trees$"):
        course.find_assignment(root, "chess")


def test_a_missing_release_is_named(root):
    """Does the message name the file that has to be made?"""
    (root / "release/sums/sums.ipynb").unlink()
    with pytest.raises(course.CourseError, match=r"release.sums.sums\.ipynb.*missing"):
        course.find_assignment(root, "sums")


@pytest.mark.parametrize("name", ["__pycache__", ".ipynb_checkpoints", ".pytest_cache"])
def test_what_programs_leave_behind_is_no_assignment(root, name):
    """Are the folders of Python, Jupyter and pytest passed over?"""
    (root / "tests/hidden" / name).mkdir()
    assert course.assignments(root) == ["sums"]


def test_a_course_without_hidden_checks_is_an_error_of_the_course(root):
    """Is the missing folder named in an error that the command line knows?"""
    shutil.rmtree(root / "tests")
    with pytest.raises(course.CourseError, match=r"tests.hidden"):
        course.find_assignment(root, "sums")


# --- the fingerprint -------------------------------------------------------------------------


def write(path: str) -> Callable[[Path], object]:
    """Return a change that makes a file, or makes it longer."""

    def change(root: Path) -> None:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as out:
            out.write("# more\n")

    return change


def print_of(root: Path, module: ModuleType = course) -> str:
    return str(module.find_assignment(root, "sums").fingerprint())


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(write("tests/hidden/sums/test_sums.py"), id="a hidden check"),
        pytest.param(write("tests/hidden/sums/test_more.py"), id="a new hidden check"),
        pytest.param(write("tests/hidden/sums/conftest.py"), id="fixtures of the checks"),
        pytest.param(write("tests/hidden/sums/seed.txt"), id="the seed"),
        pytest.param(write("tests/hidden/sums/deep/test_it.py"), id="a check in a folder"),
        pytest.param(
            lambda root: (root / "tests/hidden/sums/test_sums.py").unlink(), id="a check deleted"
        ),
        pytest.param(
            lambda root: (root / "tests/hidden/sums/test_sums.py").write_text("[]\n"),
            id="a check of the same length",
        ),
        pytest.param(write("games.py"), id="games.py"),
        pytest.param(write("check.py"), id="check.py"),
        pytest.param(write("release/sums/sums.ipynb"), id="the released notebook"),
        pytest.param(write("release/sums/leaves.csv"), id="a file of the release"),
    ],
)
def test_what_a_mark_depends_on_changes_the_fingerprint(root, change):
    """Is a mark decided anew when what decides it is another?"""
    before = print_of(root)
    change(root)
    assert print_of(root) != before


@pytest.mark.parametrize(
    "path",
    [
        "README.md",
        "docs/guide.md",
        "source/sums/sums.ipynb",
        "submitted/ada/sums/sums.ipynb",
        "submitted/bob/sums/sums.ipynb",
        "autograded/ada/sums/sums.ipynb",
        "gradebook.db",
        "release/trees/trees.ipynb",
        "tests/hidden/trees/test_trees.py",
        "tests/hidden/sums/__pycache__/test_sums.cpython-311.pyc",
        "release/sums/.ipynb_checkpoints/sums-checkpoint.ipynb",
        "release/sums/__pycache__/games.cpython-311.pyc",
        ".referee/results/0.msgpack",
    ],
)
def test_nothing_else_changes_the_fingerprint(root, path):
    """Is work not done twice because of a file that no mark depends on?"""
    before = print_of(root)
    write(path)(root)
    assert print_of(root) == before


def test_the_fingerprint_is_the_same_wherever_the_course_lies(root, tmp_path_factory):
    """Does a copy of the course have the fingerprint of the course?"""
    again = shutil.copytree(root, tmp_path_factory.mktemp("elsewhere") / "course")
    assert print_of(again) == print_of(root)


@pytest.fixture
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the referee's own package."""
    ignore = shutil.ignore_patterns("__pycache__")
    return shutil.copytree(PACKAGE, tmp_path_factory.mktemp("packages") / "referee", ignore=ignore)


def print_by(package: Path, root: Path) -> str:
    """Return the fingerprint as the package in another folder takes it."""
    spec = importlib.util.spec_from_file_location("course_of_the_copy", package / "course.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return print_of(root, module)


def test_every_module_of_the_referee_changes_the_fingerprint(root, package):
    """Is every mark decided anew by a referee that has changed in any module?"""
    seen = {print_of(root)}
    assert print_by(package, root) in seen
    for module in sorted(package.glob("*.py")):
        module.write_text(module.read_text() + "# changed\n")
        seen.add(print_by(package, root))
    assert len(seen) == 1 + len(list(package.glob("*.py")))
