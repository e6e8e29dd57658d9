"""Fixtures that the engine's tests share: real processes, real submissions, a graded class."""

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from suite import *  # noqa: F403 - hooks and fixtures

from referee.course import Course
from referee.model import Cell, Limits
from referee.sandbox.outside.server import Server
from referee.sandbox.outside.student import Student
from referee.sandbox.outside.submission import Submission

collect_ignore = ["courses"]  # which tests copy, and the referee judges
NIM = Path(__file__).parent / "courses" / "nim"
MEMORY_BYTES = 768 * 1024**2
SMALL = Limits(
    cell_cpu_seconds=1,
    cell_wall_seconds=60,
    check_cpu_seconds=1,
    check_wall_seconds=60,
    check_calls=2000,
    memory_bytes=MEMORY_BYTES,
)


@pytest.fixture
def imports() -> Iterator[None]:
    """Forget afterwards what was imported, and from where."""
    path, modules = sys.path[:], dict(sys.modules)
    yield
    sys.path[:] = path
    sys.modules.clear()
    sys.modules.update(modules)


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Give the one warm process that all submissions of the tests are forked from."""
    course = msgspec.structs.replace(Course(NIM).subject, packages=("matplotlib",))
    with Server(Limits(memory_bytes=MEMORY_BYTES), course) as server:
        yield server


@pytest.fixture(scope="session")
def support() -> Mapping[str, bytes]:
    """Give what stands next to a student's notebook."""
    return {
        "piles.py": (NIM / "piles.py").read_bytes(),
        "notes.txt": b"a file of the release\n",
        "tools/deep.py": b"word = 'a file of a folder'\n",
    }


@pytest.fixture(scope="session")
def submit(server: Server, support: Mapping[str, bytes]) -> Callable[..., Submission]:
    """Give `submit(*sources, **limits)`: cells at work; "cell 1" is the label of the first."""

    def start(*sources: str, **limits: Any) -> Submission:
        cells = [Cell(source, f"cell {n}") for n, source in enumerate(sources, start=1)]
        return Submission(server, cells, support, msgspec.structs.replace(SMALL, **limits))

    return start


@pytest.fixture(scope="session")
def asked(submit: Callable[..., Submission]) -> Callable[..., AbstractContextManager[Student]]:
    """Give `asked(*sources, **limits)`: what a check gets to ask about these cells."""

    @contextlib.contextmanager
    def ask(*sources: str, **limits: Any) -> Iterator[Student]:
        with submit(*sources, **limits) as submission, submission.student() as student:
            yield student

    return ask
