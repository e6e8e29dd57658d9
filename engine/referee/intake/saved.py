"""Read the cells of a notebook as `nbgrader generate_assignment` saved them in the gradebook.

They are saved after all preprocessors of the course except those that hide something; nbgrader's
autograde restores locked cells from there. Writes nothing.
"""

from sqlalchemy import text

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
    with database.reading(assignment.course.db_url, "source_cell") as book:
        rows = book.execute(CELLS, names).all() if book else ()
    return {row.name: Original(row.checksum, row.source if row.locked else None) for row in rows}
