"""Tell versions apart: digests of what a mark depends on, from the engine down to one check.

A mark is a pure function of the submission, the engine, the environment, the limits and each check
with the course's seed; what has the same digest need not be judged again. Reads files, runs
nothing. Imported by `judge`, `store` and those that keep results.
"""

import ast
import functools
import hashlib
import platform
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

import games
from canvas import drawing
from referee.course import CONFIG, LIBRARY, Assignment, CourseError, release_files
from referee.submission import Cell, Limits

PACKAGE = Path(__file__).parent
CANVAS = Path(drawing.__file__).parent  # feedback draws with it
# The modules that decide a mark: those that `judge`, `handin` and the player are made of.
ENGINE = (
    "connect_four", "course", "diagnose", "four_search", "handin", "intake", "ipynb", "jail",
    "judge", "landlock", "oracle", "player", "plugin", "process", "rules", "sandbox",
    "seccomp", "shell", "submission", "trace", "version", "wire",
)  # fmt: skip


def digest(*parts: Any) -> str:
    """Return a digest of plain values and structs, in hexadecimal."""
    return hashlib.sha256(msgspec.msgpack.encode(parts)).hexdigest()


@functools.cache
def engine() -> str:
    """Return the digest of the modules that decide a mark, and of what they run on."""
    files = [PACKAGE / f"{name}.py" for name in ENGINE]
    files += [Path(games.__file__), Path(drawing.__file__)]
    return digest(
        _contents(files),
        platform.python_version(),
        [(name, metadata.version(name)) for name in ("ipython", "nbformat", "pytest")],
    )


@functools.cache
def package() -> str:
    """Return the digest of the whole package: how results are shown depends on it, too."""
    return digest(engine(), _contents(sorted(PACKAGE.glob("*.*"))))


def course(assignment: Assignment) -> str:
    """Return the digest of everything but the submission and the limits that a mark depends on."""
    return digest(engine(), checks(assignment), _support(assignment), behaviours(assignment))


def basis(assignment: Assignment, limits: Limits) -> str:
    """Return the digest of all but the submission that decides what is entered for it."""
    shown = _contents([assignment.root / CONFIG, assignment.source])
    return digest(course(assignment), package(), limits, shown)


def work(assignment: Assignment, subject: list[Cell] | msgspec.Struct, limits: Limits) -> str:
    """Return the digest of some cells, or of what was handed in, and of all that runs them.

    Whose it is counts, too, since checks may ask each student something else.
    """
    whose = assignment.name, assignment.student
    return digest(*whose, engine(), limits, _support(assignment), subject)


def behaviours(assignment: Assignment) -> str:
    """Return the digest of what explanations are made with."""
    return digest(_contents((assignment.root / "bank" / assignment.name).glob("behaviours.json")))


def checks(assignment: Assignment) -> dict[str, str]:
    """Return the digest of each check, as `file.py::test_name`, in the order they are run.

    It covers the check itself, what it needs, and everything of its file and of the folder that is
    no check, such as the seed; comments in its file do not count.
    """
    files = [file for file in sorted(assignment.hidden.rglob("*")) if _counts(file)]
    found = _checks(tuple((file, file.read_bytes()) for file in files))
    if not found:
        raise CourseError(f"there are no checks in {assignment.hidden}")
    return dict(found)


@functools.lru_cache(8)
def _checks(files: tuple[tuple[Path, bytes], ...]) -> dict[str, str]:
    tests = [(file, content) for file, content in files if file.match("test_*.py")]
    shared = [(file.name, content) for file, content in files if not file.match("test_*.py")]
    found: dict[str, str] = {}
    for file, content in tests:
        body = _parsed(file, content)
        own = [ast.dump(node) for node in body if not isinstance(node, ast.FunctionDef)]
        own += [ast.dump(node) for node in body if _is_helper(node)]
        for node in body:
            if isinstance(node, ast.FunctionDef) and not _is_helper(node):
                needed = [found.get(f"{file.name}::{other}", other) for other in needs(node)]
                found[f"{file.name}::{node.name}"] = digest(shared, own, ast.dump(node), needed)
    return found


def needs(check: ast.FunctionDef) -> list[str]:
    """Return the checks that a check's decorators say it needs."""
    return [
        word.value.value
        for decorator in check.decorator_list
        if isinstance(decorator, ast.Call)
        for word in decorator.keywords
        if word.arg == "needs"
        and isinstance(word.value, ast.Constant)
        and isinstance(word.value.value, str)
    ]


def of_check(name: str) -> str:
    """Return the check that a result belongs to: its name without the parameters."""
    return name.partition("[")[0]


def _counts(file: Path) -> bool:
    return file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")


def _is_helper(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and not node.name.startswith("test")


def _parsed(file: Path, content: bytes) -> list[ast.stmt]:
    try:
        return ast.parse(content, file).body
    except SyntaxError as error:
        raise CourseError(
            f"the hidden checks in {file} cannot be run: SyntaxError: {error}"
        ) from error


def _support(assignment: Assignment) -> list[Any]:
    """Return the release, and the library the checks import."""
    files = release_files(assignment.release.parent)
    return [files, _contents([assignment.release, *(assignment.root / name for name in LIBRARY)])]


def _contents(files: Iterable[Path]) -> list[tuple[str, bytes]]:
    return [(file.name, hashlib.sha256(file.read_bytes()).digest()) for file in files]
