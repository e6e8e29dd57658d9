"""Know where everything of a course lies.

The layout is nbgrader's; an assignment has one notebook, called as the assignment. Decides
nothing and runs nothing. Imports no other module of the referee.
"""

from pathlib import Path
from typing import NamedTuple

SEED = "seed.txt"
CONFIG = "nbgrader_config.py"
LIBRARY = ("games.py", "check.py")


class CourseError(ValueError):
    """The course is not laid out as expected; the message says what to do."""


class Assignment(NamedTuple):
    """The files of one assignment; `student` is whose submission is judged, if that is known."""

    name: str
    root: Path
    student: str = ""

    @property
    def notebook(self) -> str:
        """Return the file name of the notebook."""
        return f"{self.name}.ipynb"

    @property
    def source(self) -> Path:
        """Return the instructor's notebook, with the reference solution."""
        return self.root / "source" / self.name / self.notebook

    @property
    def release(self) -> Path:
        """Return the notebook that students got."""
        return self.root / "release" / self.name / self.notebook

    @property
    def hidden(self) -> Path:
        """Return the folder of the hidden checks."""
        return self.root / "tests" / "hidden" / self.name

    @property
    def seed(self) -> str:
        """Return what the random choices of the hidden checks depend on.

        That is the course's secret, which is a file among them, the assignment, and the student.
        """
        file = self.hidden / SEED
        secret = file.read_text("utf-8").strip() if file.is_file() else ""
        return f"{secret} {self.name} {self.student}"

    def of(self, student: str) -> "Assignment":
        """Return the assignment as it is for one student."""
        return self._replace(student=student)


def find_root(start: Path) -> Path:
    """Return the course folder at or above `start`: the one with `nbgrader_config.py`."""
    for folder in (start, *start.parents):
        if (folder / CONFIG).is_file():
            return folder
    raise CourseError(
        f"no course found: neither {start} nor a folder above it has a {CONFIG}; "
        "run this inside the course folder, or name it with --course"
    )


def assignments(root: Path) -> list[str]:
    """Return the names of the assignments that have hidden checks."""
    hidden = root / "tests" / "hidden"
    if not hidden.is_dir():
        raise CourseError(f"this course has no hidden checks: {hidden} is missing")
    return sorted(
        folder.name
        for folder in hidden.iterdir()
        if folder.is_dir() and not folder.name.startswith((".", "_"))
    )


def find_assignment(root: Path, name: str) -> Assignment:
    """Return an assignment of the course; a CourseError says what is missing."""
    assignment = Assignment(name, root)
    if not assignment.hidden.is_dir():
        known = ", ".join(assignments(root))
        raise CourseError(f"no assignment called {name!r}; this course has: {known}")
    if not assignment.release.is_file():
        raise CourseError(f"{assignment.release} is missing; make it with `make release`")
    return assignment


def release_files(folder: Path) -> dict[str, bytes]:
    """Return what lies beside the notebooks of a folder, by the paths from it, with / in them.

    Notebooks are left out, and so are hidden files and folders and what Python leaves behind.
    """
    found = {file.relative_to(folder): file for file in sorted(folder.rglob("*"))}
    return {
        path.as_posix(): file.read_bytes()
        for path, file in found.items()
        if file.is_file()
        and file.suffix != ".ipynb"
        and not any(part.startswith(".") or part == "__pycache__" for part in path.parts)
    }
