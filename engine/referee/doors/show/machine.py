"""Print the isolation of student code on a machine."""

from rich.console import Console

from referee.commands.terminal import say
from referee.sandbox.outside.isolation import Machine


def doctor(console: Console, machine: Machine) -> None:
    """Print each layer of isolation, and the missing ones."""
    for layer in machine.layers:
        console.print(f"[green]✓[/] {layer}", highlight=False)
    for line in machine.missing:
        console.print(f"[yellow]–[/] {line}", highlight=False)
    if machine.shut_off:
        say(console, "You can grade here: student code reaches neither the course nor its marks.")
    else:
        say(console, "You cannot grade here until one of these is there, unless with --unsafe.")
