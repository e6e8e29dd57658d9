"""Keep what is about persons out of the git history of a course, by lines in its `.gitignore`."""

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
    """Write the lines that are not there; return whether there were some.

    There is one for each kind of file that holds persons, where this course has it.
    """
    lines = list[str]()
    for step in STEPS:
        place = course.folder(step)
        if place.is_relative_to(course.root):
            path = place.relative_to(course.root).as_posix()
            lines += [f"/{path}/*", *(f"!/{path}/{name}" for name in STAYS)]
    lines += [*(f"/{pattern}" for pattern in MADE), *MORE]
    paths = sorted(path for path in course.handed_out if "/" not in path)
    patterns = [pattern.removeprefix("/") for pattern in (*MADE, *MORE)]
    lines += [f"!/{one}" for one in paths if any(fnmatch(one, pattern) for pattern in patterns)]
    file = course.root / FILE
    content = file.read_bytes() if file.is_file() else b""
    before = content.decode("utf-8", "surrogateescape").rstrip("\n")
    if new := [line for line in lines if line not in before.splitlines()]:
        text = "\n".join([*([before] if before else []), HEAD, *new, ""])
        files.save(file, text.encode("utf-8", "surrogateescape"))
    return bool(new)
