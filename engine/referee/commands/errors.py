"""Print errors: what, where and what to do, one line for each on standard error.

An error that the user can put right is a sentence; for any other, a bug in the referee, the
traceback is stored in a file.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

STOPPED = 130
LAST = Path(".referee") / "last-error.txt"
FORBIDDEN = (
    "you may not read or write it; change its permissions, or run this as the user it belongs to"
)
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
ADVICE = {
    errno.ENOENT: "there is no such file or folder; put it back, or correct its name",
    errno.EACCES: FORBIDDEN,
    errno.EPERM: FORBIDDEN,
    **dict.fromkeys(FULL, "the disk is full; free some space and run this again"),
}


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
        said = sentence(error) if _expected(error) else _fault(error)
        lines = said.splitlines() if hasattr(error, "faults") else [" ".join(said.split())]
        typer.echo("\n  ".join([f"{program}: {lines[0]}", *lines[1:]]), err=True)
        raise typer.Exit(2) from error


def _expected(error: Exception) -> bool:
    """Return whether the user can put an error right."""
    import sqlite3  # these take time to load

    from traitlets import TraitError

    from referee import course, intake
    from referee.sandbox.outside.zygote import SandboxError
    from referee.workers import WorkersError

    kinds = (
        OSError, sqlite3.Error, TraitError, WorkersError, course.CourseError,
        intake.UnreadableError, SandboxError,
    )  # fmt: skip
    return isinstance(error, kinds)


def sentence(error: BaseException) -> str:
    """Return the sentence for an expected error: what, where and what to do."""
    import sqlite3

    from traitlets import TraitError

    from referee.course import CONFIG
    from referee.judging import cache

    match error:
        case OSError():
            return _of_the_system(error)
        case sqlite3.Error():
            return (
                f"{cache.FILE} cannot be used ({error}); free space if the disk is full, else "
                "delete it: what it holds is judged again"
            )
        case TraitError():
            return f"{CONFIG}: {error}; correct this setting"
    return str(error)


def _fault(error: Exception) -> str:
    """Store the traceback of a bug in the referee; return the sentence that names its file."""
    import tempfile
    import traceback

    story = "".join(traceback.format_exception(error))
    for folder in (Path.cwd() / LAST.parent, Path(tempfile.gettempdir())):
        with contextlib.suppress(OSError, UnicodeError):
            folder.mkdir(exist_ok=True)
            (folder / LAST.name).write_text(story, "utf-8", "backslashreplace")
            return (
                f"something of ours has failed ({type(error).__name__}); what was entered before "
                f"is kept; tell us of it, with the file {folder / LAST.name}"
            )
    return f"something of ours has failed: {story}"


def of_notebook(file: Path, error: OSError) -> str:
    """Return the sentence for a notebook that was named and cannot be opened."""
    return f"{file}: {error.strerror}; name a notebook file that can be read"


def _of_the_system(error: OSError) -> str:
    """Return a sentence for an error of the operating system, with the file if it is known."""
    if error.errno is None:
        return str(error)
    where = "" if error.filename is None else f"{os.fsdecode(error.filename)}: "
    again = f"{error.strerror}; put that right and run this again"
    return where + ADVICE.get(error.errno, again)
