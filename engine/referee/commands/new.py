"""`referee new`: an assignment to begin with, complete and small.

Its files are those of `referee/templates`, with its name for ASSIGNMENT. Overwrites nothing.
"""

import re
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from referee.commands import shared, terminal
from referee.course import CONFIG, Assignment, Course, CourseError, files_in
from referee.marks import ignored, release

TEMPLATES = Path(__file__).parents[1] / "templates"
NAME = re.compile(r"\w[\w-]*", re.ASCII)


def run(
    assignment: Annotated[str, typer.Argument(help="The name of the new assignment.")],
    course_folder: shared.CourseOption = None,
) -> int:
    """Write a small assignment that is complete, to be changed."""
    try:
        course = shared.course(course_folder)
    except CourseError:
        course = Course((course_folder or Path.cwd()).absolute())  # which becomes one
    lines = [f"  {file.relative_to(course.root)}" for file in write(course, assignment)]
    watch = f"`referee audit {quote(assignment)} --watch`"
    terminal.said([*lines, f"Change these files, and watch what becomes of them: {watch}"])
    return 0


def write(course: Course, name: str) -> list[Path]:
    """Write a new assignment and its release; return the files that were made.

    Makes its folder a course if it is none.
    """
    if not NAME.fullmatch(name):
        raise CourseError(f"no assignment can be called {name!r}; use letters, digits, - and _")
    task = Assignment(name, course)
    for folder in (task.source.parent, task.hidden, task.bank, task.release.parent):
        if folder.exists():
            raise CourseError(f"{folder} is there already; choose another name, or move it away")
    there = (course.root / CONFIG).is_file()
    texts = {} if there else files_in(TEMPLATES / "course")
    texts |= files_in(TEMPLATES / "example")
    for file, text in files_in(TEMPLATES / "student").items():
        if file not in course.library(name):  # which the course brings itself
            texts[f"source/ASSIGNMENT/{file}"] = text
    files = {}
    for path, text in texts.items():
        step, _, inside = path.replace("ASSIGNMENT", name).partition("/")
        place = course.folder(step) if step == "source" else course.root / step
        files[place / inside] = text.replace(b"ASSIGNMENT", name.encode())
    for place, text in files.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    release.make(Course(course.root), name)
    if not there and ignored.add(Course(course.root)):
        files[course.root / ignored.FILE] = b""
    return [*files]
