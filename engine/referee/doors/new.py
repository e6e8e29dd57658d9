"""Write a new assignment: a complete small one, or the beginnings of one around a notebook.

Its files are those of `referee/templates`, with the words in capitals replaced. Overwrites nothing.
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import nbformat

from referee import course, intake
from referee.course import CONFIG, Assignment, CourseError, files_in
from referee.doors import around

TEMPLATES = Path(__file__).parents[1] / "templates"
NAME = re.compile(r"\w[\w-]*", re.ASCII)


def write(root: Path, name: str, notebook: Path | None = None) -> list[Path]:
    """Write a new assignment and its release; return the files that were made.

    Where there is no course, `root` becomes one.
    """
    if not NAME.fullmatch(name):
        raise CourseError(f"no assignment can be called {name!r}; use letters, digits, - and _")
    task = Assignment(name, root)
    for folder in (task.source.parent, task.hidden, task.bank, task.release.parent):
        if folder.exists():
            raise CourseError(f"{folder} is there already; choose another name, or move it away")
    files = {} if (root / CONFIG).is_file() else filled("course", {})
    files |= _around(notebook, name) if notebook else filled("example", {"ASSIGNMENT": name})
    brought = course.library(root, name) if (root / CONFIG).is_file() else {}
    for file, content in filled("student", {}).items():
        if file not in brought:
            files[f"source/{name}/{file}"] = content
    for file, content in files.items():
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(content, "utf-8")
    release(root, name)
    return [root / file for file in files]


def release(root: Path, name: str) -> None:
    """Make what students get from the source, by `nbgrader generate_assignment`."""
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", name, "--force"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # for alembic
    done = subprocess.run(
        [*command, "--create"], cwd=root, env=os.environ | {"PATH": path},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if "ERROR" in line or "Error" in line]
        said = "; ".join(line.partition("] ")[2] or line for line in errors[:2])
        raise CourseError(
            f"nbgrader cannot make release/{name} from source/{name}: {said}; correct it there"
        )


def filled(template: str, words: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a template, with the words replaced in their names and texts."""
    files = {}
    for file, content in files_in(TEMPLATES / template).items():
        text = content.decode()
        for word, instead in words.items():
            file, text = file.replace(word, instead), text.replace(word, instead)
        files[file] = text
    return files


def _around(file: Path, name: str) -> dict[str, str]:
    """Return the files of an assignment that starts from a notebook."""
    try:
        notebook = intake.parse(intake.contents(file))
    except intake.UnreadableError as error:
        raise CourseError(f"{file}: {error}") from error
    tasks = around.tasks(notebook)
    if not tasks:
        raise CourseError(
            f"{file}: no cell defines a function or a class, so there is nothing to ask for; write "
            "a solution first"
        )
    files = {f"source/{name}/{name}.ipynb": nbformat.writes(notebook) + "\n"}
    for task in tasks:
        words = {"CELL_NAME": task.cell, "THING": task.thing, "CELL_SOURCE": task.source}
        files |= filled("cells", {"ASSIGNMENT": name, **words})
    return files
