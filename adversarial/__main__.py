"""The course's own commands: name the mistakes of the bank, number the suspects of break-it.

Call them in the course folder: `python -m adversarial diagnose ASSIGNMENT`, `python -m adversarial
suspects`. Exit codes are those of `referee`.
"""

import json
from typing import Annotated

import typer
from rich.console import Console

from adversarial.checks import suspects
from adversarial.diagnosis import explain
from referee import course
from referee.course import Assignment, CourseError
from referee.doors.cli import errors, shared
from referee.doors.cli.shared import CourseOption, WorkersOption
from referee.model import Limits
from referee.proof import audit, bank

PROGRAM = "python -m adversarial"

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def options() -> None:
    """Test the course's own diagnosis, and make what students get of it."""


@app.command(name="diagnose")
def diagnose_bank(
    assignment: Annotated[str, typer.Argument(help="The assignment whose mistakes to name.")],
    workers: WorkersOption = shared.CORES,
    course_folder: CourseOption = None,
) -> None:
    """Diagnose the solutions of the bank: wrong ones must get a name, right ones none."""
    console = Console(highlight=False, emoji=False)
    with errors.in_one_line(PROGRAM):
        task = shared.assignment(course_folder, assignment)
        if not (asked := diagnosed(task)):
            raise CourseError(
                f"no solution in {task.bank} can be diagnosed, so there is nothing to name"
            )
        setting = task, course.limits(task.root, unsafe=True)
        with console.status("Asking the solutions of the bank ..."):
            found = dict(audit.each(_named, setting, asked, workers))
    named = {name: one.fields.get("Named", "") for name, (one, _) in asked.items()}
    for name in sorted(asked):
        if found[name] != named[name]:
            said = found[name] or "nothing"
            console.print(f"{name}: {said}, not {named[name] or 'nothing'}", markup=False)
    wrong = [name for name, (one, _) in asked.items() if one.kind != "right"]
    told = sum(bool(found[name]) for name in wrong)
    console.print(
        f"{told} of {len(wrong)} wrong solutions have a name; "
        f"{sum(bool(found[name]) for name in asked.keys() - set(wrong))} right ones have one."
    )
    raise typer.Exit(0 if found == named else 1)


def diagnosed(task: Assignment) -> dict[str, tuple[bank.Solution, str]]:
    """Return the solutions of a bank, wrong and right, that can be diagnosed, with their cell."""
    found = {}
    for one in bank.read_all(task):
        cells = [name for name, _ in one.sections] if one.kind == "right" else [one.fields["Cell"]]
        for cell in explain.CELLS & set(cells):
            if one.kind in ("right", "wrong", "crash", "loop"):
                found[f"{one.name} {cell}"] = one, cell
    return found


@app.command(name="suspects")
def write_suspects(course_folder: CourseOption = None) -> None:
    """Write the sentences and tables that students get in break-it, numbered by `ORDER`."""
    with errors.in_one_line(PROGRAM):
        source = shared.assignment(course_folder, "break-it").source
        text = json.dumps(suspects.handed_out(), indent=1)
        source.with_name("suspects.json").write_text(text + "\n", encoding="utf-8")


def _named(setting: tuple[Assignment, Limits], asked: tuple[bank.Solution, str]) -> str:
    solution, cell = asked
    assignment, limits = setting
    with audit.running(assignment, solution, limits) as one:
        return ", ".join(found.name for found in explain.named(one.student, cell))


if __name__ == "__main__":
    app(prog_name=PROGRAM)
