"""Ask whether each solution of the bank says what it is about, and what must catch it."""

from pathlib import Path

import pytest

from referee import course
from referee.model import Limits
from referee.proof import audit, bank

ROOT = Path(__file__).parents[1]
SOLUTIONS = {
    f"{task.name} {one.name}": (task, one)
    for task in (course.Course(ROOT).find(name) for name in course.Course(ROOT).assignments)
    for one in bank.read_all(task)
}


def missing(task: course.Assignment, solution: bank.Solution) -> list[str]:
    """Return what a solution names, or should, that no hidden check has."""
    checks = "".join(file.read_text("utf-8") for file in task.hidden.glob("test_*.py"))
    names = solution.names("Caught by")
    if solution.kind == "right":
        return []
    wanted = [f'cell="{solution.fields.get("Cell")}"', *(f"def {name}(" for name in names)]
    return [one for one in wanted if one not in checks] + ["Caught by"][bool(names) :]


def test_every_solution_that_is_not_right_names_a_check_that_exists():
    """Does each mistake say its cell and the check that must catch it, and are they there?"""
    offenders = {name: missing(*one) for name, one in SOLUTIONS.items()}
    assert {name: names for name, names in offenders.items() if names} == {}


def test_every_wrong_solution_says_whether_its_mistake_is_frequent():
    """Does each of the course's own, and is the line no part of the idea?"""
    wrong = [one for _, one in SOLUTIONS.values() if one.kind == "wrong"]
    assert {one.fields.get("Frequent") for one in wrong} == {"yes", "no"}
    assert [one.name for one in wrong if "Frequent" in one.idea] == []


@pytest.mark.parametrize("played", [True, False])
def test_a_solution_that_is_judged_for_nobody_keeps_the_id_of_the_reference(played):
    """Are the answers about a personal tree about the tree of the reference, whoever plays?"""
    task = course.Course(ROOT).find("game-trees")
    (solution,) = bank.read_all(task, ["loop/minmax_state_stays"])
    cells, _ = audit.prepared(task, solution, Limits(), played)
    told = [
        line for cell in cells for line in cell.source.splitlines() if line[:12] == "student_id ="
    ]
    assert told == ['student_id = "reference"']
