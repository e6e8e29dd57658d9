"""The command line of the referee: a file a command; decides nothing itself.

Exit codes: 0 all is well, 1 something is short of full marks or needs a human, 2 the command
could not be carried out (one line on standard error says why), 130 it was stopped with Ctrl-C.
Each command imports what it needs when it runs, so that help and completion come at once.
"""

import atexit
import gc
import os
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from referee.doors.cli import (
    adopt,
    audit,
    check,
    collect,
    dev,
    doctor,
    forget,
    grade,
    gradescope,
    hand_back,
    ladder,
    new,
    publish,
    release,
    report,
    rescore,
    status,
    viva,
    why,
    year,
)

PANELS: Mapping[str, Mapping[str, Callable[..., None] | typer.Typer]] = {
    "Grade": {
        "collect": collect.collect,
        "check": check.check,
        "grade": grade.grade,
        "rescore": rescore.rescore,
        "why": why.why,
    },
    "Show and hand on": {
        "status": status.status,
        "report": report.report,
        "return": hand_back.hand_back,
        "ladder": ladder.ladder,
        "viva": viva.viva,
        "gradescope": gradescope.app,
    },
    "Write an assignment": {
        "new": new.new,
        "dev": dev.dev,
        "audit": audit.audit_bank,
        "release": release.release,
    },
    "Bring your own course": {"adopt": adopt.adopt},
    "Keep, publish, delete": {
        "year": year.year,
        "publish": publish.publish,
        "forget": forget.forget,
    },
    "This machine": {"doctor": doctor.doctor},
}
COMMANDS = [name for commands in PANELS.values() for name in commands]


class _InOrder(TyperGroup):
    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=COMMANDS.index)


app = typer.Typer(cls=_InOrder, no_args_is_help=True, pretty_exceptions_enable=False)
for panel, commands in PANELS.items():
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, rich_help_panel=panel)
        else:
            app.command(name, rich_help_panel=panel)(command)


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
    """Grade notebooks: judge them, enter marks, return feedback, and test the hidden checks."""


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
