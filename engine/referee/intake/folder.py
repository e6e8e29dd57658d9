"""Find the notebook in a student's submission.

`collect` opens only regular files of a limited size: links, pipes or devices could show a student
other files, or never end. `choose` selects the notebook from the result, and `with_files` finds
what it does with the files beside it, on any machine.
"""

import os
import re
import stat
from base64 import b64encode
from collections.abc import Collection, Set
from pathlib import Path, PurePosixPath
from urllib.parse import quote

import msgspec
from nbformat import NotebookNode

from referee.course import Course
from referee.intake import file as notebook_file
from referee.intake import repair, times
from referee.intake.file import PICTURES, UnreadableError
from referee.intake.repair import Intake

UNSEEN = (  # controls, and what turns the direction of writing or has no width
    r"\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e0fff"
)
STUDENT = re.compile(rf"(?!\.)[^{UNSEEN}<>&\"`*?\[\]{{}}\\/]{{1,200}}")  # not hidden, no markup
OTHER_ENDING = re.compile(r"(?i)\.ipynb(\.txt|\.json|\.html?)?$|\.ipynb \(\d+\)$")
MADE = ("__pycache__", "__MACOSX")
TIMELESS = "the time stamp does not count"
STAMPS = " (nbgrader does with c.Exchange.timestamp_format = '%Y-%m-%d %H:%M:%S %z')"
UNNAMED = "files that the notebook does not name"
ENDINGS = {".png": PICTURES[0], ".jpg": PICTURES[1], ".jpeg": PICTURES[1], ".gif": PICTURES[2]}
MOST_BESIDE, MOST_BESIDE_BYTES = 100, 10 * 1024 * 1024  # other files, which go to each worker
MOST_BYTES = 2 * notebook_file.MAX_BYTES  # of notebooks, each of which counts as `LEAST_BYTES`
LEAST_BYTES = MOST_BYTES // 20


class HandedIn(msgspec.Struct, frozen=True):
    """The content of a student's folder.

    The notebooks are sorted, the wanted one first, each with its content, or why it cannot be read;
    those beyond `MOST_BYTES` are counted in one entry. `beside` are the other files, by their
    paths, `left_out` the names of those that are links, too large or too many. `timestamp` is the
    time in the file of that name; `timeless` is the reason if it does not count.
    """

    notebooks: dict[str, bytes | str]
    timestamp: str | None = None
    timeless: str | None = None
    refused: str | None = None
    beside: dict[str, bytes] = {}
    left_out: list[str] = []


def contents(file: Path) -> bytes:
    """Return the content of a file; UnreadableError unless it is a regular file of legal size."""
    if not stat.S_ISREG(file.lstat().st_mode):
        raise UnreadableError(
            f"{shown(file.name)} is a link, a folder or a device, no file; "
            "hand in the notebook itself"
        )
    with os.fdopen(os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as stream:
        notebook_file.check_size(os.fstat(stream.fileno()).st_size, "bytes")
        return stream.read(notebook_file.MAX_BYTES + 1)


def collect(folder: Path, notebook: str, others: Collection[str] = ()) -> HandedIn:
    """Read the notebooks in a folder, among them the one named `notebook`.

    The assignment's `others` are left out; if there are only these, the wanted one was not handed
    in. Raises OSError if an existing file cannot be opened.
    """
    if folder.is_symlink():
        return HandedIn({}, refused="the folder is a link; hand in the notebook itself")
    files: dict[str, bytes | str] = {}
    room = MOST_BYTES
    names = notebooks(folder)
    candidates = [name for name in names if name.rpartition("/")[2] not in others]
    if names and not candidates:
        stem = notebook.partition(".")[0]
        like = [shown(name) for name in inside(folder) if name.partition(".")[0] == stem]
        instead = f", only {', '.join(like)}" if like else ""
        return HandedIn({}, *time_stamp(folder), f"{notebook} was not handed in{instead}")
    candidates.sort(key=lambda name: name != notebook)
    for name in candidates:
        if room <= 0:
            break
        file: bytes | str
        try:
            file = contents(folder / name)
        except UnreadableError as error:
            file = str(error)
        files[os.fsencode(name).decode("utf-8", "backslashreplace")] = file
        room -= max(len(file), LEAST_BYTES)
    if more := len(candidates) - len(files):
        files[f"and {more:,} more"] = "there are too many"
    return HandedIn(files, *time_stamp(folder), None, *beside(folder, {*names}))


def beside(folder: Path, notebooks: Set[str]) -> tuple[dict[str, bytes], list[str]]:
    """Return the files beside the `notebooks`, by their paths, and the names of those left out.

    Hidden ones are neither; no link is followed. Raises OSError if a file cannot be opened.
    """
    bodies, left_out, room = dict[str, bytes](), list[str](), MOST_BESIDE_BYTES
    for place, folders, files in os.walk(folder):
        folders[:] = [one for one in sorted(folders) if one[0] != "." and one not in MADE]
        for name in [*sorted(files), *folders]:
            file = Path(place, name)
            path = file.relative_to(folder).as_posix()
            if name.startswith(".") or path == "timestamp.txt" or path in notebooks:
                continue
            if len(bodies) + len(left_out) > MOST_BESIDE:
                return bodies, [*left_out, "and more"]
            status = file.lstat()
            if stat.S_ISDIR(status.st_mode):
                continue
            if not (stat.S_ISREG(status.st_mode) and status.st_size <= room and path.isprintable()):
                left_out.append(shown(path))
                continue
            bodies[path] = contents(file)
            room -= len(bodies[path])
    return bodies, left_out


def students(course: Course, assignment: str) -> list[str]:
    """Return the students with a submission for an assignment, sorted.

    A folder that cannot be read counts as a submission; a hidden one, such as
    `.ipynb_checkpoints`, does not, nor does that of somebody whom the configuration leaves out.
    """
    submitted, left_out, names = course.folder("submitted"), course.left_out, list[str]()
    for folder in submitted.iterdir() if submitted.is_dir() else ():
        try:
            there = (folder / assignment).exists()
        except OSError:
            there = True
        if there and not folder.name.startswith(".") and folder.name not in left_out:
            names.append(folder.name)
    return sorted(names)


def time_stamp(folder: Path) -> tuple[str | None, str | None]:
    """Return the time stamp in a folder in UTC, if any, or the reason why it does not count.

    Raises OSError if the file exists and cannot be opened.
    """
    stamp = None
    try:
        stamp = contents(folder / "timestamp.txt").decode("utf-8-sig").strip()
        return times.written(times.moment(stamp)), None
    except FileNotFoundError:
        return None, None
    except UnicodeDecodeError:
        return None, "timestamp.txt is no text"
    except ValueError as error:
        why = str(error) if stamp is None else f"{shown(stamp) or 'an empty file'} {error}{STAMPS}"
        return None, why


def choose(handed_in: HandedIn, notebook: str, release: NotebookNode) -> Intake | None:
    """Rebuild the submitted notebook; return None if there is none.

    Of several it is that in which most was done, and of such as are alike in this the one named
    `notebook`; one in a folder inside only where nothing was done in those above.
    """
    if handed_in.refused is not None:
        return repair.refuse(handed_in.refused, release)
    if not handed_in.notebooks:
        return None
    works = dict[str, tuple[int, Intake]]()  # in how many cells something was done, and all
    blank = {repair.identity(cell): cell.source for cell in release.cells}
    for name, file in handed_in.notebooks.items():
        if isinstance(file, str):
            accepted = repair.refuse(file, release)
        else:
            accepted = repair.read(file, release)
        sources = {repair.identity(cell): cell.source for cell in accepted.notebook.cells}
        done = sum(cell is not None and sources[cell] != blank[cell] for cell in blank)
        works[name] = done if accepted.refused is None else -1, accepted
    best = max(works, key=lambda name: ("/" not in name and works[name][0] > 0, works[name][0]))
    accepted = works[best][1]
    notes = []
    if handed_in.timeless is not None:
        notes.append(f"{TIMELESS}: {handed_in.timeless}")
    if best != notebook:
        notes.append(f"the file {shown(best)} was graded as {notebook}")
    if others := [shown(name) for name in handed_in.notebooks if name != best]:
        notes.append(f"there are other notebooks, which were not graded: {', '.join(others)}")
    elsewhere = accepted.elsewhere or bool(others)
    return accepted._replace(repairs=[*notes, *accepted.repairs], elsewhere=elsewhere)


def with_files(accepted: Intake, handed_in: HandedIn, handout: Set[str]) -> Intake:
    """Return a notebook with the files beside it, by their paths; say which ones it does not name.

    A picture belongs to the first text that names it. What is in the way of a file of the `handout`
    is left out.
    """
    if accepted.refused is not None:
        return accepted
    paths = {*handout, *(str(one) for name in handout for one in PurePosixPath(name).parents)}
    cells = accepted.notebook.cells
    files = {
        name: body
        for name, body in handed_in.beside.items()
        if name not in paths and handout.isdisjoint(map(str, PurePosixPath(name).parents))
    }
    texts = {n: body.decode("utf-8", "replace") for n, body in files.items() if n[-3:] == ".py"}
    locks = [one.metadata.get("nbgrader", {}).get("locked", False) for one in cells]
    texts[""] = "\n".join(  # without the course's own texts
        cell.source
        for cell, is_locked in zip(cells, locks, strict=True)
        if cell.cell_type == "code" or not is_locked
    )
    for name, body in files.items():
        kind = ENDINGS.get(PurePosixPath(name).suffix.lower())
        naming = (one for one in cells if one.cell_type == "markdown" and _names(one.source, name))
        cell = next(naming, None) if kind else None
        if cell and not cell.metadata.get("nbgrader", {}).get("locked"):
            cell.setdefault("attachments", {})[name] = {kind: b64encode(body).decode()}
    unnamed = [
        shown(name)
        for name in files
        if not any(_names(text, name) for by, text in texts.items() if by != name)
    ]
    notes = [f"{UNNAMED}: {', '.join(unnamed)}"] if unnamed else []
    if left_out := handed_in.left_out:
        notes.append(f"{UNNAMED}, or that are links, too large or too many: {', '.join(left_out)}")
    return accepted._replace(
        repairs=[*accepted.repairs, *notes],
        elsewhere=accepted.elsewhere or bool(notes),
        beside=tuple(sorted(files.items())),
    )


def _names(text: str, name: str) -> bool:
    """Return whether a text names a file: by its name, or as a module or package."""
    path = PurePosixPath(name)
    names = [path.name, quote(path.name)]
    if path.suffix == ".py":
        names = [path.parent.name] if path.stem == "__init__" else [path.name, path.stem]
    return any(one in text for one in names)


def notebooks(folder: Path) -> list[str]:
    """Return the names of the notebooks in a folder, sorted, and with paths those a folder deeper.

    Those count, too, that a browser or a system has given another ending than .ipynb. Raises
    PermissionError for a folder that cannot be read.
    """
    names = inside(folder)
    deeper = [one for one in names if not (folder / one).is_symlink()]
    paths = [f"{one}/{name}" for one in deeper for name in inside(folder / one)]
    return [name for name in [*names, *sorted(paths)] if OTHER_ENDING.search(name)]


def inside(folder: Path, hidden: bool = False) -> list[str]:
    """Return the names of what is in a folder and not hidden, or of all, sorted."""
    names = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    return [name for name in names if hidden or not name.startswith((".", "__"))]


def shown(name: str) -> str:
    """Return a file name shortened and printable."""
    return name if name.isprintable() and len(name) <= 80 else ascii(name)[:80]
