"""Print errors: what, where and what to do, one line for each on standard error.

An error that the user can put right is a sentence; for any other, a bug in the referee, the
traceback is stored in a file.
"""

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from traitlets import TraitError

from referee.course import CONFIG, CourseError
from referee.intake import UnreadableError
from referee.sandbox.outside.server import SandboxError
from referee.workers import WorkersError

STOPPED = 130
LAST = Path(".referee") / "last-error.txt"
EXPECTED = (  # the user can put it right
    OSError, TraitError, WorkersError, CourseError, UnreadableError, SandboxError,
)  # fmt: skip


@contextmanager
def in_one_line(program: str = "referee") -> Iterator[None]:
    """Turn an error into a line on standard error and exit code 2, and Ctrl-C into 130."""
    try:
        yield
    except KeyboardInterrupt as error:
        typer.echo(f"{program}: stopped; what was done is kept, run it again to go on", err=True)
        raise typer.Exit(STOPPED) from error
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        text = sentence(error) if isinstance(error, EXPECTED) else _fault(error)
        lines = text.splitlines() if getattr(error, "faults", ()) else [" ".join(text.split())]
        typer.echo("\n  ".join([f"{program}: {lines[0]}", *lines[1:]]), err=True)
        raise typer.Exit(2) from error


def sentence(error: BaseException) -> str:
    """Return the sentence for an expected error: what, where and what to do."""
    match error:
        case OSError(errno=int()):
            where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
            return f"{where}{error.strerror}; put that right and run this again"
        case TraitError():
            return f"{CONFIG}: {error}; correct this setting"
    return str(error)


def _fault(error: Exception) -> str:
    """Store the traceback of a bug in the referee; return the sentence that names its file."""
    file, text = Path.cwd() / LAST, "".join(traceback.format_exception(error))
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, "utf-8", "backslashreplace")
    except OSError:
        return f"something of ours has failed: {text}"
    return (
        f"something of ours has failed ({type(error).__name__}); what was entered before is kept; "
        f"tell us of it, with the file {file}"
    )
