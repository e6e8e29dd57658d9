"""`referee doctor`: the isolation that this machine offers."""

import msgspec

from referee.commands import shared, terminal
from referee.model import Limits
from referee.sandbox.outside.server import advice, shut_off, survey


class Machine(msgspec.Struct):
    """The isolation of student code on a machine: the fields are its JSON."""

    shut_off: bool  #: whether grading is allowed without `--unsafe`
    layers: list[str]  #: what student code is behind
    missing: list[str]  #: with the remedy


def run(json: shared.JsonOption = None) -> int:
    """Show what isolates student code on this machine."""
    layers, why = survey(Limits(unsafe=True))
    machine = Machine(shut_off(layers), layers, advice(layers, why))
    last = "You cannot grade here until one of these is there, unless with --unsafe."
    if machine.shut_off:
        last = "You can grade here: student code reaches neither the course nor its marks."
    lines = (terminal.whether(True, one) for one in layers)
    terminal.said([*lines, *(f"– {one}" for one in machine.missing), last], machine, json)
    return 0 if machine.shut_off else 1
