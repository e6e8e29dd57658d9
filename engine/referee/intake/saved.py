"""Read the cells of a notebook as `nbgrader generate_assignment` saved them in the gradebook.

They are saved after all preprocessors of the course except those that hide something; nbgrader's
autograde restores locked cells from there. Writes nothing.
"""

import functools
from pathlib import Path

from sqlalchemy import Engine, NullPool, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from referee.course import CONFIG, Assignment, CourseError, db_url
from referee.model import Original

BUSY_SECONDS = "60"
UNUSABLE = (
    "the gradebook cannot be used ({}); see that c.CourseDirectory.db_url in "
    f"{CONFIG} names it, and put your last copy back if it is damaged"
)
CELLS = text(
    "SELECT source_cell.name, checksum, source, locked FROM source_cell"
    " JOIN notebook ON source_cell.notebook_id = notebook.id"
    " JOIN assignment ON notebook.assignment_id = assignment.id"
    " WHERE assignment.name = :assignment AND notebook.name = :notebook"
)


def cells(assignment: Assignment) -> dict[str, Original]:
    """Return the saved cells of a notebook by name; {} without a gradebook.

    CourseError if the gradebook cannot be used.
    """
    engine = _engine(patient(db_url(assignment.root)))
    url, file = engine.url, Path(engine.url.database or "")
    if url.get_backend_name() == "sqlite" and not (file.is_file() and file.stat().st_size):
        return {}
    names = {"assignment": assignment.name, "notebook": assignment.part or assignment.name}
    try:
        with engine.connect() as book:
            rows = book.execute(CELLS, names).all()
    except SQLAlchemyError as error:
        raise CourseError(UNUSABLE.format(getattr(error, "orig", None) or error)) from error
    return {row.name: Original(row.checksum, row.source if row.locked else None) for row in rows}


@functools.lru_cache(4)
def _engine(url: str) -> Engine:
    return create_engine(url, poolclass=NullPool)  # no connection stays open


def patient(db_url: str) -> str:
    """Return a database URL; for SQLite, with a timeout of `BUSY_SECONDS` for locks."""
    url = make_url(db_url)
    if url.get_backend_name() == "sqlite" and "timeout" not in url.query:
        url = url.update_query_dict({"timeout": BUSY_SECONDS})
    return url.render_as_string(hide_password=False)
