"""Digests of everything that a mark depends on, from the engine down to one check.

A mark is a pure function of the submission, the engine, the environment, the limits and each check
with the course's seed; with equal digests nothing need be judged again. Reads files, runs nothing.
"""

import ast
import functools
import hashlib
import platform
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from referee.course import (
    CONFIG,
    Assignment,
    Course,
    CourseError,
    files_in,
)
from referee.intake import testcells
from referee.model import Cell, Limits
from referee.sandbox.outside import importable

PACKAGE = Path(__file__).parents[1]
Hashes = tuple[tuple[str, bytes], ...]
ENGINE = ("model.py", "course.py", "intake", "sandbox", "judging")  # what decides a mark


def digest(*parts: Any) -> str:
    """Return a digest of plain values and structs, in hexadecimal."""
    return hashlib.sha256(msgspec.msgpack.encode(parts)).hexdigest()


@functools.cache
def engine() -> str:
    """Return the digest of the modules that decide a mark, of Python and of the platform."""
    files = files_in(PACKAGE)
    return digest(
        {name: _hash(body) for name, body in files.items() if name.split("/")[0] in ENGINE},
        platform.python_version(),
        [(name, metadata.version(name)) for name in ("ipython", "nbformat", "pytest")],
    )


@functools.cache
def package() -> str:
    """Return the digest of the whole package: how results are shown depends on it, too."""
    return digest(engine(), {name: _hash(body) for name, body in files_in(PACKAGE).items()})


class Keys(NamedTuple):
    """The digests under which results are stored: `course` covers the other three.

    That is everything that a mark depends on but submission and limits. The others are of what
    student code finds beside it, of each check, and of what explains.
    """

    course: str
    support: str
    checks: dict[str, str]
    explaining: str


def keys(assignment: Assignment) -> Keys:
    """Return the keys of a course as it is now."""
    explaining = digest(_contents(assignment.root, subject_files(assignment.course)))
    decisive, release = checks(assignment), files_in(assignment.release.parent)
    support = digest(
        {name: _hash(body) for name, body in (assignment.given | release).items()},
        _contents(assignment.root, map(Path, assignment.subject.library)),
        importable.versions(assignment.subject.packages),
        testcells.tests(assignment),
        sorted(assignment.course.kept(assignment.name)),
    )
    return Keys(digest(engine(), decisive, support, explaining), support, decisive, explaining)


def basis(assignment: Assignment, limits: Limits, course: str) -> str:
    """Return the digest of all that decides how marks are entered, with that of a course."""
    hashes = _contents(assignment.root, [assignment.root / CONFIG, assignment.source])
    return digest(course, package(), limits, hashes)


def work(assignment: Assignment, keys: Keys, content: list[Cell] | str, limits: Limits) -> str:
    """Return the digest of some cells, or of files by their own digest, and of all that runs them.

    It depends on the student, since checks may ask each student other questions.
    """
    data = assignment.reference and assignment.reference.data
    whose = assignment.key, assignment.student, assignment.draw, data, assignment.beside
    return digest(*whose, engine(), limits, keys.support, content)


def subject_files(course: Course) -> list[Path]:
    """Return the files of the course's subject: its package, and what that imports."""
    root, name = course.root, course.settings.subject
    files = [root / name / file for file in files_in(root / name)] if name else []
    return sorted({*files, *imported(root, files)})


def imported(root: Path, files: Iterable[Path]) -> list[Path]:
    """Return the files in a course's folder that some files import, directly or indirectly."""
    modules: set[Path] = set()
    todo = [file for file in files if file.suffix == ".py"]
    while todo:
        file = todo.pop()
        new = {*filter(Path.is_file, _imports(root, file, file.read_bytes()) - modules)}
        modules |= new
        todo += new
    return sorted(modules)


@functools.lru_cache(256)
def _imports(root: Path, file: Path, content: bytes) -> frozenset[Path]:
    """Return where modules that a file imports, and their packages, would lie in the course."""
    folders = [*file.relative_to(root).parent.parts]
    names: list[str] = []
    for node in ast.walk(ast.Module(_statements(file, content), [])):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = folders[: len(folders) + 1 - node.level] if node.level else []
            place = ".".join([*above, *filter(None, [node.module])])
            names += [place, *(f"{place}.{alias.name}" for alias in node.names)]
    parts = [name.split(".") for name in names if name]
    packages = {
        root.joinpath(*one[:n], "__init__.py") for one in parts for n in range(1, len(one) + 1)
    }
    return frozenset(packages | {root.joinpath(*one).with_suffix(".py") for one in parts})


def checks(assignment: Assignment) -> dict[str, str]:
    """Return by check, as `file.py::test_name`, its digest, in the order in which they are run.

    A digest covers the check, those that it needs, everything else in its file and folder that is
    no check, such as the seed, and their imports from the course; comments there do not count.
    """
    folder = assignment.hidden
    files = [folder / name for name in files_in(folder)]
    others = [file for file in files if not file.match("test_*.py")]
    shared = tuple((file.name, file.read_bytes()) for file in others)
    digests: dict[str, str] = {}
    for file in files:
        if file not in others:
            if other := next((one for one in files if one.name == file.name and one < file), None):
                raise CourseError(
                    f"{file}: there is another file of this name in {other.parent}; rename one"
                )
            library = _contents(assignment.root, imported(assignment.root, [file, *others]))
            digests |= _checks(file, file.read_bytes(), (*shared, *library))
    if not digests and not assignment.course.settings.asserts:
        raise CourseError(f"there are no checks in {folder}")
    return digests


@functools.lru_cache(64)
def _checks(file: Path, content: bytes, shared: Hashes) -> dict[str, str]:
    """Return the digests of the checks in a file; `shared` is what is common to all."""
    body = _statements(file, content)
    tests = [n for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith("test")]
    others = [ast.dump(node) for node in body if node not in tests]
    digests: dict[str, str] = {}
    for node in tests:
        name, first = f"{file.name}::{node.name}", list[str]()
        if name in digests:
            raise CourseError(
                f"{file}:{node.lineno}: {node.name} is there before, and Python forgets that one; "
                "call one of them something else"
            )
        for word in [word for call in node.decorator_list for word in ast.walk(call)]:
            match word:
                case ast.keyword(arg="needs", value=ast.Constant(str(other))):
                    before = of_check(f"{file.name}::{other}")
                    first.append(digests.get(before, before))
        digests[name] = digest(shared, others, ast.dump(node), first)
    return digests


def of_check(name: str) -> str:
    """Return the check that a result belongs to: its name without the parameters."""
    return name.partition("[")[0]


def _statements(file: Path, content: bytes) -> list[ast.stmt]:
    try:
        return testcells.parse(content, str(file)).body
    except SyntaxError as error:
        fault = f"{file}:{error.lineno or 1}: SyntaxError: {error.msg}"
        raise CourseError("the hidden checks cannot be run:", [fault]) from error


def _contents(root: Path, files: Iterable[Path]) -> Hashes:
    """Return the names of some files, and the hashes of their contents."""
    return tuple(
        (file.relative_to(root).as_posix(), _hash(file.read_bytes())) for file in sorted(files)
    )


def _hash(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
