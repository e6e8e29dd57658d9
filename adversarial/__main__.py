"""The course's own commands: draw suspects, let students play.

Call them in the course folder: `python -m adversarial suspects`, `python -m adversarial ladder
connect-four`. Exit codes are those of `referee`.
"""

import json
from secrets import token_hex
from typing import Annotated

import typer

from adversarial import ladder
from adversarial.checks import break_it
from referee.commands import errors, shared, terminal
from referee.commands.shared import CourseOption, WorkersOption

PROGRAM = "python -m adversarial"

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def options() -> None:
    """Make what students get, and let them play."""


@app.command(name="suspects")
def write_suspects(course_folder: CourseOption = None) -> None:
    """Write what students get in break-it, as the secret `year.txt` draws it; a new one if none."""
    with errors.in_one_line(PROGRAM):
        task = shared.assignment(course_folder, "break-it")
        if not (secret := task.hidden / "year.txt").exists():
            secret.write_text(f"{token_hex(16)}\n", encoding="utf-8")
        text = json.dumps(break_it.handout(secret.read_text("utf-8")), indent=1)
        task.source.with_name("suspects.json").write_text(text + "\n", encoding="utf-8")


@app.command(name="ladder")
def play_ladder(
    assignment: Annotated[str, typer.Argument(help="The assignment whose submissions play.")],
    json: shared.JsonOption = None,
    workers: WorkersOption = shared.CORES,
    unsafe: shared.UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Let submissions play each other, and rate them; no mark depends on it."""
    with errors.in_one_line(PROGRAM):
        task = shared.assignment(course_folder, assignment)
        with terminal.console(json).status("Playing: some seconds for each pair ..."):
            limits = task.course.limits(unsafe)
            players, without = ladder.play(task, limits, workers)
        sentences = [f"Not on the ladder: {name}, since {why}." for name, why in without.items()]
        report = {"players": players, "without": without}
        terminal.said([ladder.table(players), *sentences], report, json)


if __name__ == "__main__":
    app(prog_name=PROGRAM)
