"""Ask whether the hidden checks see every small mistake in the reference solution.

Each of the 241 mutants of the cells TicTacToe (95), MiniMax (39) and AlphaBeta (107) must lose
points in its cell, unless it is one of EQUIVALENT: those change nothing that the notebook promises.
"""

import ast
import difflib
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee import cluster, course
from referee.model import CheckResult
from referee.proof import audit

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import mutants  # noqa: E402
from mutants import Mutant  # noqa: E402

ASSIGNMENT = course.find_assignment(ROOT, "tic-tac-toe")
REFERENCE = mutants.reference(ASSIGNMENT)
MUTANTS = {mutant.name: mutant for mutant in mutants.of_reference(ASSIGNMENT)}
WORKERS = 2

EQUIVALENT = {
    "AlphaBeta:__init__:3:0->1": (
        "Without an eval_fn any estimate of one's own will do, and the same number for everything "
        "says as little as another."
    ),
    "AlphaBeta:max_value:9:GtE->Gt": (
        "A search may skip only what lies outside of the window, and not on its edge."
    ),
    "AlphaBeta:min_value:9:LtE->Lt": (
        "A search may skip only what lies outside of the window, and not on its edge."
    ),
}

Judge = Callable[[Mutant], list[CheckResult]]


# --- the mutants ---------------------------------------------------------------------------------

SMALL = '''
class Small:
    def best(self, a, n: int = 3):
        """Return X or O."""
        if not a and n >= 2:
            return -infinity
        return self.max_value(a, max(n + 1, 0))
'''
OF_SMALL = """
best:0:3->4
best:1:if->pass
best:1:condition->True
best:1:condition->False
best:1:and->or
best:1:not x->x
best:1:GtE->Gt
best:1:GtE->LtE
best:1:2->3
best:2:return->pass
best:2:return None
best:2:-infinity->infinity
best:3:return None
best:3:max_value->min_value
best:3:a<->max(n + 1, 0)
best:3:max->min
best:3:n + 1->n
best:3:0->1
best:3:Add->Sub
best:3:1->2
"""


def changed(before: str, after: str) -> list[str]:
    """Return the lines that differ between two sources."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[0] in "+-" and line[:3] not in ("+++", "---")]


def test_the_mutants_of_a_small_class_are_known():
    """Is there one for each operator and place, and none of a docstring?"""
    made = {mutant.name: mutant for mutant in mutants.mutants(SMALL, "Small")}
    assert sorted(made) == sorted(f"Small:{line}" for line in OF_SMALL.split("\n") if line)
    plain = ast.unparse(ast.parse(SMALL))
    assert changed(plain, made["Small:best:3:a<->max(n + 1, 0)"].source) == [
        "-        return self.max_value(a, max(n + 1, 0))",
        "+        return self.max_value(max(n + 1, 0), a)",
    ]
    assert changed(plain, made["Small:best:2:return->pass"].source) == [
        "-            return -infinity",
        "+            pass",
    ]


def test_every_mutant_has_one_change_and_a_name_of_its_own():
    """Is each of them Python, other than the reference and than all others, and made again?"""
    again = mutants.of_reference(ASSIGNMENT)
    assert [mutant.name for mutant in again] == list(MUTANTS)
    assert again == list(MUTANTS.values())
    assert len({mutant.source for mutant in again}) == len(again)
    for mutant in again:
        compile(mutant.source, mutant.name, "exec")
        plain = ast.unparse(ast.parse(REFERENCE[mutant.cell]))
        assert any(line[0] == "-" for line in changed(plain, mutant.source))


def test_every_operator_makes_mutants_of_the_reference():
    """How many are there, by operator and cell?"""
    counts = Counter((mutant.operator, mutant.cell) for mutant in MUTANTS.values())
    for operator in mutants.OPERATORS:
        found = [counts[operator, cell] for cell in mutants.CELLS]
        print(f"{operator:12}", *(f"{number:4}" for number in found))
        assert sum(found) > 0
    sums = [sum(counts[o, cell] for o in mutants.OPERATORS) for cell in mutants.CELLS]
    print(f"{'all':12}", *(f"{number:4}" for number in sums))
    assert sums == [95, 39, 107]


# --- what the checks say -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def judged(request: pytest.FixtureRequest) -> Iterator[Judge]:
    """Give the verdicts on a mutant; those on all that are asked for are on their way."""
    items = [item for item in request.session.items if isinstance(item, pytest.Function)]
    given = [item.callspec.params.get("mutant") for item in items if hasattr(item, "callspec")]
    wanted = {mutant.name: mutant for mutant in given if isinstance(mutant, Mutant)}
    found: dict[str, list[CheckResult]] = {}
    with cluster.connected(WORKERS) as client:
        done = cluster.run(client, mutants.judge, ASSIGNMENT, wanted.items())

        def judge(mutant: Mutant) -> list[CheckResult]:
            while mutant.name not in found:
                name, answer = next(done)
                found[name] = answer
            return found[mutant.name]

        yield judge


def unchanged(cell: str) -> Mutant:
    """Return the reference solution of a cell, written as mutants are, without a change."""
    return Mutant(f"{cell}:unchanged", cell, "none", ast.unparse(ast.parse(REFERENCE[cell])))


def caught(checks: list[CheckResult], cell: str) -> list[str]:
    """Return the checks of the cell that a mutant has failed; a check must not break itself."""
    broken = [check.id for check in checks if check.verdict == "referee-error"]
    assert not broken, f"our own check failed: {broken[0]}"
    return [check.id for check in checks if check.cell == cell and check.verdict in audit.CAUGHT]


@pytest.mark.parametrize("mutant", [unchanged(c) for c in mutants.CELLS], ids=mutants.CELLS)
def test_the_reference_without_a_change_passes(mutant, judged):
    """Is it the change that costs a mutant its points?"""
    checks = judged(mutant)
    assert [check.id for check in checks if check.verdict != "pass"] == []
    assert len(checks) > 5


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_a_mutant_loses_points_in_its_cell(mutant, judged):
    """Does a check of the cell fail, or is it known that and why nothing promised has changed?"""
    failed = caught(judged(mutant), mutant.cell)
    if mutant.name in EQUIVALENT:
        assert not failed, f"{failed[0]} tells it from the reference: it is not equivalent"
        return
    plain = ast.unparse(ast.parse(REFERENCE[mutant.cell]))
    assert failed, "\n".join(
        [f"no check of {mutant.cell} sees this change:", *changed(plain, mutant.source)]
    )


def test_every_equivalent_mutant_is_still_made():
    """Is each name in the list that of a mutant, with a reason that is a sentence?"""
    assert set(EQUIVALENT) <= set(MUTANTS)
    assert all(reason[0].isupper() and reason.endswith(".") for reason in EQUIVALENT.values())
