"""`referee doctor`: the isolation that this machine offers."""

import typer

from referee.commands import errors, shared


def doctor(json: shared.JsonOption = None) -> None:
    """Show what isolates student code on this machine."""
    from referee.commands import terminal as show
    from referee.doors.show import machine as shown
    from referee.sandbox.outside import isolation as machines

    console = shared.console(json)
    with errors.in_one_line():
        shared.expect_writable(json)
        machine = machines.examined()
        show.save(json, machine)
    shown.doctor(console, machine)
    raise typer.Exit(0 if machine.shut_off else 1)
