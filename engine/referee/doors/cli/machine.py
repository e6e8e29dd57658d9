"""The command that looks at this machine."""

import typer

from referee.doors.cli import errors, shared
from referee.doors.cli.shared import JsonOption


def doctor(json: JsonOption = None) -> None:
    """Say what keeps student code away from this machine, and how to get what is missing."""
    from referee.doors import results
    from referee.doors.doctor import advice, survey
    from referee.model import Limits
    from referee.sandbox.outside.zygote import shut_off

    console = shared.console(json)
    with errors.in_one_line():
        shared.must_be_writable(json)
        layers, why = survey(Limits(unsafe=True))
        missing, good = advice(layers, why), shut_off(layers)
        results.save(json, results.Machine(good, layers, missing))
    for layer in layers:
        console.print(f"[green]✓[/] {layer}", highlight=False)
    for line in missing:
        console.print(f"[yellow]–[/] {line}", highlight=False)
    raise typer.Exit(0 if good else 1)
