"""`referee forget`: one person's data."""

from typing import Annotated

import typer

from referee.doors.cli import errors, shared


def forget(
    student: shared.StudentArgument,
    archive: shared.ArchiveOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Erase it without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Erase everything that is stored about a student, in the course and in archives."""
    from referee.doors import forget as forgetting
    from referee.doors import show

    console = shared.console()
    with errors.in_one_line():
        roots = [shared.root(course_folder), *(one.resolve() for one in archive or [])]
        traces = [trace for root in roots for trace in forgetting.traces(root, student)]
        for trace in traces:
            show.say(console, f"{trace.where}: {trace.what}")
        if not traces:
            show.say(console, f"Nothing is kept of {student}.")
        elif not yes and not typer.confirm("Erase it? It cannot be undone."):
            raise typer.Exit(1)
        for root in roots:
            with shared.alone(root, "erasing a student's data"):
                for trace in forgetting.traces(root, student):
                    trace.erase()
        left = [file for root in roots for file in forgetting.still_named(root, student)]
    if traces:
        show.say(console, f"Erased: {len(traces)} places. Copies elsewhere are not known here.")
    for file in left:
        show.say(console, f"{file}: still has the word {student}; look whether it means them")
    raise typer.Exit(1 if left else 0)
