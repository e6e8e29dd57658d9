"""Read the cells of a notebook as `nbgrader generate_assignment` saved them in the gradebook.

They are saved after all preprocessors of the course except those that hide something; nbgrader's
autograde restores locked cells from there. Writes nothing.
"""

from pathlib import Path

from sqlalchemy import NullPool, create_engine, inspect, make_url, text

from referee.course import Assignment
from referee.intake import database
from referee.model import Original

CELLS = text(
    "SELECT source_cell.name, checksum, source, locked FROM source_cell"
    " JOIN notebook ON source_cell.notebook_id = notebook.id"
    " JOIN assignment ON notebook.assignment_id = assignment.id"
    " WHERE assignment.name = :assignment AND notebook.name = :notebook"
)


def cells(assignment: Assignment) -> dict[str, Original]:
    """Return the saved cells of a notebook by name; {} without a gradebook, or tables in it.

    CourseError if the gradebook cannot be used.
    """
    names = {"assignment": assignment.name, "notebook": assignment.part or assignment.name}
    try:
        url = make_url(database.patient(assignment.course.db_url))
        file = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
        if file and not (file.is_file() and file.stat().st_size):
            return {}
        with create_engine(url, poolclass=NullPool).connect() as book:
            if not inspect(book).has_table("source_cell"):  # nobody has opened it yet
                return {}
            rows = book.execute(CELLS, names).all()
    except Exception as error:  # pg8000 lets errors of any kind through
        raise database.unusable(error) from error
    return {row.name: Original(row.checksum, row.source if row.locked else None) for row in rows}
