"""Print the isolation of student code on a machine."""

from rich.console import Console

from referee.doors.doctor import Machine


def doctor(console: Console, machine: Machine) -> None:
    """Print each layer of isolation, and the missing ones."""
    for layer in machine.layers:
        console.print(f"[green]✓[/] {layer}", highlight=False)
    for line in machine.missing:
        console.print(f"[yellow]–[/] {line}", highlight=False)
