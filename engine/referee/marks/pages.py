"""Make everybody's feedback with nbgrader's own converter, and read it."""

from pathlib import Path

from nbgrader.converters import GenerateFeedback
from nbgrader.coursedir import CourseDirectory

from referee import course
from referee.course import Assignment


def make(assignment: Assignment) -> dict[str, bytes]:
    """Return the page of each student who was graded, made anew: marks by hand are in it."""
    config = course.configuration(assignment.root)
    folders = CourseDirectory(config=config)
    folders.assignment_id = assignment.name
    converter = GenerateFeedback(coursedir=folders, config=config)
    converter.force = True
    converter.log.setLevel("ERROR")
    converter.start()
    pages = {}
    for student in graded(assignment):
        step = folders.format_path(folders.feedback_directory, student, assignment.name)
        file = (Path(step) / assignment.notebook).with_suffix(".html")
        if file.is_file():
            pages[student] = file.read_bytes()
    return pages


def graded(assignment: Assignment) -> list[str]:
    """Return the students who have an autograded notebook here."""
    root = course.folder(assignment.root, "autograded")
    found = root.glob(f"*/{assignment.name}/{assignment.notebook}")
    return sorted(one.parents[1].name for one in found)
