"""Learn how the searches of the bank behave, by which `diagnose` names a misconception.

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
    """A wrong search, the mistake that it is taken for, and whether it answers as a right one.

    That mistake is its own, or a twin's that answers alike in all; None if it has no name.
    """

    solution: str
    name: str | None
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
    """Return how each search of the bank answers, with what a wrong one says of itself.

    Right ones that answer alike are there once.
    """
    asked = {one.name: one for one in searches(assignment)} | dict(_right(assignment))
    answers = dict(audit.each(_probe, (assignment, limits), asked, processes))
    learnt: Behaviours = {}
    for name, one in asked.items():
        entry = one.fields | {"answers": answers[name]}
        if not name.startswith(diagnose.RIGHT) or entry not in learnt.values():
            learnt[name] = entry
    return learnt


def _right(assignment: Assignment) -> Iterator[tuple[str, bank.Solution]]:
    """Yield all right searches: who answers like one of them has no mistake that shows."""
    for one in bank.read_all(assignment):
        for cell in diagnose.PLAYERS.keys() & dict(one.sections).keys():
            if one.kind == diagnose.RIGHT:
                yield f"{one.name}/{cell}", one._replace(fields={"Cell": cell})


def as_json(behaviours: Behaviours) -> bytes:
    """Return behaviours as the file that `diagnose` reads: a line each, so that changes show."""
    lines = (f"{_json(name)}: {_json(entry)}" for name, entry in behaviours.items())
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def namings(behaviours: Behaviours, mistakes: diagnose.Mistakes) -> Iterator[Naming]:
    """Yield which of the known mistakes each search is taken for."""
    rights = [
        entry["answers"] for name, entry in mistakes.items() if name.startswith(diagnose.RIGHT)
    ]
    for solution, entry in behaviours.items():
        if not solution.startswith(diagnose.RIGHT):
            found = diagnose.named(entry["answers"], entry["Cell"], mistakes)
            name = found.solution if found else None
            yield Naming(solution, name, entry["answers"] in rights)


def _probe(setting: tuple[Assignment, Limits], solution: bank.Solution) -> list[Any]:
    assignment, limits = setting
    with audit.running(assignment, solution, limits) as submission, submission.student() as student:
        return diagnose.probe(student, solution.fields["Cell"])


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()
