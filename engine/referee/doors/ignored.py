"""Keep what is about persons out of the git history of a course, by lines in its `.gitignore`."""

from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

from referee import course
from referee.doors.year import MADE, STAYS, STEPS
from referee.marks import files

FILE = ".gitignore"
BEGIN = "# ----- made by `referee`: what is about persons, and secrets -----\n"
END = "# ----- end of what `referee` has made -----\n"
MORE = (
    "/gradebook.db*", "/.referee/", "/.nbgrader.log", "/*.log", "/*.zip", "/downloaded/",
    "/.closing", "seed.txt", "viva.json",
)  # fmt: skip


def add(root: Path) -> bool:
    """Write the lines, in place of those that were made before; return whether it is changed."""
    file, text = root / FILE, without(root)
    known = set(text.splitlines())
    lines = [f"{line}\n" for line in _lines(root) if line not in known]
    apart = "\n" if text else ""
    made = f"{text}{apart}{BEGIN}{''.join(lines)}{END}" if lines else text
    changed = made != _text(file)
    if changed:
        files.save(file, made.encode("utf-8", "surrogateescape"))
    return changed


def take_out(root: Path) -> None:
    """Take the lines out, and delete the file if there is nothing else in it."""
    file, text = root / FILE, without(root)
    if text:
        files.save(file, text.encode("utf-8", "surrogateescape"))
    else:
        file.unlink(missing_ok=True)


def without(root: Path) -> str:
    """Return the file's text without the lines; nothing if there is none."""
    text = _text(root / FILE)
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    return f"{head.removesuffix(chr(10))}{tail}" if begin and end else text


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "surrogateescape") if file.is_file() else ""


def _lines(root: Path) -> Iterator[str]:
    """Yield a line for each kind of file that holds persons, where this course has it."""
    for step in STEPS:
        place = course.folder(root, step)
        if place.is_relative_to(root):
            yield f"/{place.relative_to(root).as_posix()}/*"
            yield from (f"!/{place.relative_to(root).as_posix()}/{name}" for name in STAYS)
    yield from (f"/{pattern}" for pattern in MADE)
    yield from MORE
    given = sorted(path for path in course.handed_out(root) if "/" not in path)
    named = [pattern.removeprefix("/") for pattern in (*MADE, *MORE)]
    yield from (f"!/{one}" for one in given if any(fnmatch(one, pattern) for pattern in named))
