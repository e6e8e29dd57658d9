"""Learn how the wrong searches of the bank behave, by which `diagnose` names a misconception.

Each is asked the questions of `diagnose.probe`, in a worker. Judges nothing.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from adversarial import diagnose
from referee.course import Assignment
from referee.model import Limits
from referee.proof import audit, bank

Behaviours = dict[str, dict[str, Any]]  # solution: what it says of itself, and its answers


class Naming(NamedTuple):
    """A wrong search, which mistake it is taken for if any, and how alike the two are.

    It is `right` if that is its own mistake, or a twin's that answers alike in all.
    """

    solution: str
    name: str | None
    agreement: float
    right: bool


def searches(assignment: Assignment) -> list[bank.Solution]:
    """Return the solutions of the bank that are wrong searches and say how they behave."""
    return [
        solution
        for solution in bank.read_all(assignment)
        if solution.fields.get("Cell") in diagnose.PLAYERS
        and set(bank.FIELDS) <= set(solution.fields)
    ]


def learn(assignment: Assignment, limits: Limits, processes: int) -> Behaviours:
    """Return how each wrong search of the bank answers, with what it says of itself."""
    solutions = searches(assignment)
    named = {solution.name: solution for solution in solutions}
    answers = dict(audit.each(_probe, (assignment, limits), named, processes))
    return {one.name: one.fields | {"answers": answers[one.name]} for one in solutions}


def as_json(behaviours: Behaviours) -> bytes:
    """Return behaviours as the file that `diagnose` reads: a line each, so that changes show."""
    lines = (f"{_json(name)}: {_json(entry)}" for name, entry in behaviours.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def namings(behaviours: Behaviours, mistakes: diagnose.Mistakes) -> Iterator[Naming]:
    """Yield which of the known mistakes each search is taken for."""
    for solution, entry in behaviours.items():
        best = diagnose.nearest(entry["answers"], entry["Cell"], mistakes)
        if best is None:
            yield Naming(solution, None, 0.0, right=False)
            continue
        twin = mistakes[best.solution]["answers"] == entry["answers"]
        yield Naming(solution, best.solution, best.agreement, twin or best.solution == solution)


def _probe(setting: tuple[Assignment, Limits], solution: bank.Solution) -> list[Any]:
    assignment, limits = setting
    with audit.running(assignment, solution, limits) as submission, submission.student() as student:
        return diagnose.probe(student, solution.fields["Cell"])


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()
