"""What is said while a class is graded: how long it takes still, and who is waited for."""

import io
from pathlib import Path

import pytest
import small_course as small
from rich.console import Console

from referee import course, grading, workers
from referee.commands import progress
from referee.judging import suspension

LOOP = "def double(n):\n    return 2 * n\nwhile True:\n    pass"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What is printed where there is no terminal, each line at once."""
    monkeypatch.setattr(progress, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(progress, "WAITING_SECONDS", 0.0)
    return io.StringIO()


def until_seen(_: None, file: Path) -> str:
    """Be at work until somebody has seen it."""
    while not file.exists():
        pass
    return file.name


def test_who_waits_gets_to_know_for_whom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Are those named that are in work, and for how long?"""
    monkeypatch.setattr(workers, "LOOK_SECONDS", 0.01)
    found: list[tuple[str, float]] = []

    def watch(waiting: list[tuple[str, float]]) -> None:
        found.extend(waiting)
        for name, _ in waiting:
            (tmp_path / name).touch()

    jobs = [(name, tmp_path / name) for name in ("ada", "ben")]
    with workers.opened(2) as opened:
        assert dict(opened.run(until_seen, None, jobs, watch)) == {"ada": "ada", "ben": "ben"}
    assert {name for name, _ in found} == {"ada", "ben"}
    assert all(0 <= seconds < 60 for _, seconds in found)


def test_a_class_names_who_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: io.StringIO
) -> None:
    """Is the student named whose cell loops while grading waits for it?"""
    monkeypatch.setattr(workers, "LOOK_SECONDS", 0.05)
    root = small.make(tmp_path)
    small.hand_in(root, "ada", double=LOOP)
    with (root / course.CONFIG).open("a") as file:
        file.write("\nc.Limits.cell_cpu_seconds = 0.5\n")
    limits = course.Course(root).limits(unsafe=True)
    task = suspension.prepared(course.Course(root).find(small.NAME), limits)
    with progress.shown(Console(file=said), "Grading", 1, 1) as shown:
        for one in grading.grade(task, ["ada"], limits, grading.Options(1), shown.watch):
            shown.done(one.problem is None, one.judged)
    lines = said.getvalue().splitlines()
    assert any("0 of 1" in line and "waiting for ada: " in line for line in lines)
    assert lines[-1].startswith("Grading: 1 of 1 in ")


def test_who_took_longest_is_judged_first(tmp_path: Path) -> None:
    """Does no worker wait at the end for one that is known to take long, or may?"""
    root = small.make(tmp_path)
    for student in ("ada", "bob", "cleo"):
        small.hand_in(root, student)
    small.hand_in(root, "bob", double=f"sum(range(10**7))\n{small.SOLVED['double']}")
    limits = course.Course(root).limits(unsafe=True)
    task = suspension.prepared(course.Course(root).find(small.NAME), limits)

    def order(*names: str) -> list[str]:
        options = grading.Options(1, force=True)
        return [one.student for one in grading.grade(task, [*names], limits, options)]

    assert order("ada", "bob") == ["ada", "bob"]
    assert order("ada", "bob", "cleo") == ["cleo", "bob", "ada"]


def test_a_time_is_told_only_while_others_wait_for_a_worker(said: io.StringIO) -> None:
    """Is no time left made up for those who are at work already?"""
    with progress.shown(Console(file=said), "Grading", 5, 2) as shown:
        for _ in range(3):
            shown.done(True, True)
        shown.watch([("dan", 95.4), ("eve", 7.0)])
        shown.watch([(name, 9.0) for name in ("a", "b", "c", "d")])
        shown.done(False, True)
        shown.done(True, True)
    one, two, three, four, five, last, end = said.getvalue().splitlines()
    assert "1 of 5 in 0 s, about 0 s left" in one
    assert "about" in two
    assert three == "Grading: 3 of 5 in 0 s, 2 left"
    whom = "waiting for dan: 95 s, eve: 7 s"
    assert four == f"Grading: 3 of 5 in 0 s, {whom}"
    assert five.endswith("waiting for a: 9 s, b: 9 s, c: 9 s and 1 more")
    assert last == "Grading: 4 of 5 in 0 s, 1 left, 1 need you"
    assert end == "Grading: 5 of 5 in 0 s, 1 need you"
