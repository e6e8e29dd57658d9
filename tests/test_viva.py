"""Ask whether sheets of questions on one's own code are made for the solutions of the banks.

One solution in so many is asked, drawn by name; all of them when WHOLE is set.
"""

import itertools
import os
import random
import zlib
from pathlib import Path

import proofs
import pytest

from adversarial.calls import calls
from referee import course
from referee.model import Limits
from referee.proof import audit, bank
from referee.proof.viva import sheet
from referee.proof.viva.questions import FAMILIES
from referee.proof.viva.runs import CallRun, laboratory

ROOT = Path(__file__).parents[1]
NAMES = ("game-trees", "tic-tac-toe", "connect-four", "break-it")
ENOUGH = {"right": (5, 0.95), "wrong": (3, 0.9)}  # questions, and the share that has so many
MOST_ALIKE = 0.1
WHOLE = bool(os.environ.get("WHOLE"))
ONE_IN = {"right": 8, "wrong": 32}


def drawn() -> list[tuple[str, str, list[str]]]:
    """Return one in so many solutions of each bank: assignment, kind and questions of the sheet."""
    found = []
    for name in NAMES:
        task = course.find_assignment(ROOT, name)
        for solution in bank.read_all(task):
            number = zlib.crc32(f"viva {solution.name}".encode())
            if solution.kind in ENOUGH and (WHOLE or number % ONE_IN[solution.kind] == 0):
                cells, limits = audit.prepared(task, solution, Limits())
                made = sheet.sheet(task, cells, limits)
                found.append((name, solution.kind, [one.text for one in made.questions]))
    return found


@pytest.mark.proof
def test_solutions_of_the_banks_give_questions(request: pytest.FixtureRequest) -> None:
    """Have right ones five and wrong ones three, and do nine of ten differ in two solutions?"""
    with proofs.once(request):
        found = drawn()
        for kind, (count, share) in ENOUGH.items():
            sheets = [questions for _, one, questions in found if one == kind]
            enough = sum(len(questions) >= count for questions in sheets)
            print(f"{kind}: {enough} of {len(sheets)} have {count} questions")
            assert enough >= share * len(sheets) > 0
        for name in NAMES:
            sheets = [set(questions) for task, _, questions in found if task == name]
            couples = [*itertools.combinations(sheets, 2)]
            common = [len(one & other) for one, other in couples]
            asked = sum(len(one) for one, _ in couples)
            assert sum(common) <= MOST_ALIKE * asked  # of one couple the secret decides
            assert max(common) < sheet.COUNT / 2


@pytest.mark.parametrize("name", NAMES)
def test_calls_are_expressions(name: str) -> None:
    """Are there many, each short enough to print, and others for another student?"""
    found = calls(name, random.Random(1))
    assert len(set(found)) > 30
    for call in found:
        compile(call, "call", "eval")
        assert len(call) < 160
    assert not {*found} >= {*calls(name, random.Random(2))}


@pytest.mark.parametrize("solution", ["negamax", "classes"])
def test_answers_are_those_of_the_changed_program(solution: str) -> None:
    """Does a call return what the notebook with that line changed returns, run as a whole?"""
    task = course.find_assignment(ROOT, "game-trees")
    read = bank.read(task.bank / "right" / f"{solution}.py")
    cells, limits = audit.prepared(task, read, Limits())
    sources, own = sheet.own_code(cells, sheet.given(task))
    chance = random.Random(solution)
    with laboratory(task, cells, limits, [*sources]) as made:
        program = sheet.program_of(task, made, sources, own, chance)
    needed = [cell for cell in cells if cell.label in ("cell imports", *sources)]
    compared = 0
    for edit, runs in program.edited:
        names: dict[str, object] = {}
        for cell in needed:
            source = edit.source if cell.label == edit.label else cell.source
            exec(compile(source, cell.label, "exec"), names)  # noqa: S102 - our own
        for call, run in runs.items():
            assert CallRun(eval(call, names), 0, {}, {}).text == run.text, (edit, call)
            compared += 1
    assert compared > 50
    questions = [[*family(program, chance)] for family in FAMILIES]
    assert all(questions)
