"""Write the public part of a course, and prove that nothing secret is in it.

The public part is the releases, and the files in `c.Course.public` of the configuration. The proof
is a search for the lines of solutions, hidden checks, bank and subject; a line that was rewritten
is not found.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from referee import course, intake
from referee.course import CONFIG, CourseError, files_in
from referee.marks import files

REGION = re.compile(r"BEGIN [A-Z ]+[^\n]*\n(.*?)[^\n]*END [A-Z ]+", re.DOTALL)
SHORTEST = 12  # characters: `return value` is everybody's
MOST_NAMED = 5
SAYS_NOTHING = re.compile(r"(import|from) ")


class Published(NamedTuple):
    """The number of files written, and of secret lines that they were searched for."""

    files: int
    lines: int


def publish(root: Path, to: Path) -> Published:
    """Write the public files into a new folder; CourseError, and no folder, if one has secrets."""
    with files.new_folder(to) as half:
        tree, secrets = public(root), secret_lines(root)
        if hits := list(_hits(tree, secrets)):
            more = f" and {len(hits) - MOST_NAMED} more" if len(hits) > MOST_NAMED else ""
            raise CourseError(
                f"nothing was written: {'; '.join(hits[:MOST_NAMED])}{more}; take these lines out, "
                f"or the file out of c.Course.public in {CONFIG}"
            )
        for name, content in tree.items():
            (half / name).parent.mkdir(parents=True, exist_ok=True)
            (half / name).write_bytes(content)
    return Published(len(tree), len(secrets))


def public(root: Path) -> dict[str, bytes]:
    """Return the files that anybody may see, by their paths in the course's folder."""
    places = [part.release.parent for part in _parts(root)]
    for name in course.public(root):
        if not (root / name).exists():
            raise CourseError(
                f"{root / name} is missing, which c.Course.public in {CONFIG} names; put it there, "
                "or take it out"
            )
        places.append(root / name)
    found: dict[str, bytes] = {}
    for place in places:
        inside = files_in(place) if place.is_dir() else {"": place.read_bytes()}
        where = place.relative_to(root)
        found |= {(where / name).as_posix(): content for name, content in inside.items()}
    return found


def secret_lines(root: Path) -> dict[str, str]:
    """Return the secret lines that are not also public, each with its place."""
    secret: dict[str, str] = {}
    shown: set[str] = set()
    for part in _parts(root):
        for cell in intake.course_notebook(part.source).cells:
            hidden = REGION.findall(cell.source)
            if not hidden and cell.metadata.get("nbgrader", {}).get("solution"):
                hidden = [cell.source]
            secret |= dict.fromkeys(_lines("\n".join(hidden)), _short(root, part.source))
            if hidden != [cell.source]:
                shown |= _lines(REGION.sub("", cell.source))
        beside = files_in(part.source.parent, leave_out="*.ipynb")
        library = course.carried(root, part.name, course.library(root, part.name))
        for content in (*beside.values(), *library.values()):
            shown |= _lines(_text(content))
    for folder in _secret_folders(root):
        for name, content in files_in(folder).items():
            secret |= dict.fromkeys(_lines(_text(content)), _short(root, folder / name))
    return {line: where for line, where in secret.items() if line not in shown}


def _secret_folders(root: Path) -> list[Path]:
    name = course.subject_name(root)
    folders = [root / "tests" / "hidden", root / "bank", *([root / name] if name else [])]
    return [folder for folder in folders if folder.is_dir()]


def _hits(tree: Mapping[str, bytes], secrets: Mapping[str, str]) -> Iterator[str]:
    """Yield each secret line in the files, with the file and the line's origin."""
    for name, content in tree.items():
        text = _text(content)
        if name.endswith(".ipynb"):
            cells = intake.parse(content).cells
            outputs = (str(one) for cell in cells for one in cell.get("outputs", ()))
            text = "\n".join([*(cell.source for cell in cells), *outputs])
        for line in sorted(_lines(text) & secrets.keys()):
            yield f"{name} gives away `{line}` of {secrets[line]}"


def _parts(root: Path) -> list[course.Assignment]:
    return [part for name in course.assignments(root) for part in course.find_parts(root, name)]


def _lines(text: str) -> set[str]:
    """Return the lines of a text that are long enough to be secret."""
    lines = (line.strip() for line in text.splitlines())
    return {line for line in lines if len(line) >= SHORTEST and not SAYS_NOTHING.match(line)}


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _short(root: Path, file: Path) -> str:
    return file.relative_to(root).as_posix()
