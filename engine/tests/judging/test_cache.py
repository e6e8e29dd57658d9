"""Ask whether what is kept is found again for the same work, for no other, and whole or not at all.

The course is the smallest one; what is kept of it lies in a real SQLite file.
"""

import contextlib
import multiprocessing
import os
import sqlite3
from pathlib import Path

import msgspec
import pytest
import reports
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.course import Assignment, Course, CourseError
from referee.judging import cache, digests
from referee.marks import entries
from referee.model import (
    Cell,
    CellMark,
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

LAW = settings(  # no clock in a law; each example writes anew
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
CHECKS = """\
import pytest
import reports


def check(cell, **more):
    return pytest.mark.check(cell=cell, points=1, hint="Count.", **more)


@check("f")
def test_one(student): assert student.one


@check("f")
def test_two(student): assert student.two


@check("g")
def test_three(student): assert student.three


@check("g", needs="test_three")
def test_four(student): assert student.four
"""
ONE, TWO, THREE, FOUR = (f"test_a.py::test_{name}" for name in ("one", "two", "three", "four"))
CELLS = {ONE: "f", TWO: "f", THREE: "g", FOUR: "g"}
MISTAKE = Misconception("cuts", "one that never cuts", "the bounds", "Cut.", "2 by 2")


@pytest.fixture
def assignment(tmp_path: Path) -> Assignment:
    """An assignment of the smallest course, with four checks of two cells."""
    root = tmp_path / "course"
    files = {
        "nbgrader_config.py": "c = get_config()\nc.Course.subject = 'lesson'\n",
        "lesson/subject.py": "from referee.model import Subject\n\nSUBJECT = Subject()\n",
        "release/a/a.ipynb": "{}",
        "tests/hidden/a/test_a.py": CHECKS,
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return Assignment("a", Course(root))


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


def keep(assignment: Assignment, work: str, given: Judged) -> None:
    """Keep a result of the course as it is."""
    cache.put(assignment, work, given, digests.course(assignment))


def kept(assignment: Assignment, given: Judged, work: str = "w") -> Judged:
    """Return what is found of a result after it was kept."""
    keep(assignment, work, given)
    return cache.get(assignment, work)


def edit(assignment: Assignment, old: str, new: str) -> None:
    file = assignment.hidden / "test_a.py"
    file.write_text(file.read_text().replace(old, new))


def record(student: str = "ada", score: float = 3.0) -> Record:
    mark = CellMark("test_f", "f", score, 4.0, needs_manual_grade=False)
    given = judged("wrong")
    return Record(
        student=student,
        submission="s",
        course="c",
        basis="b",
        work="w",
        when="2026-01-01 10:00:00 UTC",
        cells=[Cell("x = 'Größe'", "cell f")],
        report=reports.report(
            score=score,
            cells=[mark],
            checks=given.results,
            repairs=["cell f was missing"],
            explanations=[Explanation("f", MISTAKE, None)],
            isolation=given.isolation,
            costs=given.costs,
        ),
        timestamp="2026-01-01 09:00",
        seconds_late=7.5,
    )


# --- parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verdicts", [(), ("wrong", "pass", "timeout"), ("wrong", "wrong", "wrong", "not-run")]
)
def test_what_is_kept_is_found_as_it_was(assignment, verdicts):
    """Is a result the same after it was kept, outputs, explanations, costs and all?"""
    assert kept(assignment, judged(*verdicts)) == judged(*verdicts)


def test_the_results_of_a_check_with_parameters_are_kept_together(assignment):
    """Are there as many as there were, in their order, and is one without any known, too?"""
    given = judged()
    given.checks[ONE] = [result(f"{ONE}[a[{n}]]", "pass") for n in (2, 1, 3)]
    given.checks[TWO] = []
    found = kept(assignment, given)
    assert found.checks == given.checks


@pytest.mark.parametrize(
    ("old", "gone", "explained"),
    [
        ("student.one", {ONE}, []),
        ("student.two", {TWO}, ["f"]),
        ("student.three", {THREE, FOUR}, ["f"]),
        ("student.four", {FOUR}, ["f"]),
        ("# nothing", set(), ["f"]),
        ("def check", {ONE, TWO, THREE, FOUR}, []),
    ],
)
def test_after_a_change_of_one_check_all_others_are_known(assignment, old, gone, explained):
    """Does a changed check cost what it and those that need it say, and nothing else?

    The explanation of a cell is known as long as a check that is known says that it is wrong.
    """
    before = kept(assignment, judged("wrong"))
    edit(assignment, old, f"{old}_")
    found = cache.get(assignment, "w")
    assert found.checks == {name: r for name, r in before.checks.items() if name not in gone}
    assert (found.runs, found.isolation) == (before.runs, before.isolation)
    assert set(found.costs) == set(before.costs) - gone
    assert list(found.explained) == explained
    edit(assignment, f"{old}_", old)
    assert cache.get(assignment, "w") == before


def test_another_subject_needs_new_explanations_only(assignment):
    """Is a cell explained anew, and no check asked, when more misconceptions are known?"""
    before = kept(assignment, judged("wrong"))
    (assignment.root / "lesson/a.json").write_text("{}")
    found = cache.get(assignment, "w")
    assert (found.checks, found.runs) == (before.checks, before.runs)
    assert (found.explained, found.unexplained) == ({}, ["f"])


# --- what is not kept ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verdicts", "there"),
    [
        (("referee-error",), {TWO, THREE, FOUR}),
        (("unclear",), {TWO, THREE, FOUR}),
        (("pass", "pass", "referee-error", "not-run"), {ONE, TWO}),
        (("pass", "pass", "wrong", "not-run"), {ONE, TWO, THREE, FOUR}),
    ],
)
def test_an_error_of_ours_is_not_kept(assignment, verdicts, there):
    """Is a check that failed on our side asked again, with those that need it, and no other?"""
    found = kept(assignment, judged(*verdicts))
    assert set(found.checks) == set(found.costs) - {""} == there


def test_one_bad_result_of_several_is_enough(assignment):
    """Is no result of a check kept when one set of its parameters has failed on our side?"""
    given = judged()
    given.checks[ONE] = [result(f"{ONE}[1]"), result(f"{ONE}[2]", "referee-error")]
    assert set(kept(assignment, given).checks) == {TWO, THREE, FOUR}


def test_an_explanation_that_failed_is_not_kept(assignment):
    """Is a cell explained next time when something of ours stood in the way?"""
    given = judged("wrong", "pass", "wrong")
    given.explained["f"] = Explanation("f", trouble="f: ValueError: no")
    found = kept(assignment, given)
    assert found.unexplained == ["f"]
    assert list(found.explained) == ["g"]


# --- notes -----------------------------------------------------------------------------------


def test_a_note_is_found_by_its_key(assignment):
    """Is the work that a file has turned out to be known, the last one, and for that file only?"""
    keep(assignment, "w", judged("wrong"))
    assert cache.get(assignment, "k") == Judged()
    cache.put(assignment, "w", judged("wrong"), digests.course(assignment), noted="k")
    assert cache.get(assignment, "k") == judged("wrong")
    assert cache.get(assignment, "l") == Judged()


def test_what_is_not_kept_is_noted(assignment):
    """Is the note made, too, when the course has changed meanwhile, and nothing else?"""
    cache.put(assignment, "w", judged("wrong"), "another course", noted="k")
    assert cache.get(assignment, "w") == Judged()
    keep(assignment, "w", judged("wrong"))
    assert cache.get(assignment, "k") == judged("wrong")


# --- records ---------------------------------------------------------------------------------


def test_a_record_belongs_to_one_assignment_until_it_is_forgotten(tmp_path):
    """Are the records of other assignments and students left alone?"""
    for assignment in ("a", "b"):
        for student in ("ada", "bob"):
            entries.put(tmp_path, assignment, record(student))
    entries.drop(tmp_path, "a", "ada")
    assert set(entries.get(tmp_path, "a")) == {"bob"}
    assert set(entries.get(tmp_path, "b")) == {"ada", "bob"}
    assert entries.get(tmp_path, "c") == {}


# --- damage ----------------------------------------------------------------------------------


def change(root: Path, text: str, *values: object) -> None:
    """Change the file as another program could."""
    book = sqlite3.connect(root / cache.FILE)
    with book:
        book.execute(text, values)
    book.close()


@pytest.mark.parametrize("value", [b"\xc1", 3])
def test_a_part_that_cannot_be_read_counts_as_not_kept(assignment, value):
    """Is one damaged value no reason to lose another, and is it replaced by the next one?"""
    keep(assignment, "w", judged("wrong"))
    key = digests.digest("w", TWO, digests.checks(assignment)[TWO])
    change(assignment.root, "update part set value = ? where key = ?", value, key)
    found = cache.get(assignment, "w")
    assert set(found.checks) == {ONE, THREE, FOUR}
    assert (found.runs, found.explained) == (judged().runs, judged("wrong").explained)
    change(assignment.root, "update part set value = ? where key = 'w'", value)
    assert cache.get(assignment, "w").checks.keys() == {THREE, FOUR, ONE}
    assert kept(assignment, judged("wrong")) == judged("wrong")


@pytest.mark.parametrize("value", [msgspec.msgpack.encode({"student": "ada"}), "text"])
def test_a_record_that_cannot_be_read_counts_as_none(tmp_path, value):
    """Is a record of an older version, say, no reason to lose the others?"""
    for student in ("ada", "bob"):
        entries.put(tmp_path, "a", record(student))
    text = "update or ignore record set value = ? where student = 'ada'"
    change(tmp_path, text, value)
    assert entries.get(tmp_path, "a") == {"bob": record("bob")}


@LAW
@given(damage=st.data())
def test_a_broken_file_is_told_or_costs_nothing_but_the_work(assignment, damage):
    """Is a file that was cut off or overwritten named, if it cannot be used, and left there?"""
    file = assignment.root / cache.FILE
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    keep(assignment, "w", judged("wrong"))
    entries.put(assignment.root, "a", record())
    whole = file.read_bytes()
    where = damage.draw(st.integers(0, len(whole) - 1), label="where")
    noise = damage.draw(st.binary(min_size=1, max_size=600), label="noise")
    kind = damage.draw(st.sampled_from(["cut off", "overwritten", "another"]), label="kind")
    over = whole[:where] + noise + whole[where + len(noise) :]
    file.write_bytes({"cut off": whole[:where], "overwritten": over, "another": noise}[kind])
    try:
        cache.get(assignment, "w")
        cache.get(assignment, "k")
        entries.get(assignment.root, "a")
        assert kept(assignment, judged("wrong"), "v") == judged("wrong")
        entries.put(assignment.root, "a", record("bob"))
        assert entries.get(assignment.root, "a")["bob"] == record("bob")
    except CourseError as error:
        assert str(error).startswith(f"{file} cannot be used")
        assert file.exists()


def test_a_file_that_is_no_database_stays_and_is_told(assignment):
    """Is nothing thrown away by which somebody could still tell what was marked?"""
    file = assignment.root / cache.FILE
    file.parent.mkdir()
    file.write_bytes(content := b"no database" * 100)
    with pytest.raises(CourseError, match=r"results\.db cannot be used .*put your last copy back"):
        keep(assignment, "w", judged())
    assert file.read_bytes() == content


# --- several at once -------------------------------------------------------------------------


def test_a_reader_never_sees_half_a_result(assignment, monkeypatch):
    """Is all read as it was at first, and does another have to wait who keeps something?"""
    keep(assignment, "w", judged("wrong"))
    read = cache._part

    def meanwhile(*arguments):
        found = read(*arguments)
        with contextlib.suppress(CourseError):
            keep(assignment, "w", judged("error", "error", "error", "error"))
        return found

    monkeypatch.setattr(cache, "BUSY_SECONDS", 0.0)
    monkeypatch.setattr(cache, "_part", meanwhile)
    assert cache.get(assignment, "w") == judged("wrong")


def fill(assignment: Assignment, mine: str) -> None:
    """Keep results and records, as a process of its own."""
    for number in range(15):
        keep(assignment, f"{mine} {number}", judged("wrong"))
        entries.put(assignment.root, "a", record(f"{mine} {number}"))
        cache.get(assignment, f"{mine} {number}")


def test_two_processes_lose_nothing(assignment):
    """While two graders keep their results from the first moment on, is all of it there?"""
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=fill, args=(assignment, name)) for name in ("p", "q")]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0]
    names = [f"{name} {number}" for name in ("p", "q") for number in range(15)]
    assert set(entries.get(assignment.root, "a")) == set(names)
    for name in names:
        assert cache.get(assignment, name) == judged("wrong")


# --- judging with it -------------------------------------------------------------------------


def test_what_was_judged_by_another_course_is_not_kept(assignment: Assignment) -> None:
    """Is a verdict not filed under a check that was edited after it was asked?"""
    before = digests.course(assignment)
    edit(assignment, "student.one", "student.other")
    cache.put(assignment, "w", judged("wrong"), before)
    assert cache.get(assignment, "w") == Judged()


def test_what_was_judged_by_a_copied_course_is_kept_for_that(assignment: Assignment) -> None:
    """Is a verdict filed under the keys that are given, and found by no others?"""
    keys = digests.keys(assignment)
    edit(assignment, "student.one", "student.other")
    cache.put(assignment, "w", judged("wrong"), keys.course, keys)
    assert cache.get(assignment, "w", keys) == judged("wrong")
    assert ONE not in cache.get(assignment, "w").checks
    cache.put(assignment, "v", judged("wrong"), digests.course(assignment), keys)
    assert cache.get(assignment, "v", keys) == Judged()


def test_an_accident_is_not_kept(assignment: Assignment) -> None:
    """Is nothing kept of a run in which a cell was killed, nor a check that was?"""
    one = judged("killed", "pass")
    keep(assignment, "w", one)
    assert ONE not in cache.get(assignment, "w").checks
    assert TWO in cache.get(assignment, "w").checks
    one.runs = [CellRun(error="gone", stopped=Verdict.KILLED), CellRun()]
    keep(assignment, "v", one)
    assert cache.get(assignment, "v") == Judged()


@pytest.mark.parametrize("umask", [0o022, 0o000])
def test_what_is_kept_is_for_the_grader_s_eyes_only(tmp_path, umask):
    """Is the file that holds everybody's work and the checks closed to others, an old one too?"""
    before = os.umask(umask)
    try:
        for _ in range(2):
            entries.put(tmp_path, "a", record("ada"))
            folder = tmp_path / ".referee"
            assert folder.stat().st_mode & 0o777 == 0o700
            assert [file.stat().st_mode & 0o777 for file in folder.iterdir()] == [0o600]
            folder.chmod(0o755)
            (tmp_path / cache.FILE).chmod(0o644)
    finally:
        os.umask(before)
