"""`referee ladder`: what was handed in plays against each other; no mark depends on it."""

from typing import Annotated

import typer

from referee.doors.cli import errors, shared

NamesOption = Annotated[
    bool, typer.Option("--names", help="Show who is who, and not names made up for them.")
]
OpeningsOption = Annotated[
    int, typer.Option(min=1, help="How many games each pair begins, each from both sides.")
]
OpponentsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        show_default="all, 12 in a class of more than 40",
        help="How many others each student meets, at least.",
    ),
]


def ladder(
    assignment: shared.AssignmentArgument,
    names: NamesOption = False,
    openings: OpeningsOption = 1,
    opponents: OpponentsOption = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="CPU seconds for a move.")] = 1.0,
    json: shared.JsonOption = None,
    workers: shared.WorkersOption = shared.CORES,
    unsafe: shared.UnsafeOption = False,
    course_folder: shared.CourseOption = None,
) -> None:
    """Let submissions play each other, and write a page with ratings and all games.

    Games that were played are kept: a ladder that was stopped goes on, and who hands in something
    else plays anew.
    """
    from referee import course
    from referee.doors import ladder as ladders
    from referee.doors import show
    from referee.doors.show import classroom, progress

    with errors.in_one_line():
        task = shared.assignment(course_folder, assignment)
        shared.expect_writable(json)
        shared.expect_writable(page := task.root / f"ladder-{task.title}.html")
        console = shared.console(json)
        with shared.lock(task.root, f"ladder-{task.title}", f"playing the ladder of {task.key}"):
            limits = course.limits(task.root, unsafe)
            planned = ladders.contest(task, limits, openings, seconds, opponents)
            with progress.shown(console, "games played", planned.left, workers) as ticker:
                result = ladders.run(planned, workers, lambda who: ticker.done(who, True, True))
        called = ladders.names(planned, names)
        ladders.write(planned, result, called, names, page)
        show.save(json, result)
        classroom.ladder(console, result, called, page)
    raise typer.Exit(1 if result.uncounted else 0)
