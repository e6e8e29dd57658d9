"""Ask whether the course finds its files, and says what is missing."""

import importlib
import sys
from pathlib import Path

import pytest

from referee import course
from referee.course import Assignment, Course, CourseError
from referee.model import Limits
from referee.sandbox.inside import jail

pytestmark = pytest.mark.usefixtures("imports")
FILES = {
    "release/sums": "sums.ipynb",
    "source/sums": "sums.ipynb",
    "tests/hidden/sums": "test_sums.py",
    "submitted/ada/sums": "sums.ipynb",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The smallest course: one assignment, called sums."""
    configure(tmp_path)
    for folder, file in FILES.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / file).write_text("{}\n")
    return tmp_path


def configure(root: Path, *lines: str) -> Path:
    file = root / "nbgrader_config.py"
    file.write_text("\n".join(["c = get_config()", *lines]))
    return file


# --- finding things --------------------------------------------------------------------------


@pytest.mark.parametrize("below", [".", "release/sums", "submitted/ada"])
def test_the_course_is_found_from_every_folder_in_it(root, below):
    """Is the root found from the root itself and from below?"""
    assert course.find_course(root / below).root == root


def test_what_is_missing_is_named(root):
    """Does the message name what has to be made?"""
    for gone in "release/sums/sums.ipynb", "tests/hidden":
        (root / gone).rename(root / Path(gone).name)
        with pytest.raises(CourseError, match=rf"{gone} is missing"):
            Course(root).find("sums")


def test_what_lies_beside_a_notebook_is_found_in_folders_too(root):
    """Is each file of a release there by its path, but for notebooks and what is left behind?"""
    release = root / "release" / "sums"
    for name in (
        "tools.py", "drawing/boards.py", "drawing/deep/a.svg", "other.ipynb", ".hidden",
        "drawing/__pycache__/boards.pyc", ".ipynb_checkpoints/sums-checkpoint.ipynb", ".git/config",
    ):  # fmt: skip
        (release / name).parent.mkdir(parents=True, exist_ok=True)
        (release / name).write_text(name)
    found = course.files_in(release, leave_out="*.ipynb")
    assert found == {name: name.encode() for name in found}
    assert list(found) == ["drawing/boards.py", "drawing/deep/a.svg", "tools.py"]


def test_the_courses_files_count_before_a_students_own(root):
    """Are a student's there, too, and the ones that count where nbgrader's setting says so?"""
    configure(root, 'c.Autograde.exclude_overwriting = {"sums": ["b.py"]}')
    for name in ("a.py", "b.py"):
        (root / "release" / "sums" / name).write_bytes(b"ours")
    mine = tuple((name, b"mine") for name in ("a.py", "b.py", "c.py"))
    assert Assignment("sums", Course(root), beside=mine).support == {
        "a.py": b"ours", "b.py": b"mine", "c.py": b"mine",
    }  # fmt: skip


def test_what_programs_leave_behind_is_no_assignment(root):
    """Are the folders of Python and Jupyter passed over?"""
    for name in ("__pycache__", ".ipynb_checkpoints"):
        (root / "tests/hidden" / name).mkdir()
    assert Course(root).assignments == ["sums"]


# --- settings --------------------------------------------------------------------------------


def test_a_course_sets_the_limits_that_it_names(root):
    """Are the others as usual, and can the caller allow what the course does not?"""
    configure(root, "c.Limits.check_calls = 7", "c.Limits.memory_bytes = 2**30")
    assert Course(root).limits() == Limits(check_calls=7, memory_bytes=2**30)
    assert Course(root).limits(unsafe=True).unsafe
    configure(root, "c.Limits.unsafe = True")
    assert Course(root).limits().unsafe


WRONG_SETTINGS = {
    "Limits.chek_calls = 7": ["no chek_calls", "did you mean check_calls?"],
    "Canvas.title = {'sums': 'Sums (1)'}": ["no title", "did you mean titles?"],
    "Limits.check_calls = 'many'": ["check_calls", "int"],
    "Limits.check_calls = 0": ["check_calls", ">= 1"],
    "Limits.check_cpu_seconds = float('nan')": ["check_cpu_seconds", "> 0"],
    "Limits.cell_wall_seconds = float('inf')": ["cell_wall_seconds", "<="],
    "Limits.unsafe = 1": ["unsafe", "bool"],
    "Course.lesson = 'lesson'": ["lesson", "what can be set: subject, packages"],
    "Limit.check_calls = 7": ["c.Limit ", "did you mean c.Limits?"],
    "IncludeLibrary.files = {'*': ['a']}": ["files", "object"],
}


@pytest.mark.parametrize("line", WRONG_SETTINGS)
def test_a_setting_that_is_none_is_named_with_those_that_are(root, line):
    """Does every command say which file, which name, and what is right?"""
    file = configure(root, f"c.{line}")
    with pytest.raises(CourseError) as caught:
        _ = Course(root).assignments
    for words in (str(file), *WRONG_SETTINGS[line]):
        assert words in str(caught.value)


def test_settings_of_others_are_no_matter_of_ours(root):
    """Do nbgrader's sections pass, those of plugins, and what our own classes inherit?"""
    configure(
        root, "c.CourseDirectory.course_id = 'x'", "c.LimitOutput.max_lines = 3",
        "c.Application.log_level = 30", "c.LateSubmissionPlugin.penalty_method = 'zero'",
        "c.OurRules.days = 3", "c.IncludeLibrary.enabled = True",
        "c.Canvas.titles = {'sums': 'Sums (1)'}", "c.Canvas.to = 'x.csv'", "c.Coursera.id = 3",
        "c.Limits.check_cpu_seconds = 7",
    )  # fmt: skip
    assert Course(root).limits() == Limits(check_cpu_seconds=7)
    assert Course(root).assignments == ["sums"]


def test_the_packages_that_students_have_are_known(root):
    """Are they read from what students install, and from the configuration?"""
    assert Course(root).packages == ()
    text = "# for you\nipydrawing>=0.14  # boards\n-r other.txt\npytest==8 --hash=x \\\n --hash=y\n"
    (root / "source/requirements.txt").write_text(text)
    configure(root, "c.Course.packages = ['numpy']")
    assert Course(root).packages == ("ipydrawing>=0.14", "pytest==8", "numpy")
    assert Course(root).subject.packages == Course(root).packages


# --- the subject -----------------------------------------------------------------------------

GAME = """
from abc import ABC, abstractmethod
from typing import NamedTuple

class Board(NamedTuple):
    squares: tuple

class Chess(ABC):
    @abstractmethod
    def moves(self): ...
    @abstractmethod
    def worth(self): ...
"""
SUBJECT = "from referee.model import Remote, Subject\nSUBJECT = Subject({})"
WHOLE = "('chess.py',), ('chess:Board',), (Remote('chess:Chess', ('moves', 'worth')),)"


def teach(root: Path, text: str, name: str = "play_chess") -> None:
    """Give a course a subject with this text."""
    configure(root, f"c.Course.subject = {name!r}")
    (root / "chess.py").write_text(GAME)
    (root / "play_chess").mkdir()
    (root / "play_chess" / "subject.py").write_text(text)


def test_a_subject_is_read_from_the_course_s_folder(root):
    """Are its library, records and remotes there, and can what they name be imported?"""
    teach(root, SUBJECT.format(WHOLE))
    found = Course(root).subject
    assert found.library == (str(root / "chess.py"),)
    assert found.records == ("chess:Board",)
    assert [remote.methods for remote in found.remotes] == [("moves", "worth")]
    assert sys.modules["chess"].__file__ == str(root / "chess.py")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "No module named 'play_go'"),
        ("SUBJECT = 3", "AttributeError"),
        ("SUBJECT = 1 / 0", "ZeroDivisionError"),
        (SUBJECT.format("('go.py',)"), "go.py"),
        (SUBJECT.format("(), ('chess:Square',)"), "Square"),
        (SUBJECT.format("(), ('chess:Chess',)"), "chess:Chess is no named tuple"),
        (SUBJECT.format("(), ('sys:path',)"), "sys:path is no type"),
        (SUBJECT.format("(), (), (Remote('chess:Chess', ('moves',)),)"), "asked for worth, too"),
    ],
)
def test_a_subject_that_cannot_be_used_is_an_error_of_the_course(root, text, words):
    """Is a missing or broken subject told with its file, before any student pays for it?"""
    teach(root, text or "", "play_chess" if text is not None else "play_go")
    with pytest.raises(CourseError) as caught:
        _ = Course(root).subject
    for word in (words, str(root), "subject"):
        assert word in str(caught.value)


def test_a_course_imports_its_own_files_and_no_other_s(tmp_path):
    """When another course was open before, is what is the same kept, and what is not read anew?"""
    one, other = (Course(tmp_path / name) for name in ("one", "other"))
    for root, text in ((one.root, "who = 1"), (other.root, "who = 2")):
        (root / "course_library").mkdir(parents=True)
        (root / "course_library" / "__init__.py").write_text(text)
        (root / "course_alike.py").write_text("who = 0")

    def opened(course: Course) -> list[object]:
        course.configuration()  # as what it names can be imported, too
        return [importlib.import_module(name) for name in ("course_alike", "course_library")]

    alike, library = opened(one)
    assert library.who == 1 and opened(one) == [alike, library]
    again, another = opened(other)
    assert again is alike and another.who == 2 and sys.path[0] == str(other.root)
    opened(one)
    assert sys.path.count(str(one.root)) == sys.path.count(str(other.root)) == 1


# --- where a course may lie ---------------------------------------------------------------------


def test_a_course_that_student_code_could_read_is_refused(root, tmp_path_factory, monkeypatch):
    """Is one refused in a folder that is shown to student code, or around its own Python?

    The sentence says what to do, and a link hides nothing.
    """
    link = tmp_path_factory.mktemp("elsewhere") / "course"
    link.symlink_to(root)
    assert Course(root).limits() == Course(link).limits() == Limits()
    for place, name, value in (
        (course, "SYSTEM", (str(root.parent),)), (sys, "base_prefix", str(root))
    ):  # fmt: skip
        with monkeypatch.context() as patch:
            patch.setattr(place, name, value)
            for path in root, link:
                with pytest.raises(CourseError, match=r"student code.*move.*--unsafe"):
                    Course(path).limits()
                assert Course(path).limits(unsafe=True).unsafe
    monkeypatch.setattr(sys, "base_prefix", str(root / "python"))
    assert Course(root).limits() == Limits()


def test_what_is_shown_is_what_the_jail_shows():
    """Are the folders of the system the same there and here?"""
    own = {str(Path(sys.executable).parent), str(Path(sys.prefix) / "pyvenv.cfg")}
    assert set(jail._python()) - own <= set(course._readable())


@pytest.mark.parametrize("name", ["Jurgen", "jürgen müler", "Muller", "JurgenMuller"])
def test_a_misspelt_name_is_told_the_right_one(name):
    """Are accents, blanks and parts of a name no reason to find nobody?"""
    assert course.hint(name, ["Ada", "Jürgen Müller"]) == "; did you mean Jürgen Müller?"
    assert course.hint("Zoë", ["Ada", "Jürgen Müller"]) == ""
