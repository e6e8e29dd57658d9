"""Ask whether the benchmarks measure what they say, on the smallest class and few positions."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS, ENGINES = ROOT / "docs" / "benchmarks", ROOT / "engine" / "benchmarks"
sys.path[:0] = [str(BENCHMARKS), str(ENGINES)]

import classes  # noqa: E402
import connect_four  # noqa: E402
import floor  # noqa: E402
import meter  # noqa: E402
import slowest  # noqa: E402
import throughput  # noqa: E402

from adversarial.solvers.connect_four import Solver  # noqa: E402
from games import ConnectFour, after  # noqa: E402
from referee.course import Assignment  # noqa: E402
from referee.judging import digests  # noqa: E402

GRADERS = {
    "referee": ["referee", "grade", "small", "--workers", "2"],
    "stock": ["nbgrader", "autograde", "small", "--log-level=ERROR"],
}
GIVEN_AWAY = """
import os, signal, time
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while time.process_time() < 0.5:
            pass
        os.write(writer, b".")
        signal.pause()
    os._exit(0)
os.read(reader, 1)
"""


@pytest.mark.parametrize("grader", GRADERS)
def test_both_graders_give_a_small_notebook_the_same_marks(tmp_path: Path, grader: str) -> None:
    """Do all kinds of small notebooks get the marks that they should?"""
    students = classes.small_class(len(classes.KINDS))
    assert len({one.text for one in students}) == len({one.student for one in students}) == 5
    built = classes.small_course(tmp_path / "course", stock=grader == "stock")
    course = built.copy(tmp_path / "copy", students)
    name, *arguments = GRADERS[grader]
    subprocess.run(
        [classes.BIN / name, *arguments],
        cwd=course.root, env=classes.environment(tmp_path), check=True, capture_output=True,
    )  # fmt: skip
    assert course.marks() == {one.student: one.marks for one in students}


def test_no_two_real_notebooks_are_the_same() -> None:
    """Would no result be found that belongs to another student?"""
    students = classes.real_class(29)
    texts = [one.text for one in students if "rex" not in one.student]  # who lost half a file
    assert len(set(texts)) == len(texts) == 27
    assert len({one.student for one in students}) == 29


def test_a_changed_check_is_another_check(tmp_path: Path) -> None:
    """Does the change land in a check, of small and of real notebooks?"""
    for name, folder in (("small", BENCHMARKS), ("tic-tac-toe", ROOT / "tests" / "hidden")):
        hidden = tmp_path / "tests" / "hidden" / name
        hidden.mkdir(parents=True)
        for file in (folder / name).glob("test_*.py"):
            (hidden / file.name).write_bytes(file.read_bytes())
        course = classes.Course(name, tmp_path)
        assignment = Assignment(name, tmp_path)
        before = digests.checks(assignment)
        course.change_a_check()
        after = digests.checks(assignment)
        assert sum(before[check] != after[check] for check in before) == 1


def run(grader: str, *statuses: int | None, students: int = 5) -> throughput.Run:
    usage = meter.Usage(10.0, 20.0, 300.0, 100.0, list(statuses), "")
    return throughput.Run(grader, students, usage, students - 1, students)


def test_every_table_has_its_columns_and_hides_no_failure() -> None:
    """Is each row as long as its head, and does a grader that broke down stay in the table?"""
    good, bad = run("good", 0), run("bad", 0, None)
    more = run("more", 0, students=500)
    growth = [throughput.Growth(good, good, good), throughput.Growth(more, more, bad)]
    compared = throughput.Compared([good, bad], {1: good, 2: bad}, good, {1: 9.0, 2: 9.0})
    tables = (
        throughput.compared([good, bad]),
        throughput.grown(growth),
        throughput.aimed(throughput.aims(compared, compared, growth)),
    )
    for table in tables:
        lines = table.splitlines()
        assert len({line.count("|") for line in lines}) == 1 and lines[1].startswith("| --- |")
        assert any(throughput.FAILED in line for line in lines)


def test_a_grader_that_gave_up_early_is_not_the_faster_for_it() -> None:
    """Do only the submissions that got marks count in its speed, and in the cost of each?"""
    whole = run("whole", 0)
    early = whole._replace(grader="early", marked=1, right=1)
    row = throughput.compared([whole, early]).splitlines()[-1].split(" | ")
    assert row[:6] == ["| early", "1", "10.0", "20.0", "0.10", "20.00"]
    assert row[-2:] == ["0.2", "0.2 |"]


def test_two_processes_are_set_beside_two() -> None:
    """Is the ratio that to the first grader with as many processes, in CPU and in wall time?"""
    stock, ours = run("stock", 0), run("ours", 0)
    stock_twice = stock._replace(processes=2, usage=stock.usage._replace(wall=5.0))
    ours_twice = ours._replace(processes=2, usage=ours.usage._replace(wall=2.5, cpu=4.0))
    rows = throughput.compared([stock, stock_twice, ours, ours_twice]).splitlines()[2:]
    assert [row.split(" | ")[-2:] for row in rows] == [
        ["1.0", "1.0 |"], ["1.0", "1.0 |"], ["1.0", "1.0 |"], ["5.0", "2.0 |"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "grader",
    [
        floor.Grader("bare", True, floor.bare, floor.bare_marks),
        floor.Grader("adopted", True, floor.adopted),
        floor.Grader("ours", False, floor.ours),
        floor.Grader(floor.SHARED, False, floor.ours),
    ],
    ids=lambda grader: grader.name,
)
def test_graders_beside_the_floor_are_asked_the_same(tmp_path: Path, grader: floor.Grader) -> None:
    """Do bare Python and the referee give the marks that they should, with more checks as well?"""
    size = floor.Size(checks=7, cells=9)
    shared = grader.name == floor.SHARED
    course = classes.small_course(tmp_path / "course", grader.stock, size.checks, shared)
    assert floor.one_more(tmp_path, grader, size, (1, 5), course).right == "6 of 6"


def test_the_tables_go_between_the_marks_of_the_page(tmp_path: Path) -> None:
    """Is the rest of the page left as it was, and a page without marks refused?"""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- throughput -->\nold\n<!-- /throughput -->\nafter\n")
    throughput.write_into(page, "new\n")
    assert page.read_text() == "before\n<!-- throughput -->\nnew\n<!-- /throughput -->\nafter\n"
    page.write_text("nothing")
    with pytest.raises(ValueError, match="has no <!-- throughput -->"):
        throughput.write_into(page, "new")
    measured = (ROOT / "engine" / "docs" / "performance.md").read_text("utf-8")
    assert measured.count(throughput.MARKS[1]) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="control groups are Linux's")
def test_the_meter_counts_a_process_that_was_given_away_and_ends_it() -> None:
    """Is what a command leaves behind found?"""
    done = subprocess.run(
        [sys.executable, ENGINES / "meter.py", sys.executable, "-c", GIVEN_AWAY],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    cpu = float(done.stdout.partition("cpu=")[2].partition(",")[0])
    assert cpu >= 0.5 or "short ones are missing" in done.stdout


def test_the_plain_search_of_connect_four_is_right_where_it_sees_the_end() -> None:
    """Is the search that is set beside OpenSpiel's a search of the whole tree below?"""
    chance, game, solver = random.Random(1), ConnectFour(), Solver()
    values = []
    for _ in range(40):
        moves = connect_four.careful(34, chance)
        state = after(game, moves)
        value, _ = connect_four.our_tree(moves, 8)
        values.append(value())
        assert values[-1] == max(solver.values(state).values())
    assert {-1, 0, 1} == set(values)


def test_exact_solving_is_compared_with_the_same_answers() -> None:
    """Does the table have a row for each solver, after their answers were found to be equal?"""
    title, *rows = connect_four.solving(24, 3).splitlines()
    assert title == "all columns of 3 positions at ply 24"
    assert [row.split("  ")[1].strip() for row in rows] == [
        "bitbully, scores", "our scores", "our values"
    ]  # fmt: skip


def test_the_slowest_tests_of_all_groups_are_told(tmp_path: Path) -> None:
    """Do the longest come first, with their set-up, whichever groups have been run?"""
    case = '<testcase classname="tests.hidden.a-b.test_c" name="test_{}" time="{}"/>'
    quick = "".join(case.format(number, number / 100) for number in range(40))
    for group, cases in (
        ("test", f"{quick}{case.format('set_up', 3)}"),
        ("pages", case.format("p", 5)),
    ):
        (tmp_path / f"{group}.xml").write_text(
            f"<testsuites><testsuite>{cases}</testsuite></testsuites>"
        )
    lines = slowest.slowest(tmp_path).splitlines()[2:]
    assert len(lines) == slowest.MOST
    assert lines[0] == "| 5 | pages | `tests/hidden/a-b/test_c.py::test_p` |"
    assert lines[1] == "| 3 | test | `tests/hidden/a-b/test_c.py::test_set_up` |"
