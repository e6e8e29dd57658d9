"""Write a new assignment: a complete small one, to be changed.

Its files are those of `referee/templates`, with its name for ASSIGNMENT. Overwrites nothing.
"""

import re
from pathlib import Path

from referee import course
from referee.course import CONFIG, Assignment, CourseError, files_in
from referee.marks import ignored, release

TEMPLATES = Path(__file__).parents[1] / "templates"
NAME = re.compile(r"\w[\w-]*", re.ASCII)


def write(root: Path, name: str) -> list[Path]:
    """Write a new assignment and its release; return the files that were made.

    Makes `root` a course if it is none.
    """
    if not NAME.fullmatch(name):
        raise CourseError(f"no assignment can be called {name!r}; use letters, digits, - and _")
    task = Assignment(name, root)
    for folder in (task.source.parent, task.hidden, task.bank, task.release.parent):
        if folder.exists():
            raise CourseError(f"{folder} is there already; choose another name, or move it away")
    files = {} if (root / CONFIG).is_file() else filled("course", name)
    files |= filled("example", name)
    brought = course.library(root, name) if (root / CONFIG).is_file() else {}
    for file, content in filled("student", name).items():
        if file not in brought:
            files[f"source/{name}/{file}"] = content
    for file, content in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(content, "utf-8")
    release.make(root, name)
    made = [root / file for file in files]
    return [*made, root / ignored.FILE] if CONFIG in files and ignored.add(root) else made


def filled(template: str, name: str) -> dict[str, str]:
    """Return the files of a template, with the assignment's name in their names and texts."""
    files = {file: content.decode() for file, content in files_in(TEMPLATES / template).items()}
    return {
        file.replace("ASSIGNMENT", name): text.replace("ASSIGNMENT", name)
        for file, text in files.items()
    }
