"""Read the gradebook's database without nbgrader, and say what to do if it cannot be used."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, NullPool, create_engine, inspect, make_url, text

from referee.course import CONFIG, Assignment, CourseError
from referee.model import Original

BUSY_SECONDS = 60  # that a file is waited for which another process has locked
UNUSABLE = (
    f"the gradebook cannot be used ({{}}); see that c.CourseDirectory.db_url in {CONFIG} names "
    "it, that its server runs if it has one, that `nbgrader db upgrade` was run if an older "
    "nbgrader has made it, and put your last copy back if it is damaged"
)
CELLS = text(
    "SELECT source_cell.name, checksum, source, locked FROM source_cell"
    " JOIN notebook ON source_cell.notebook_id = notebook.id"
    " JOIN assignment ON notebook.assignment_id = assignment.id"
    " WHERE assignment.name = :assignment AND notebook.name = :notebook"
)


@contextlib.contextmanager
def reading(db_url: str, table: str) -> Iterator[Connection | None]:
    """Give a connection to a database that has a table; None if it is not there, or has none.

    CourseError if it cannot be used. A file is not made by looking for it.
    """
    try:
        place = file(db_url)
        if place and not (place.is_file() and place.stat().st_size):
            yield None
            return
        with create_engine(patient(db_url), poolclass=NullPool).connect() as book:
            yield book if inspect(book).has_table(table) else None
    except CourseError:
        raise
    except Exception as error:  # pg8000 lets errors of any kind through
        raise unusable(error) from error


def file(db_url: str) -> Path | None:
    """Return the file of a database, whether or not it is there; None if a server has it."""
    url = make_url(db_url)
    return Path(url.database) if url.database and url.get_backend_name() == "sqlite" else None


def patient(db_url: str) -> str:
    """Return a database's URL; with it, a locked file is waited for."""
    if not db_url.startswith("sqlite") or "timeout=" in db_url:
        return db_url
    return f"{db_url}{'&' if '?' in db_url else '?'}timeout={BUSY_SECONDS}"


def unusable(error: BaseException) -> CourseError:
    """Return the error for a database that cannot be used: why, and what to do."""
    orig: BaseException = getattr(error, "orig", None) or error
    fields = orig.args[0] if orig.args else None
    why = fields.get("M", orig) if isinstance(fields, dict) else orig  # pg8000 gives all it knows
    return CourseError(UNUSABLE.format(str(why).strip()))


def saved_cells(assignment: Assignment) -> dict[str, Original]:
    """Return the cells of a notebook by name, as nbgrader saved them when it made the release.

    They are as all preprocessors of the course have left them but those that hide something; there
    are none without a gradebook, or tables in it. CourseError if it cannot be used.
    """
    names = {"assignment": assignment.name, "notebook": assignment.part or assignment.name}
    with reading(assignment.course.db_url, "source_cell") as book:
        rows = book.execute(CELLS, names).all() if book else ()
    return {row.name: Original(row.checksum, row.source if row.locked else None) for row in rows}
