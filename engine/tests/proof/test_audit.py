"""Ask whether a proof is one: do bank, mutants and released notebook get what they must?"""

import shutil
from pathlib import Path

import new_assignment
import nim_course
import pexpect
import pytest
from formgrading import run
from terminal import terminal

from referee.course import Assignment, Course
from referee.judging import pipeline, session
from referee.marks import release
from referee.model import Limits
from referee.proof import audit, mutants

COURSES = Path(__file__).parents[1] / "courses"
LIMITS = Limits(check_cpu_seconds=2.0)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course with its release."""
    root = tmp_path_factory.mktemp("released")
    shutil.copytree(COURSES / "account", root, dirs_exist_ok=True)
    release.make(Course(root), "account")
    return root


@pytest.fixture
def account(released: Path, tmp_path: Path) -> Assignment:
    """An assignment whose class is asked for its text, and not for its history."""
    shutil.copytree(released, tmp_path, dirs_exist_ok=True)
    return Assignment("account", Course(tmp_path))


def tried(assignment: Assignment) -> mutants.MutantResults:
    return mutants.tried(assignment, LIMITS, 1)


def test_mutants_of_a_class_are_judged_as_a_student_is(
    account: Assignment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Is an object asked for where the reference has one, so that a mutant which no check sees
    survives, and one that loses points is caught for its change alone, also by a check that names
    no solution cell, as one made of a test cell of another name?
    """
    markers = session.markers(account).items()
    other = {name: {**marker, "cell": "correct"} for name, marker in markers}
    with monkeypatch.context() as renamed:
        renamed.setattr(session, "markers", lambda _: other)
        assert "Account:put:1:expr->pass" not in tried(account).survivors
    file = account.hidden / "test_account.py"
    file.write_text(file.read_text().replace("    assert account.balance == 5\n", ""))
    file.write_text(file.read_text().replace('"Ada: 5"', "str(account)"))
    found = tried(account)
    assert found.judged >= 5
    assert found.survivors.keys() >= {"Account:put:1:expr->pass", "Account:balance:1:return None"}
    assert found.gaps == []


def test_an_audit_judges_the_unchanged_reference_as_a_solution(account: Assignment) -> None:
    """Is a table that stands for games in the bank, and is wrong, no proof of anything?"""
    account.bank.mkdir(parents=True)
    (account.bank / "tables.py").write_text('"""Tables."""\n\n# %% Account\nAccount = None\n')
    found = tried(account)
    assert (found.judged, found.survivors) == (0, {})
    (said,) = found.gaps
    assert said.startswith("the unchanged reference does not pass test_account.py::test_balance")


def test_judging_what_was_not_prepared_is_an_error(account: Assignment) -> None:
    """Can no door forget to ask the reference first?"""
    with pytest.raises(RuntimeError, match="account is judged before its reference"):
        pipeline.judge(account, [], LIMITS)


def test_a_check_that_the_released_notebook_passes_is_told(account: Assignment) -> None:
    """Does an assert that holds for everybody, and one in a loop over nothing, stand out?"""
    file = account.hidden / "test_account.py"
    marker = '@pytest.mark.check(cell="Account", points=1, hint="Look.")\n'
    file.write_text(
        f"{file.read_text()}\n\n{marker}def test_all(student):\n    for case in []:\n"
        f"        assert student.Account(case)\n\n\n{marker}def test_name(student):\n"
        "    assert student\n"
    )
    told = [gap for gap in audit.gaps(account, LIMITS) if "as it was released" in gap]
    assert [gap.split()[0].partition("::")[2] for gap in told] == ["test_all", "test_name"]


def test_every_mutant_has_one_change_and_a_name_of_its_own():
    """Is each of them Python, other than the reference and than all others, and made again?"""
    made, again = (list(mutants.of_reference(nim_course.ASSIGNMENT)) for _ in range(2))
    assert made == again
    assert {mutant.cell for mutant in made} >= {"Nim", "MiniMax", "AlphaBeta"}
    assert len({mutant.name for mutant in made}) == len({mutant.source for mutant in made})
    assert len({mutant.name for mutant in made}) == len(made)
    for mutant in made:
        compile(mutant.source, mutant.name, "exec")
        assert any(line[0] == "-" for line in mutant.lines)


def test_a_right_solution_that_loses_points_is_a_problem(tmp_path: Path) -> None:
    """Is a mistake in the wrong folder no passed audit, nor a right one among mistakes?"""
    bank = new_assignment.put(tmp_path).bank
    (bank / "wrong" / "unsorted.py").rename(bank / "right" / "unsorted.py")
    right = (bank / "right" / "halves.py").read_text().rpartition("# %% median")[2]
    innocent = [f"{one}/innocent" for one in ("wrong", "crash", "loop", "cheat")]
    for name in innocent:
        (file := bank / f"{name}.py").parent.mkdir(exist_ok=True)
        text = f'"""I am right.\n\nCell: median\nCaught by: test_odd\n"""\n# %% median{right}'
        file.write_text(text)
    said = run(tmp_path, "referee", "audit", "a", "--workers", "1", status=1)
    assert [one for one in ("right/unsorted", *innocent) if f"✗ {one}" not in said] == []
    assert "5 with a problem" in said


@pytest.mark.proof
def test_each_save_is_looked_at(tmp_path: Path) -> None:
    """Is each change shown: a check that asks too little, one that is broken, and an empty bank?"""
    task = new_assignment.put(tmp_path)
    with terminal(tmp_path, "referee", "audit", "a", "--watch", "--workers", "1") as screen:
        screen.expect("21 of 21 mutants are caught")
        hidden = task.hidden / "test_median.py"
        checks = hidden.read_text()
        hidden.write_text(checks.replace("(1, 3, 5, 7, 9)", "(1,)"))
        screen.expect("wrong/unsorted: survives test_odd")
        screen.expect("17 of 21 mutants are caught")
        screen.expect("if len.ordered. % 2 == 1")
        hidden.write_text("def (")
        screen.expect("test_median.py:1: SyntaxError")
        hidden.write_text(checks)
        shutil.rmtree(task.bank)
        screen.expect("✗ there is no right solution in")
        screen.expect("✗ there is no wrong solution for the cell median")
        screen.sendcontrol("c")
        screen.expect(pexpect.EOF)
        screen.close()
        assert screen.exitstatus == 130
