"""Ask whether kept results are whole, found again for the same work, and for no other."""

import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee import store, wire
from referee.course import Assignment
from referee.judge import Judged
from referee.plugin import CheckResult
from referee.submission import Cell, CellRun, Limits

LAW = settings(  # no clock in a law; each example writes its own name
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
NAME = "0" * 64


def result(verdict: str = "pass", message: str = "") -> CheckResult:
    points = 2.0 if verdict == "pass" else 0.0
    return CheckResult("test_f.py::test_f", "f", "It is right", verdict, points, 2.0, message)


def judged(*verdicts: str, size: int = 1) -> Judged:
    output = wire.Output("display_data", "a picture", {"image/png": "A" * size})
    runs = [CellRun([output, wire.Output("error", "no", {}, ["a", "b"])], "no"), CellRun()]
    return Judged([result(verdict, "Größe ≠ 3\n") for verdict in verdicts], runs)


def files(root: Path) -> list[str]:
    return sorted(str(file.relative_to(root)) for file in root.rglob("*") if file.is_file())


@pytest.fixture
def assignment(tmp_path: Path) -> Assignment:
    """An assignment of the smallest course."""
    root = tmp_path / "course"
    for name in ("games.py", "check.py", "release/a/a.ipynb", "tests/hidden/a/test_a.py"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return Assignment("a", root)


# --- keeping ---------------------------------------------------------------------------------


@pytest.mark.parametrize("verdicts", [(), ("pass",), ("pass", "wrong", "timeout", "not-run")])
def test_what_is_kept_is_found_as_it_was(tmp_path, verdicts):
    """Is a result the same after it was kept, outputs and all?"""
    store.save(tmp_path, NAME, judged(*verdicts))
    assert store.load(tmp_path, NAME) == judged(*verdicts)


def test_what_was_never_kept_is_not_found(tmp_path):
    """Is there nothing under a new name, in a course that keeps nothing yet?"""
    assert store.load(tmp_path, NAME) is None
    store.save(tmp_path, NAME, judged("pass"))
    assert store.load(tmp_path, "1" * 64) is None


def test_an_error_of_ours_is_not_kept(tmp_path):
    """Is a check that failed on our side run again next time?"""
    store.save(tmp_path, NAME, judged("pass", "referee-error"))
    assert store.load(tmp_path, NAME) is None
    assert files(tmp_path) == []


def test_only_the_result_is_left_behind(tmp_path):
    """Is there one file, below the folder that may be deleted, and no temporary one?"""
    for _ in range(3):
        store.save(tmp_path, NAME, judged("pass"))
    (file,) = files(tmp_path)
    assert Path(file).parts[0] == ".referee"
    assert NAME in file


@LAW
@given(damage=st.data())
def test_a_damaged_file_counts_as_none(tmp_path, damage):
    """Is a file that was cut off or overwritten ignored, and then replaced by a whole one?"""
    store.save(tmp_path, NAME, judged("pass", "wrong"))
    (file,) = files(tmp_path)
    whole = (tmp_path / file).read_bytes()
    cut = whole[: damage.draw(st.integers(0, len(whole) - 1), label="kept bytes")]
    (tmp_path / file).write_bytes(damage.draw(st.just(cut) | st.binary(), label="content"))
    assert store.load(tmp_path, NAME) is None
    store.save(tmp_path, NAME, judged("pass"))
    assert store.load(tmp_path, NAME) == judged("pass")


def test_a_reader_never_sees_half_a_result(tmp_path):
    """While four threads write two large results, is what a reader finds always one of them?"""
    ours = [judged("pass", size=300_000), judged("wrong", size=400_000)]
    store.save(tmp_path, NAME, ours[0])

    def write() -> None:
        for number in range(20):
            store.save(tmp_path, NAME, ours[number % 2])

    writers = [threading.Thread(target=write) for _ in range(4)]
    for writer in writers:
        writer.start()
    found = [store.load(tmp_path, NAME) for _ in range(100)]
    for writer in writers:
        writer.join()
    assert all(result in ours for result in found)
    assert len(files(tmp_path)) == 1


# --- names -----------------------------------------------------------------------------------


def test_the_same_work_has_the_same_name(assignment):
    """Is the name made from what the cells and the limits say, and not from who they are?"""
    cells = [Cell("x = 1", "cell f"), Cell("", "cell 2")]
    again = [Cell(str(cell.source), str(cell.label)) for cell in cells]
    assert store.key(assignment, cells, Limits()) == store.key(assignment, again, Limits())


@pytest.mark.parametrize(
    ("cells", "limits"),
    [
        ([Cell("x = 2", "cell f"), Cell("y", "cell 2")], Limits()),
        ([Cell("x = 1", "cell g"), Cell("y", "cell 2")], Limits()),
        ([Cell("y", "cell 2"), Cell("x = 1", "cell f")], Limits()),
        ([Cell("x = 1", "cell f")], Limits()),
        ([], Limits()),
        ([Cell("x = 1", "cell f"), Cell("y", "cell 2")], Limits(check_game_calls=7)),
        ([Cell("x = 1", "cell f"), Cell("y", "cell 2")], Limits(check_cpu_seconds=7.0)),
    ],
    ids=["source", "label", "order", "one less", "none", "game calls", "seconds"],
)
def test_other_work_has_another_name(assignment, cells, limits):
    """Does everything that a result depends on change the name?"""
    known = store.key(assignment, [Cell("x = 1", "cell f"), Cell("y", "cell 2")], Limits())
    assert store.key(assignment, cells, limits) != known


def test_another_course_has_another_name(assignment):
    """Does a changed hidden check give the same cells a new name?"""
    before = store.key(assignment, [], Limits())
    (assignment.hidden / "test_a.py").write_text("changed")
    assert store.key(assignment, [], Limits()) != before
