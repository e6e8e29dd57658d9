"""Ask whether an audit finds what is wrong with the hidden checks or with the bank."""

import ast
from functools import partial
from pathlib import Path

import pytest
import small_course
from formgrading import run
from shares import NIGHTLY, is_due, of_today

from referee import course
from referee.judging import digests, pipeline, session, suspension
from referee.model import CheckResult, Limits, Verdict
from referee.proof import audit, bank, mutants

ROOT = Path(__file__).parents[1]
NAMES = course.Course(ROOT).assignments
ATTACKS = ("tic-tac-toe", "cheat")
SECRETS = "20" if NIGHTLY else "3"
LOTTERIES = {  # solutions for whom other lots would most likely make another verdict
    "game-trees": (
        "right/random_best", "wrong/alpha_beta_whole_numbers", "wrong/minmax_average_reply",
    ),
}  # fmt: skip


# --- what an audit says of the verdicts on one solution ------------------------------------------


def solution(kind: str, fields: dict[str, str], *touched: str, code: str = "pass") -> bank.Solution:
    """Return a solution of the bank that fills the cells `touched`."""
    sections = [(name, code) for name in touched]
    return bank.Solution(Path(f"bank/game/{kind}/idea.py"), "Idea.", fields, sections)


def check(name: str, verdict: str = "pass", cell: str = "MiniMax") -> CheckResult:
    said, file = Verdict(verdict), f"test_{cell.lower()}.py"
    points = float(said is Verdict.PASS)
    return CheckResult(f"{file}::{name}", cell, "Title", said, points, 1, f"said {said}")


MISTAKE = solution("wrong", {"Cell": "MiniMax", "Caught by": "test_block"}, "MiniMax")
TWO_NAMES = solution("wrong", {"Cell": "MiniMax", "Caught by": "test_win, test_block"}, "MiniMax")
RIGHT, CHEAT = solution("right", {}), solution("cheat", MISTAKE.fields, "MiniMax")
WIDE, BLANK = (
    solution("wrong", MISTAKE.fields, "MiniMax", name) for name in ("TicTacToe", "TicTacToe blank")
)
NEEDED = MISTAKE._replace(fields=MISTAKE.fields | {"Needed by": "AlphaBeta, Other"})
WIN, BLOCK, CAUGHT = check("test_win"), check("test_block"), check("test_block", "wrong")
ELSEWHERE = check("test_wins", "wrong", "TicTacToe")
NOT_THERE = "survives, as there is no check test_block for the cell MiniMax; write or name one"
TOO_FAR = "loses points in a cell that it does not touch, nor names in `Needed by`: test_"
UNSAID = "its docstring does not say `Cell: ...` and `Caught by: ...`"


@pytest.mark.parametrize(
    ("told", "checks", "problems"),
    [
        (RIGHT, [WIN, BLOCK], []),
        (MISTAKE, [WIN, CAUGHT], []),
        (TWO_NAMES, [check("test_win", "error"), BLOCK], ["survives test_block, which says pass"]),
        (TWO_NAMES, [check("test_win", "wrong"), CAUGHT], []),
        (MISTAKE, [check("test_win", "wrong")], [NOT_THERE]),
        (MISTAKE, [check("test_win", "wrong"), check("test_block", cell="Other")], [NOT_THERE]),
        (MISTAKE, [check("test_win", "wrong"), check("test_not_test_block", "wrong")], [NOT_THERE]),
        (CHEAT, [check("test_win", "not-run"), CAUGHT, ELSEWHERE], []),
        (CHEAT, [WIN, CAUGHT], ["gains points: test_minimax.py::test_win"]),
        (MISTAKE, [CAUGHT, check("test_wins", "not-run", "TicTacToe")],
         [f"{TOO_FAR}tictactoe.py::test_wins"]),
        (NEEDED, [CAUGHT, ELSEWHERE, check("test_cuts", "wrong", "AlphaBeta")],
         [f"{TOO_FAR}tictactoe.py::test_wins"]),
        (WIDE, [CAUGHT, ELSEWHERE], []),
        (BLANK, [CAUGHT, ELSEWHERE], []),
        *((solution("wrong", fields, "MiniMax"), [CAUGHT], [UNSAID]) for fields in (
            {}, {"Cell": "MiniMax"}, {"Caught by": "test_block"},
            {"Cell": "MiniMax", "Caught by": " , "},
        )),
    ],
)  # fmt: skip
def test_what_a_solution_must_lose_and_must_not(told, checks, problems):
    """Must a right one lose nothing, a mistake in each check that it names, of its own cell, and
    nothing elsewhere but where it touches a cell or says so, and does a cheat gain nothing?
    """
    assert audit.problems(told, checks) == problems


@pytest.mark.parametrize("verdict", [one for one in Verdict if one is not Verdict.UNCLEAR])
def test_what_each_verdict_is_to_a_solution(verdict):
    """Is a loss of points what catches a mistake, whatever its verdict, and nothing else, any
    verdict but pass a false alarm, and a check that failed itself our mistake?
    """
    checks = [WIN, check("test_block", verdict)]
    ours = ["our own check failed: test_minimax.py::test_block"]
    ours *= verdict is Verdict.REFEREE_ERROR
    survives = [f"survives test_block, which says {verdict}"] * (not verdict.lost)
    for kind in "wrong", "crash", "loop":
        told = solution(kind, MISTAKE.fields, "MiniMax")
        assert audit.problems(told, checks) == [*ours, *survives]
    alarms = [f"false alarm: test_minimax.py::test_block: said {verdict}"]
    assert audit.problems(RIGHT, checks) == [*ours, *alarms * (verdict is not Verdict.PASS)]


# --- how much a mistake costs --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weight", "lost", "said"),
    [
        ("slip", 1, ""),
        ("slip", 2, "loses 67% of its cell; a slip loses 0% to 50%"),
        ("mistake", 1, ""),
        ("mistake", 0, "loses 0% of its cell; a mistake loses 20% to 100%"),
        ("void", 2, ""),
        ("void", 1, "loses 33% of its cell; a void loses 67% to 100%"),
    ],
)
def test_a_solution_loses_what_its_weight_tells(weight, lost, said):
    """Is a share that is too large or too small told, and allowed where the bank says why?

    Is none made up where not all checks of the cell were asked?
    """
    verdicts = ["wrong"] * lost + ["pass"] * (3 - lost)
    checks = [check(f"test_{number}", verdict) for number, verdict in enumerate(verdicts)]
    weighed = solution("wrong", {**MISTAKE.fields, "Weight": weight}, "MiniMax")
    found = audit.finding(weighed, checks, {"MiniMax": 3})
    assert found.lost == pytest.approx(lost / 3)
    assert [one for one in found.problems if "loses" in one] == [said] * bool(said)
    excused = weighed._replace(fields={**weighed.fields, "Exception": "It looks harmless."})
    (*_, last) = audit.finding(excused, checks, {"MiniMax": 3}).problems
    assert ("needs no 'Exception'" in last) is not bool(said)
    some = audit.finding(weighed, [CAUGHT], {"MiniMax": 3})
    assert (some.lost, some.problems) == (None, [])


# --- what is judged again ------------------------------------------------------------------------

NOTED = """
import pytest

@pytest.fixture(autouse=True)
def noted(request):
    with open(request.config.rootpath / "asked", "a") as file:
        print(request.node.name, file=file)
"""
BANK = {
    "right/power": '"""Power."""\n# %% square\ndef square(n):\n    return n**2\n',
    "wrong/adds": (
        '"""Adds.\n\nCell: square\nCaught by: test_square\n"""\n'
        "# %% square\ndef square(n):\n    return n + n\n"
    ),
}
DOUBLED = ["test_double", "test_double_negative[-3]", "test_double_negative[-50]"]


@pytest.fixture
def numbers(tmp_path):
    """Give the small course with a bank, in which each check notes that it was asked."""
    root = small_course.make(tmp_path / "course")
    for name, text in BANK.items():
        file = root / "bank" / small_course.NAME / f"{name}.py"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    found = course.Course(root).find(small_course.NAME)
    (found.hidden / "conftest.py").write_text(NOTED)
    return found


def asked(assignment):
    """Return which checks were asked since the last time, in the order of their names."""
    file = assignment.root / "asked"
    names = file.read_text().split() if file.exists() else []
    file.unlink(missing_ok=True)
    return sorted(names)


def problems(assignment, **options):
    """Audit the bank of the small course; return the problems of each solution."""
    solutions = bank.read_all(assignment)
    found = audit.audit(assignment, solutions, Limits(unsafe=True), processes=1, **options)
    return {one.solution: one.problems for one in found}


@pytest.mark.proof
def test_only_what_has_changed_is_judged_again(numbers):
    """Nothing at all, one check, one solution, or everything by force?

    Does a problem show again from what is stored, and is it gone when the check is mended?
    """
    fine = {name: [] for name in BANK}
    everything = sorted([*DOUBLED, "test_square", "test_square"])  # a mistake is asked its cell
    reference = [*DOUBLED, "test_square"]
    assert (problems(numbers), asked(numbers)) == (fine, sorted([*everything, *reference]))
    assert (problems(numbers), asked(numbers)) == (fine, [])
    solution = numbers.root / "bank" / small_course.NAME / "right" / "power.py"
    solution.write_text(solution.read_text().replace("n**2", "n * n"))
    assert (problems(numbers), asked(numbers)) == (fine, sorted([*DOUBLED, "test_square"]))
    assert (problems(numbers, force=True), asked(numbers)) == (fine, everything)
    file = numbers.hidden / "test_square.py"
    mended = file.read_text()
    file.write_text(mended.replace("(7) == 49", "(2) == 4"))
    survivor = fine | {"wrong/adds": ["survives test_square, which says pass"]}
    assert (problems(numbers), asked(numbers)) == (survivor, ["test_square"] * 3)
    assert (problems(numbers), asked(numbers)) == (survivor, [])
    file.write_text(mended)
    assert problems(numbers) == fine


@pytest.mark.proof
def test_a_check_is_asked_with_what_it_needs_and_up_to_the_first_that_is_lost(numbers):
    """Is a check that is lost still asked as a whole, and what was kept not asked again?"""
    checks = frozenset({"test_double.py::test_double_negative", "test_square.py::test_square"})
    limits, jobs = Limits(unsafe=True), {}
    for name, value in ("good", "n + n"), ("bad", "abs(2 * n)"):
        one = solution("right", {}, "double", code=f"def double(n):\n    return {value}")
        selection = pipeline.Selection(checks, True)
        jobs[name] = audit.Job(*audit.prepared(numbers, one, limits), selection)
    prepared = suspension.prepared(numbers, limits)
    asked(numbers)
    for names in (sorted([*DOUBLED, *DOUBLED, "test_square"]), []):
        found = dict(audit.judge_all(prepared, jobs, 1))
        assert {one.verdict for one in found["good"]} == {Verdict.PASS}
        assert {digests.of_check(one.id) for one in found["good"]} == checks
        assert {one.verdict for one in found["bad"]} == {Verdict.WRONG}
        assert asked(numbers) == names


# --- the command ---------------------------------------------------------------------------------


@pytest.mark.proof
@pytest.mark.parametrize("name", NAMES if NIGHTLY else LOTTERIES)
def test_another_secret_changes_no_verdict(name):
    """Do solutions that a check sees here and there only get the same marks with other lots?"""
    asked = () if NIGHTLY else LOTTERIES[name]
    options = [f"--solution={solution}" for solution in asked]
    said = run(ROOT, "referee", "audit", name, "--seeds", SECRETS, *options)
    assert f"{SECRETS} secrets: 0 verdicts move." in " ".join(said.split())


@pytest.mark.proof
@pytest.mark.parametrize("name", NAMES)
def test_the_checks_give_every_solution_of_the_bank_what_it_must_get(name):
    """Does an audit of the bank find no survivor and no false alarm?

    The cheats of tic-tac-toe are held to more in `test_attacks`.
    """
    task, limits = course.Course(ROOT).find(name), course.Course(ROOT).limits(unsafe=True)
    asked = [one for one in of_today(bank.read_all(task)) if (name, one.kind) != ATTACKS]
    found = list(audit.audit(task, asked, limits, 2, force=NIGHTLY))
    assert len(found) == len(asked)
    assert {one.solution: one.problems for one in found if one.problems} == {}


@pytest.mark.parametrize("assignment", NAMES)
def test_another_secret_asks_what_it_draws_in_the_cells_that_a_solution_writes(assignment):
    """Is nothing asked that would be the same, and is everything asked that might not be?"""
    found_at = course.Course(ROOT).find(assignment)
    other, told = found_at._replace(draw=1), session.markers(found_at)
    drawn = {name for name, marker in told.items() if marker["draws"]}
    solutions = bank.read_all(found_at)
    asked = {one.name: audit.select(other, one, told) for one in solutions}
    assert set().union(*asked.values()) == drawn
    for one in solutions:
        cells = {name.removesuffix(bank.BLANK) for name, _ in one.sections}
        mine = {name for name in drawn if told[name]["cell"] in cells}
        assert asked[one.name] == (set() if one.kind in ("cheat", "loop") else mine)
    again = audit.drawing(found_at, solutions)
    assert {one.name for one in again} == {name for name, checks in asked.items() if checks}


@pytest.mark.parametrize("assignment", NAMES)
def test_every_hidden_check_names_a_wrong_solution_that_needs_it(assignment):
    """Is each that a docstring names in the bank, and does it fail there, as an audit proves?"""
    found_at = course.Course(ROOT).find(assignment)
    written = {one.name: one for one in bank.read_all(found_at)}
    for where, marker in session.markers(found_at).items():
        file, _, check = where.partition("::")
        functions = ast.parse((found_at.hidden / file).read_text("utf-8")).body
        (node,) = (one for one in functions if getattr(one, "name", "") == check)
        _, _, named = (ast.get_docstring(node) or "").partition("Needed for ")
        names = named.rstrip(".").split(" and ")
        assert names != [""], where
        for one in map(written.__getitem__, names):
            assert one.fields["Cell"] == marker["cell"], where
            assert check in one.names("Caught by"), where


# --- mutants of the reference --------------------------------------------------------------------

# The bank has the mistakes that students make; these are for what nobody has thought of. Each
# mutant of three cells must lose points in its cell, unless it is one of EQUIVALENT: those change
# nothing that the notebook promises. One in four is judged, and all of them at night.
ASSIGNMENT = course.Course(ROOT).find("tic-tac-toe")
CELLS = ("TicTacToe", "MiniMax", "AlphaBeta")
MUTANTS = {one.name: one for one in mutants.of_reference(ASSIGNMENT) if one.cell in CELLS}
EQUIVALENT = {
    "AlphaBeta:__init__:3:0->1",  # without an eval_fn any number for everything will do
    "AlphaBeta:max_value:9:GtE->Gt",  # a search need not skip what lies on the window's edge
    "AlphaBeta:min_value:9:LtE->Lt",
}


@pytest.mark.proof
def test_every_mutant_loses_points_in_its_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Does a check of the cell fail, or is it known that and why nothing promised has changed?

    And is it the change that costs the points: does the reference without one lose none?
    """
    chosen = [one for one in MUTANTS.values() if NIGHTLY or is_due(one.name, 4)]
    monkeypatch.setattr(mutants, "of_reference", lambda _: chosen)
    monkeypatch.setattr(audit, "judge_all", partial(audit.judge_all, force=NIGHTLY))
    found = mutants.tried(ASSIGNMENT, Limits(), 2)
    assert (found.judged, found.gaps) == (len(chosen), [])
    expected = EQUIVALENT & {one.name for one in chosen}
    assert found.survivors.keys() == expected, found.survivors
    assert MUTANTS.keys() >= EQUIVALENT
