"""The command that looks at this machine."""

import typer
from rich.console import Console

from referee.doors.cli import errors
from referee.doors.doctor import advice, survey
from referee.model import Limits
from referee.sandbox.zygote import shut_off


def doctor() -> None:
    """Say what keeps student code away from this machine, and how to get what is missing."""
    console = Console()
    with errors.in_one_line():
        layers, why = survey(Limits(unsafe=True))
    for layer in layers:
        console.print(f"[green]✓[/] {layer}", highlight=False)
    for line in advice(layers, why):
        console.print(f"[yellow]–[/] {line}", highlight=False)
    raise typer.Exit(0 if shut_off(layers) else 1)
