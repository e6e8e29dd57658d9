"""Fixtures that the engine's tests share: real processes, real submissions, small limits."""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.model import Cell, Limits
from referee.sandbox.student import Student, Submission
from referee.sandbox.zygote import Zygote

MEMORY_BYTES = 768 * 1024**2
SMALL = Limits(
    cell_cpu_seconds=1,
    cell_wall_seconds=60,
    check_cpu_seconds=1,
    check_wall_seconds=60,
    check_calls=2000,
    memory_bytes=MEMORY_BYTES,
)


@pytest.fixture(scope="session")
def zygote() -> Iterator[Zygote]:
    """Give the one warm process that all submissions of the tests are forked from."""
    with Zygote(Limits(memory_bytes=MEMORY_BYTES)) as zygote:
        yield zygote


@pytest.fixture(scope="session")
def support(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with what stands next to a student's notebook."""
    folder = tmp_path_factory.mktemp("support")
    shutil.copy(Path(__file__).parents[2] / "games.py", folder)
    (folder / "notes.txt").write_text("a file of the release\n")
    (folder / "tools").mkdir()
    (folder / "tools" / "__init__.py").write_text("from tools.deep import word\n")
    (folder / "tools" / "deep.py").write_text("word = 'a file of a folder'\n")
    (folder / "tic-tac-toe.ipynb").write_text("{}")
    return folder


@pytest.fixture(scope="session")
def submit(zygote: Zygote, support: Path) -> Callable[..., Submission]:
    """Give `submit(*sources, **limits)`: cells at work; "cell 1" is the label of the first."""

    def start(*sources: str, **limits: Any) -> Submission:
        cells = [Cell(source, f"cell {n}") for n, source in enumerate(sources, start=1)]
        return Submission(zygote, cells, support, msgspec.structs.replace(SMALL, **limits))

    return start


@pytest.fixture(scope="session")
def asked(submit: Callable[..., Submission]) -> Callable[..., AbstractContextManager[Student]]:
    """Give `asked(*sources, **limits)`: what a check gets to ask about these cells."""

    @contextlib.contextmanager
    def ask(*sources: str, **limits: Any) -> Iterator[Student]:
        with submit(*sources, **limits) as submission, submission.student() as student:
            yield student

    return ask
