"""The course's own commands: name mistakes of the bank, draw suspects, let students play.

Call them in the course folder: `python -m adversarial diagnose ASSIGNMENT`, `python -m adversarial
suspects`, `python -m adversarial ladder connect-four`. Exit codes are those of `referee`.
"""

import json
from secrets import token_hex
from typing import Annotated

import typer
from rich.console import Console

from adversarial import ladder
from adversarial.checks import suspects
from adversarial.diagnosis import questions, symptoms
from referee import course
from referee.course import Assignment, CourseError
from referee.doors import show
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
    """Return the solutions of a bank whose mistakes may have names, and right ones, with cells."""
    found = {}
    for one in bank.read_all(task):
        cells = [name for name, _ in one.sections] if one.kind == "right" else [one.fields["Cell"]]
        for cell in questions.KINDS.keys() & set(cells):
            if one.kind in ("right", "wrong", "crash", "loop"):
                found[f"{one.name} {cell}"] = one, cell
    return found


@app.command(name="suspects")
def write_suspects(course_folder: CourseOption = None) -> None:
    """Write what students get in break-it, as the secret `year.txt` draws it; a new one if none."""
    with errors.in_one_line(PROGRAM):
        task = shared.assignment(course_folder, "break-it")
        if not (secret := task.hidden / "year.txt").exists():
            secret.write_text(f"{token_hex(16)}\n", encoding="utf-8")
        text = json.dumps(suspects.handed_out(secret.read_text("utf-8")), indent=1)
        task.source.with_name("suspects.json").write_text(text + "\n", encoding="utf-8")


@app.command(name="ladder")
def play_ladder(
    assignment: Annotated[str, typer.Argument(help="The assignment whose submissions play.")],
    seconds: Annotated[float, typer.Option(min=0.1, help="CPU seconds for a move.")] = 1.0,
    json: shared.JsonOption = None,
    workers: WorkersOption = shared.CORES,
    unsafe: shared.UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Let submissions play each other, and rate them; no mark depends on it."""
    console = shared.console(json)
    with errors.in_one_line(PROGRAM):
        task = shared.assignment(course_folder, assignment)
        shared.expect_writable(json)
        with console.status("Playing: some seconds for each pair ..."):
            limits = course.limits(task.root, unsafe)
            players, without = ladder.play(task, limits, seconds, workers)
        show.save(json, {"players": players, "without": without})
    show.say(console, ladder.table(players))
    for name, why in without.items():
        show.say(console, f"Not on the ladder: {name}, since {why}.")


def _named(setting: tuple[Assignment, Limits], asked: tuple[bank.Solution, str]) -> str:
    solution, cell = asked
    assignment, limits = setting
    with audit.running(assignment, solution, limits) as one:
        found = symptoms.named(one.student, cell)
    return found.name if found else ""


if __name__ == "__main__":
    app(prog_name=PROGRAM)
