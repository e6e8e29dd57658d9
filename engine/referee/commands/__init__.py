"""The command line of the referee: a file a command, of which only the one that runs is loaded.

Exit codes: 0 all is well, 1 something is short of full marks or needs a human, 2 the command
could not be carried out (standard error says why), 130 it was stopped with Ctrl-C.
"""

import atexit
import gc
import importlib
import keyword
import os
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

COMMANDS = {  # in the order of a course: the module, and what it does
    "new": "Write a small assignment that is complete, to be changed.",
    "audit": "Test whether checks pass what is right and catch mistakes.",
    "adopt": "Let the referee grade an nbgrader course that you have.",
    "release": "Make what students get; marks of cells that stay are kept.",
    "collect": "Unpack a platform's zip of all submissions into submitted/.",
    "grade": "Grade the class: gradebook and autograded notebooks.",
    "status": "Show who has handed in, is graded, and waits for your mark.",
    "check": "Judge one notebook outside the class, and enter nothing.",
    "why": "Tell why a student has these marks, or judge them once more.",
    "report": "Write a page on the class: points, checks, misconceptions.",
    "viva": "Write sheets of questions to students on their own code.",
    "return": "Write feedback for a platform, and marks as a table.",
    "gradescope": "Write the zip that grades on Gradescope.",
    "forget": "Erase a student's work and marks; name what is left.",
    "doctor": "Show what isolates student code on this machine.",
}


class Commands(TyperGroup):
    """Runs the command that is named, which returns the exit code; help loads none."""

    def __init__(self, **options: Any) -> None:
        """Begin with the names."""
        super().__init__(**options)
        self.commands: Any = dict.fromkeys(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Load a command by its name."""
        if cmd_name not in COMMANDS:
            return None
        from referee.commands import errors

        command = typer.Typer(add_completion=False, rich_markup_mode=None)
        module = f"referee.commands.{cmd_name}{'_' * keyword.iskeyword(cmd_name)}"
        run = importlib.import_module(module).run
        command.command(cmd_name)(errors.in_one_line()(run))
        return get_command(command)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list for `--help`."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def invoke(self, ctx: Any) -> None:
        """Run the command, and end with its exit code."""
        raise typer.Exit(super().invoke(ctx))


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # so that the list fits on a screen
    pretty_exceptions_enable=False,
)


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
