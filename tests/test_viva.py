"""Ask whether sheets of questions on one's own code are made for the solutions of the banks.

One solution in so many is asked, drawn by name; all of them at night.
"""

import itertools
import random
import zlib
from pathlib import Path

import pytest
from shares import NIGHTLY

from adversarial.calls import calls
from referee import course
from referee.model import Limits
from referee.proof import audit, bank
from referee.proof.viva import sheet

ROOT = Path(__file__).parents[1]
NAMES = ("game-trees", "tic-tac-toe", "connect-four")
ENOUGH = {"right": (5, 0.95), "wrong": (3, 0.9)}  # questions, and the share that has so many
MOST_ALIKE = 0.1
ONE_IN = {"right": 8, "wrong": 32}


def drawn() -> list[tuple[str, str, list[str]]]:
    """Return one in so many solutions of each bank: assignment, kind and questions of the sheet."""
    found = []
    for name in NAMES:
        task = course.find_assignment(ROOT, name)
        for solution in bank.read_all(task):
            number = zlib.crc32(f"viva {solution.name}".encode())
            if solution.kind in ENOUGH and (NIGHTLY or number % ONE_IN[solution.kind] == 0):
                cells, limits = audit.prepared(task, solution, Limits())
                made = sheet.sheet(task, cells, limits)
                found.append((name, solution.kind, [one.text for one in made.questions]))
    return found


@pytest.mark.nightly
def test_solutions_of_the_banks_give_questions() -> None:
    """Have right ones five and wrong ones three, and do nine of ten differ in two solutions?"""
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
