"""`referee forget`: erase the data of one student."""

from typing import Annotated

import typer

from referee.commands import errors, shared


def forget(
    student: shared.StudentArgument,
    archive: shared.ArchiveOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Erase it without a question.")] = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Erase a student's work and marks; name what is left."""
    from referee.commands import terminal as show
    from referee.doors import forget as forgetting

    console = shared.console()
    with errors.in_one_line():
        roots = [shared.root(course_folder), *(one.resolve() for one in archive or [])]
        places = [place for root in roots for place in forgetting.places(root, student)]
        for place in places:
            show.say(console, str(place))
        if not places:
            show.say(console, f"Nothing is kept of {student}.")
        elif not yes and not typer.confirm("Erase it? It cannot be undone."):
            raise typer.Exit(1)
        for root in roots:
            with shared.alone(root, "erasing a student's data"):
                forgetting.erase(root, student)
        left = [file for root in roots for file in forgetting.still_named(root, student)]
    if places:
        show.say(console, f"Erased: {len(places)} places. Copies elsewhere are not known here.")
    for file in left:
        show.say(console, f"{file} still has the word {student}: delete it, or make it again")
    raise typer.Exit(1 if left else 0)
