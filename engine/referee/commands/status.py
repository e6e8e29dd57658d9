"""`referee status`: how far the class has come."""

from referee.commands import errors, shared


def status(
    assignment: shared.AssignmentsArgument = None,
    json: shared.JsonOption = None,
    course_folder: shared.CourseOption = None,
) -> None:
    """Show who has handed in, is graded, and waits for your mark."""
    from referee.commands import terminal as show
    from referee.doors import status as statuses
    from referee.doors.show import classroom

    with errors.in_one_line():
        shared.expect_writable(json)
        found = [statuses.of(task) for task in shared.tasks_of_class(course_folder, assignment)]
        show.save(json, found)
    classroom.status(shared.console(json), found)
