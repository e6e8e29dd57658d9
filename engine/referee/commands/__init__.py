"""The command line of the referee: a file a command; decides nothing itself.

Exit codes: 0 all is well, 1 something is short of full marks or needs a human, 2 the command
could not be carried out (one line on standard error says why), 130 it was stopped with Ctrl-C.
Each command imports what it needs when it runs, so that help comes at once.
"""

import atexit
import gc
import os
from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from referee.commands import (
    adopt,
    audit,
    check,
    collect,
    doctor,
    forget,
    grade,
    gradescope,
    hand_back,
    new,
    release,
    report,
    status,
    viva,
    why,
)

COMMANDS: Mapping[str, Callable[..., None]] = {  # in the order of a course
    "new": new.new,
    "audit": audit.audit_bank,
    "adopt": adopt.adopt,
    "release": release.release,
    "collect": collect.collect,
    "grade": grade.grade,
    "status": status.status,
    "check": check.check,
    "why": why.why,
    "report": report.report,
    "viva": viva.viva,
    "return": hand_back.hand_back,
    "gradescope": gradescope.gradescope,
    "forget": forget.forget,
    "doctor": doctor.doctor,
}

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # so that the list fits on a screen
    pretty_exceptions_enable=False,
)
for name, command in COMMANDS.items():
    app.command(name)(command)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        typer.echo(f"referee {metadata.version('referee')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    """Grade notebooks of a class, and test the checks that do it."""


def main() -> None:
    """Run the command line.

    Garbage is collected seldom: a command is short, and nearly all objects stay, so that looking
    for garbage took a third of the time of the imports.
    """
    if not os.path.isabs(os.path.expanduser("~")):  # noqa: PTH111, PTH117 - Path.home raises
        os.environ["HOME"] = "/"  # of a user without a name; Jupyter asks for it
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)
    app()
