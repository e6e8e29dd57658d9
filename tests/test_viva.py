"""Ask whether sheets of questions on one's own code are made for the solutions of the banks.

One solution in so many is asked each night.
"""

import itertools
import random
from pathlib import Path

import pytest
from shares import is_due

from adversarial.calls import calls
from referee import course
from referee.model import Limits
from referee.proof import audit, bank
from referee.proof.viva import sheet

ROOT = Path(__file__).parents[1]
NAMES = ("game-trees", "tic-tac-toe", "connect-four")
ENOUGH = {"right": (5, 0.95), "wrong": (3, 0.9)}  # questions, and the share that has so many
ONE_IN = {"right": 8, "wrong": 32}
MOST_ALIKE = 0.1


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_solutions_of_the_banks_give_questions(name: str) -> None:
    """Have right ones five and wrong ones three, and do nine of ten differ in two solutions?"""
    task, found = course.Course(ROOT).find(name), list[set[str]]()
    for kind, (count, share) in ENOUGH.items():
        of_kind = [one for one in bank.read_all(task) if one.kind == kind]
        drawn = [one for one in of_kind if is_due(one.name, ONE_IN[kind])]
        jobs = [audit.prepared(task, one, Limits()) for one in drawn]
        asked = [{one.text for one in sheet.sheet(task, *job).questions} for job in jobs]
        assert sum(len(questions) >= count for questions in asked) >= share * len(asked) > 0
        found += asked
    common = [(len(one & other), len(one)) for one, other in itertools.combinations(found, 2)]
    assert sum(n for n, _ in common) <= MOST_ALIKE * sum(of for _, of in common)
    assert max(n for n, _ in common) < sheet.COUNT / 2  # of one couple the secret decides


@pytest.mark.parametrize("name", NAMES)
def test_calls_are_expressions(name: str) -> None:
    """Are there many, each short enough to print, and others for another student?"""
    found = calls(name, random.Random(1))
    assert len(set(found)) > 30
    for call in found:
        compile(call, "call", "eval")
        assert len(call) < 160
    assert not {*found} >= {*calls(name, random.Random(2))}
