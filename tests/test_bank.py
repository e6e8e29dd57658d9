"""Ask whether each solution of the bank says what it is about, and differs from others."""

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
from referee.report import similar

ROOT = Path(__file__).parents[1]
SOLUTIONS = {
    f"{task.name} {one.name}": (task, one)
    for task in (course.Course(ROOT).find(name) for name in course.Course(ROOT).assignments)
    for one in bank.read_all(task)
}


def test_every_wrong_solution_says_whether_its_mistake_is_frequent():
    """Does each of the course's own, and is the line no part of the idea?"""
    wrong = [one for _, one in SOLUTIONS.values() if one.kind == "wrong"]
    assert {one.fields.get("Frequent") for one in wrong} == {"yes", "no"}
    assert [one.name for one in wrong if "Frequent" in one.idea] == []


def test_a_solution_that_is_judged_for_nobody_keeps_the_id_of_the_reference():
    """Are the answers about a personal tree about the tree of the reference, whoever plays?"""
    task = course.Course(ROOT).find("game-trees")
    (solution,) = bank.read_all(task, ["loop/minmax_state_stays"])
    for played in True, False:
        cells, _ = audit.prepared(task, solution, Limits(), played)
        lines = [line for cell in cells for line in cell.source.splitlines()]
        told = [line for line in lines if line[:12] == "student_id ="]
        assert told == ['student_id = "reference"']


def test_independent_solutions_are_left_alone():
    """Is nobody asked about independent solutions but a few pairs that are in fact alike?"""
    task = course.Course(ROOT).find("tic-tac-toe")
    right = [one for one in bank.read_all(task) if one.kind == "right"]
    whole = [one for one in right if one.file.suffix == ".py"]  # others are edits of these
    assert len(whole) > 30
    found = similar.pairs({one.name: [text for _, text in one.sections] for one in whole}, {})
    assert len(found) <= 5


# --- sheets of questions on one's own code; one solution in so many is asked each night

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
