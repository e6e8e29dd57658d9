"""Make everybody's feedback with nbgrader's own converter, and read it."""

from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from referee import course
from referee.course import Assignment


def make(assignment: Assignment) -> dict[str, bytes]:
    """Return the page of each student who was graded, as it is now: marks by hand are in it."""
    config = course.configuration(assignment.root)
    folders = CourseDirectory(config=config)
    folders.assignment_id = assignment.name
    folders.student_id_exclude = ",".join(sorted(course.left_out(assignment.root)))
    converter = GenerateFeedback(coursedir=folders, config=config)
    converter.force = True
    converter.log.setLevel("ERROR")
    converter.start()
    feedback = course.folder(assignment.root, "feedback")
    pages = {
        student: (feedback / student / assignment.name / assignment.notebook).with_suffix(".html")
        for student in graded(assignment)
    }
    return {student: page.read_bytes() for student, page in pages.items() if page.is_file()}


def graded(assignment: Assignment) -> list[str]:
    """Return the students who have an autograded notebook here."""
    found = course.folder(assignment.root, "autograded").glob(
        f"*/{assignment.name}/{assignment.notebook}"
    )
    return sorted({one.parents[1].name for one in found})
