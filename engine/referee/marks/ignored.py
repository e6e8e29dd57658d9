"""Keep what is about persons out of the git history of a course, by lines in its `.gitignore`."""

from collections.abc import Iterator
from fnmatch import fnmatch

from referee.course import Course
from referee.marks import files

STEPS = ("submitted", "autograded", "feedback")  # folders with one for each student
STAYS = ("README.md",)  # it says what a folder of `STEPS` is for
MADE = (  # files about the class, in the course's folder, but for those that the course hands out
    "*.jsonl", "*.csv", "report-*.html", "feedback-*.zip", "gradebook.db.*",
    "viva-*.html",
)  # fmt: skip
FILE = ".gitignore"
HEAD = "# What is about persons, and secrets: written by `referee`."
MORE = (
    "/gradebook.db*", "/.referee/", "/.nbgrader.log", "/*.log", "/*.zip", "/downloaded/",
    "seed.txt",
)  # fmt: skip


def add(course: Course) -> bool:
    """Write the lines that are not there; return whether there were some."""
    file = course.root / FILE
    content = file.read_bytes() if file.is_file() else b""
    before = content.decode("utf-8", "surrogateescape").rstrip("\n")
    if lines := [line for line in _lines(course) if line not in before.splitlines()]:
        text = "\n".join([*([before] if before else []), HEAD, *lines, ""])
        files.save(file, text.encode("utf-8", "surrogateescape"))
    return bool(lines)


def _lines(course: Course) -> Iterator[str]:
    """Yield a line for each kind of file that holds persons, where this course has it."""
    for step in STEPS:
        place = course.folder(step)
        if place.is_relative_to(course.root):
            yield f"/{place.relative_to(course.root).as_posix()}/*"
            yield from (f"!/{place.relative_to(course.root).as_posix()}/{name}" for name in STAYS)
    yield from (f"/{pattern}" for pattern in MADE)
    yield from MORE
    paths = sorted(path for path in course.handed_out if "/" not in path)
    patterns = [pattern.removeprefix("/") for pattern in (*MADE, *MORE)]
    yield from (f"!/{one}" for one in paths if any(fnmatch(one, pattern) for pattern in patterns))
