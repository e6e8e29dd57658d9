"""Ask whether what is kept is found again for the same work, for no other, and whole or not at all.

It lies in a real SQLite file.
"""

import contextlib
import multiprocessing
import os
import sqlite3
from pathlib import Path

import msgspec
import pytest
from class_records import record

from referee.course import CourseError
from referee.judging import cache, digests
from referee.judging.digests import Keys
from referee.marks import entries
from referee.model import (
    CellRun,
    CheckResult,
    Cost,
    Explanation,
    Judged,
    Misconception,
    Output,
    Record,
    Verdict,
)

ONE, TWO, THREE, FOUR = (f"test_a.py::test_{name}" for name in ("one", "two", "three", "four"))
CELLS = {ONE: "f", TWO: "f", THREE: "g", FOUR: "g"}
KEYS = Keys("course", "support", {name: name for name in CELLS}, "explaining")
MISTAKE = Misconception("cuts", "one that never cuts", "the bounds", "Cut.", "2 by 2")


def result(name: str, verdict: str = "pass") -> CheckResult:
    points = 1.0 if verdict == "pass" else 0.0
    cell = CELLS[digests.of_check(name)]
    return CheckResult(name, cell, "It is right", Verdict(verdict), points, 1.0, "Größe ≠ 3\n")


def judged(one: str = "pass", two: str = "pass", three: str = "pass", four: str = "pass") -> Judged:
    """Return a result with these verdicts, whole and with something in each field."""
    verdicts = dict(zip(CELLS, (one, two, three, four), strict=True))
    output = Output("display_data", "a picture", {"image/png": "A" * 100})
    made = Judged(
        checks={name: [result(name, verdict)] for name, verdict in verdicts.items()},
        runs=[CellRun([output, Output("error", "no", {}, ["a", "b"])], "no"), CellRun()],
        isolation=["its own user", "no network"],
        costs={"": Cost(1.5)} | {name: Cost(0.25, number) for number, name in enumerate(CELLS)},
    )
    made.explained = {
        cell: Explanation(cell, MISTAKE if cell == "f" else None) for cell in made.unexplained
    }
    return made


def kept(root: Path, given: Judged, work: str = "w") -> Judged:
    """Return what is found of a result after it was kept."""
    cache.put(root, work, given, KEYS)
    return cache.get(root, work, KEYS)


def of(student: str) -> Record:
    """Return what was entered for a student."""
    explained = [Explanation("f", MISTAKE)]
    return record(student, {"f": ["wrong", "pass"], "Größe": []}, explanations=explained)


# --- parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verdicts", [(), ("wrong", "pass", "timeout"), ("wrong", "wrong", "wrong", "not-run")]
)
def test_what_is_kept_is_found_as_it_was(tmp_path, verdicts):
    """Is a result the same after it was kept, outputs, explanations, costs and all?"""
    assert kept(tmp_path, judged(*verdicts)) == judged(*verdicts)


def test_the_results_of_a_check_with_parameters_are_kept_together(tmp_path):
    """Are there as many as there were, in their order, and is one without any known, too?

    Is none kept when one set of its parameters has failed on our side?
    """
    given = judged()
    given.checks[ONE] = [result(f"{ONE}[a[{n}]]", "pass") for n in (2, 1, 3)]
    given.checks[TWO] = []
    assert kept(tmp_path, given).checks == given.checks
    given.checks[ONE][1].verdict = Verdict.REFEREE_ERROR
    assert set(kept(tmp_path, given, "v").checks) == {TWO, THREE, FOUR}


def test_what_has_another_digest_is_not_found_and_all_else_is(tmp_path):
    """Does a changed check cost what it says alone, and a changed subject the explanations?

    The explanation of a cell is known as long as a check that is known says that it is wrong.
    """
    before = kept(tmp_path, judged("wrong"))
    for changed, explained in (ONE, []), (TWO, ["f"]):
        keys = KEYS._replace(checks=KEYS.checks | {changed: "another"})
        found = cache.get(tmp_path, "w", keys)
        assert found.checks == {n: one for n, one in before.checks.items() if n != changed}
        assert (found.runs, found.isolation) == (before.runs, before.isolation)
        assert set(found.costs) == set(before.costs) - {changed}
        assert list(found.explained) == explained
    found = cache.get(tmp_path, "w", KEYS._replace(explaining="another"))
    assert (found.checks, found.explained, found.unexplained) == (before.checks, {}, ["f"])
    assert cache.get(tmp_path, "w", KEYS) == before


@pytest.mark.parametrize(
    ("verdicts", "there"),
    [
        (("referee-error",), {TWO, THREE, FOUR}),
        (("unclear",), {TWO, THREE, FOUR}),
        (("killed",), {TWO, THREE, FOUR}),
        (("pass", "pass", "referee-error", "not-run"), {ONE, TWO}),
        (("pass", "pass", "wrong", "not-run"), {ONE, TWO, THREE, FOUR}),
    ],
)
def test_an_error_of_ours_is_not_kept(tmp_path, verdicts, there):
    """Is a check that failed on our side asked again, with those that need it, and no other?"""
    found = kept(tmp_path, judged(*verdicts))
    assert set(found.checks) == set(found.costs) - {""} == there


def test_an_explanation_that_failed_is_not_kept(tmp_path):
    """Is a cell explained next time when something of ours stood in the way?"""
    given = judged("wrong", "pass", "wrong")
    given.explained["f"] = Explanation("f", trouble="f: ValueError: no")
    found = kept(tmp_path, given)
    assert (found.unexplained, list(found.explained)) == (["f"], ["g"])


def test_an_accident_is_not_kept(tmp_path: Path) -> None:
    """Is nothing kept of a run in which a cell was killed?"""
    one = judged("wrong")
    one.runs = [CellRun(error="gone", stopped=Verdict.KILLED), CellRun()]
    assert kept(tmp_path, one) == Judged()


# --- damage ----------------------------------------------------------------------------------


def change(root: Path, text: str, *values: object) -> None:
    """Change the file as another program could."""
    book = sqlite3.connect(root / cache.FILE)
    with book:
        book.execute(text, values)
    book.close()


@pytest.mark.parametrize("value", [b"\xc1", 3])
def test_a_part_that_cannot_be_read_counts_as_not_kept(tmp_path, value):
    """Is one damaged value no reason to lose another, and is it replaced by the next one?"""
    kept(tmp_path, judged("wrong"))
    for key in digests.digest("w", TWO, KEYS.checks[TWO]), "w":
        change(tmp_path, "update part set value = ? where key = ?", value, key)
        found = cache.get(tmp_path, "w", KEYS)
        assert set(found.checks) == {ONE, THREE, FOUR}
        assert found.explained == judged("wrong").explained
    assert kept(tmp_path, judged("wrong")) == judged("wrong")


@pytest.mark.parametrize("value", [msgspec.msgpack.encode({"student": "ada"}), "text"])
def test_a_record_that_cannot_be_read_counts_as_none(tmp_path, value):
    """Is a record of an older version, say, no reason to lose the others, and one that is
    forgotten none to lose that of another assignment?
    """
    for assignment in ("a", "b"):
        for student in ("ada", "bob"):
            entries.put(tmp_path, assignment, of(student))
    text = "update or ignore record set value = ? where student = 'ada' and assignment = 'a'"
    change(tmp_path, text, value)
    assert entries.get(tmp_path, "a") == {"bob": of("bob")}
    entries.drop(tmp_path, "a", "bob")
    assert entries.get(tmp_path, "a") == {}
    assert set(entries.get(tmp_path, "b")) == {"ada", "bob"}


@pytest.mark.parametrize("kind", ["cut off", "overwritten", "another"])
@pytest.mark.parametrize("where", [0, 30, 100, 5000])
def test_a_broken_file_is_told_or_costs_nothing_but_the_work(tmp_path, kind, where):
    """Is a file that was cut off or overwritten named, if it cannot be used, and left there?"""
    file, noise = tmp_path / cache.FILE, b"\xff no store " * 40
    kept(tmp_path, judged("wrong"))
    entries.put(tmp_path, "a", of("ada"))
    whole = file.read_bytes()
    over = whole[:where] + noise + whole[where + len(noise) :]
    content = {"cut off": whole[:where], "overwritten": over, "another": noise}[kind]
    file.write_bytes(content)
    try:
        cache.get(tmp_path, "w", KEYS)
        entries.get(tmp_path, "a")
        assert kept(tmp_path, judged("wrong"), "v") == judged("wrong")
        entries.put(tmp_path, "a", of("bob"))
        assert entries.get(tmp_path, "a")["bob"] == of("bob")
    except CourseError as error:
        assert str(error).startswith(f"{file} cannot be used") and "last copy back" in str(error)
        assert file.read_bytes() == content or kind != "another"


# --- several at once -------------------------------------------------------------------------


def test_a_reader_never_sees_half_a_result(tmp_path, monkeypatch):
    """Is all read as it was at first, and does another have to wait who keeps something?"""
    kept(tmp_path, judged("wrong"))
    read = cache._part

    def meanwhile(*arguments):
        found = read(*arguments)
        with contextlib.suppress(CourseError):
            cache.put(tmp_path, "w", judged("error", "error", "error", "error"), KEYS)
        return found

    monkeypatch.setattr(cache, "BUSY_SECONDS", 0.0)
    monkeypatch.setattr(cache, "_part", meanwhile)
    assert cache.get(tmp_path, "w", KEYS) == judged("wrong")


def fill(root: Path, mine: str) -> None:
    """Keep results and records, as a process of its own."""
    for number in range(15):
        kept(root, judged("wrong"), f"{mine} {number}")
        entries.put(root, "a", of(f"{mine} {number}"))


def test_two_processes_lose_nothing(tmp_path):
    """While two graders keep their results from the first moment on, is all of it there?"""
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=fill, args=(tmp_path, name)) for name in ("p", "q")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    names = [f"{name} {number}" for name in ("p", "q") for number in range(15)]
    assert set(entries.get(tmp_path, "a")) == set(names)
    for name in names:
        assert cache.get(tmp_path, name, KEYS) == judged("wrong")


@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_what_is_kept_is_for_the_grader_s_eyes_only(tmp_path, umask):
    """Is the file that holds everybody's work and the checks closed to others, an old one too?"""
    before = os.umask(umask)
    try:
        for _ in range(2):
            entries.put(tmp_path, "a", of("ada"))
            folder = tmp_path / ".referee"
            assert folder.stat().st_mode & 0o777 == 0o700
            assert [file.stat().st_mode & 0o777 for file in folder.iterdir()] == [0o600]
            folder.chmod(0o755)
            (tmp_path / cache.FILE).chmod(0o644)
    finally:
        os.umask(before)
