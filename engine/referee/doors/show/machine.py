"""Print what isolates student code on a machine."""

from rich.console import Console

from referee.doors.doctor import Machine


def doctor(console: Console, machine: Machine) -> None:
    """Print each layer that is there, and what is missing."""
    for layer in machine.layers:
        console.print(f"[green]✓[/] {layer}", highlight=False)
    for line in machine.missing:
        console.print(f"[yellow]–[/] {line}", highlight=False)
