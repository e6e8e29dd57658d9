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
        own = shared.course(course_folder)
    except CourseError:
        own = Course((course_folder or Path.cwd()).absolute())  # which becomes one
    made = [f"  {file.relative_to(own.root)}" for file in write(own, assignment)]
    watch = f"`referee audit {quote(assignment)} --watch`"
    terminal.said([*made, f"Change these files, and watch what becomes of them: {watch}"])
    return 0


def write(own: Course, name: str) -> list[Path]:
    """Write a new assignment and its release; return the files that were made.

    Makes its folder a course if it is none.
    """
    if not NAME.fullmatch(name):
        raise CourseError(f"no assignment can be called {name!r}; use letters, digits, - and _")
    task = Assignment(name, own)
    for folder in (task.source.parent, task.hidden, task.bank, task.release.parent):
        if folder.exists():
            raise CourseError(f"{folder} is there already; choose another name, or move it away")
    there = (own.root / CONFIG).is_file()
    texts = {} if there else files_in(TEMPLATES / "course")
    texts |= files_in(TEMPLATES / "example")
    for file, text in files_in(TEMPLATES / "student").items():
        if file not in own.library(name):  # which the course brings itself
            texts[f"source/ASSIGNMENT/{file}"] = text
    files = {}
    for path, text in texts.items():
        step, _, inside = path.replace("ASSIGNMENT", name).partition("/")
        place = own.folder(step) if step == "source" else own.root / step
        files[place / inside] = text.replace(b"ASSIGNMENT", name.encode())
    for place, text in files.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text)
    release.make(Course(own.root), name)
    if not there and ignored.add(Course(own.root)):
        files[own.root / ignored.FILE] = b""
    return [*files]
