"""Ask whether the instructor's notebook is judged alike by one process and by several."""

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import small_course as small

from referee import course, workers
from referee.course import Assignment, CourseError
from referee.judging import cache, digests, pipeline, suspension
from referee.model import Judged, Limits
from referee.proof import reference

LIMITS = Limits(unsafe=True)
CHECK = """
@pytest.mark.check(cell="double", points=1, hint="Twice."{})
def test_more_{}(student):
    {}
    assert student.double({}) == {}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course with enough checks for two, some of which need another, and one that is wrong."""
    root = small.make(tmp_path)
    monkeypatch.setenv("GRADER", str(os.getpid()))
    write(root)
    return root


def write(root: Path, line: str = "pass", number: int = 2 * reference.FEWEST) -> None:
    """Write so many checks; the third begins with a line, and the fifth expects what is wrong."""
    checks = [
        CHECK.format(', needs="test_more_0"' if n % 3 else "", n, line if n == 2 else "pass", n,
                     2 * n + (n == 4))
        for n in range(number)
    ]  # fmt: skip
    file = root / "tests/hidden" / small.NAME / "test_more.py"
    file.write_text("\n".join(["import os, pytest", *checks]))


def task(root: Path) -> Assignment:
    return course.Course(root).find(small.NAME)


def stored(root: Path) -> Judged:
    """Return what is known of the instructor's notebook without asking it."""
    asked, cells = suspension.unprepared(task(root))
    return cache.get(asked, digests.work(asked, cells, LIMITS))


def told(judged: Judged) -> str:
    """Return all that is known, but for what it took."""
    parts = [judged.checks, judged.runs, judged.explained, judged.seen]
    return msgspec.json.encode(parts).decode()


def forget(root: Path) -> None:
    (root / cache.FILE).unlink()


def test_two_find_what_one_finds(root: Path) -> None:
    """Are all checks asked, and verdicts, answers and what is suspended the same, in order?"""
    alone = suspension.prepared(task(root), LIMITS)
    expected = stored(root)
    forget(root)
    reference.ask(task(root), LIMITS, 2)
    asked = suspension.unprepared(task(root))[0]
    found = stored(root)
    assert not pipeline.unasked(asked, digests.checks(asked).keys(), found, None)
    assert list(found.checks) == list(expected.checks)
    together = suspension.prepared(task(root), LIMITS)
    assert together.reference == alone.reference
    assert list(together.answers.suspended) == ["test_more.py::test_more_4"]
    assert told(stored(root)) == told(expected)


def test_what_ends_a_process_is_asked_here(root: Path) -> None:
    """Is nothing lost when a process dies, and the notebook asked as if there were one?"""
    write(root, 'os.getpid() == int(os.environ["GRADER"]) or os._exit(9)')
    expected = suspension.prepared(task(root), LIMITS)
    forget(root)
    reference.ask(task(root), LIMITS, 2)
    assert 0 < len(stored(root).checks) < len(digests.checks(task(root)))
    assert suspension.prepared(task(root), LIMITS).reference == expected.reference


def test_a_wrong_line_is_told_as_by_one(root: Path) -> None:
    """Is a check that cannot be run the instructor's error, once, with its place?"""
    write(root, "pass")
    (root / "tests/hidden" / small.NAME / "test_last.py").write_text("import nowhere_at_all\n")
    reference.ask(task(root), LIMITS, 2)
    with pytest.raises(CourseError, match="nowhere_at_all"):
        suspension.prepared(task(root), LIMITS)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no process be started."""

    def opened(number: int) -> None:
        raise AssertionError(number)

    monkeypatch.setattr(workers, "opened", opened)
    yield


@pytest.mark.usefixtures("alone")
def test_few_checks_are_not_dealt_out(root: Path) -> None:
    """Does nobody run the cells twice for what takes no longer than that?"""
    with pytest.raises(AssertionError):
        reference.ask(task(root), LIMITS, 2)
    reference.ask(task(root), LIMITS, 1)
    suspension.prepared(task(root), LIMITS)
    reference.ask(task(root), LIMITS, 2)  # nothing is left
    write(root, number=reference.FEWEST)
    reference.ask(task(root), LIMITS, 2)
