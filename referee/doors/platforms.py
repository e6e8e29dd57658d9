"""Read the zip in which Moodle, Canvas or ILIAS hands out submissions, and name feedback for it.

A zip is somebody else's file: nothing is unpacked by its own names, links and ways out of the
folder are refused, and of each student one notebook of a bounded size is read.
"""

import contextlib
import functools
import io
import re
import stat
import unicodedata
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import msgspec

from referee import intake
from referee.course import Assignment, CourseError, make_private
from referee.marks import files
from referee.model import Platform

MOST_ENTRIES = 50_000
UTF_8, ENCRYPTED = 0x800, 0x1  # flags of an entry
# Each matches a part of a path; what students choose comes after it, so the first match counts.
# Moodle, mod/assign/classes/downloader.php: name_number_assignsubmission_file, folder or file
MOODLE = re.compile(
    r"(?P<key>(?P<id>[^_]+)_(?P<number>\d+))_assignsubmission_[a-z]+(_(?P<file>.*))?"
)
# ILIAS, ilExSubmission and ilExAssignment: the folder lastname_firstname_login_number
ILIAS = re.compile(r"(?P<key>.+_(?P<id>[^_]+)_(?P<number>\d+))")
# Canvas, infer_comment_context_from_filename: the file name_LATE_user_attachment_title
CANVAS = re.compile(
    r"(?P<key>(?P<id>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_\d+_(?P<file>.+))\.ipynb"
)


class Found(msgspec.Struct, frozen=True):
    """A student's notebook in a zip; `key` is what the platform knows the student by there."""

    platform: Platform
    student: str
    number: str
    key: str
    file: str
    late: bool
    entry: str
    time: tuple[int, int, int, int, int, int]


class Known(msgspec.Struct, frozen=True):
    """What a platform knows a student by: its number, and its word in the names of files."""

    platform: Platform
    number: str
    key: str


class Collected(msgspec.Struct, frozen=True):
    """What was collected: by student, what the platform knows each one by, and who was late.

    `others` are entries that belong to no student or are no notebook; `refused` says by name why
    somebody's was not collected.
    """

    keys: dict[str, Known]
    late: list[str]
    others: list[str]
    refused: dict[str, str]


def collect(assignment: Assignment, file: Path) -> Collected:
    """Put each student's newest notebook of a zip into `submitted/`; CourseError if it is none."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _collect(assignment, archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise CourseError(
            f"{file} is no zip that can be read ({error}); download it from the platform again"
        ) from error


def keys(assignment: Assignment) -> dict[str, Known]:
    """Return what the platform knows each collected student by."""
    file = book(assignment)
    content = file.read_bytes() if file.is_file() else b"{}"
    return msgspec.json.decode(content, type=dict[str, Known])


def forget(assignment: Assignment, student: str) -> None:
    """Drop what the platform knows a student by."""
    _keep(assignment, {name: one for name, one in keys(assignment).items() if name != student})


def book(assignment: Assignment) -> Path:
    """Return the file, which no student writes, that says what the platform knows each by."""
    return assignment.root / "submitted" / f".{assignment.title}-collected.json"


def pack(
    assignment: Assignment, platform: Platform, pages: dict[str, bytes], to: Path
) -> tuple[int, list[str]]:
    """Write the zip of everybody's feedback; return how many have theirs, and who has none."""
    known, left_out, packed = keys(assignment), [], io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for student, page in sorted(pages.items()):
            whose = known.get(student)
            if platform is not Platform.FOLDER and (whose is None or whose.platform != platform):
                left_out.append(student)
                continue
            key = whose.key if whose else ""
            archive.writestr(_place(assignment.title, platform, student, key), page)
    files.save(to, packed.getvalue())
    return len(pages) - len(left_out), left_out


def _place(assignment: str, platform: Platform, student: str, key: str) -> str:
    """Return the path in the zip by which a platform finds the student."""
    match platform:
        case Platform.MOODLE:
            return f"{key}_assignfeedback_file_/{assignment}.html"
        case Platform.CANVAS:
            return f"{key}.html"
        case Platform.ILIAS:
            return f"multi_feedback_{assignment}/{key}/{assignment}.html"
    return f"{student}/{assignment}.html"


def _collect(assignment: Assignment, archive: zipfile.ZipFile) -> Collected:
    by_person: dict[tuple[str, str], Found] = {}
    others = []
    for info in _safe(archive):
        found = _recognised(info)
        if found is None:
            others.append(intake.shown(info.filename))
            continue
        person = found.student, found.number
        before = by_person.get(person, found)
        by_person[person] = max(before, found, key=functools.partial(_rank, assignment))
    if not by_person:
        raise CourseError(
            f"{archive.filename} holds no notebook called as Moodle, Canvas or ILIAS do; "
            "take the zip with all submissions as the platform gives it, or copy the notebooks to "
            f"submitted/<student>/{assignment.name}/"
        )
    names = [student for student, _ in by_person]
    result = Collected(keys(assignment), [], others, {})
    names_before = {(one.platform, one.number): name for name, one in result.keys.items()}
    for (name, number), found in by_person.items():
        alone = names.count(name) == 1 and name not in result.keys
        student = names_before.get(
            (found.platform, number), name if alone else f"{name} ({number})"
        )
        content = _content(archive, found)
        if not intake.STUDENT.fullmatch(student):
            result.refused[intake.shown(name)] = "no student can be called that"
            continue
        if len(content) > intake.MAX_BYTES:
            result.refused[student] = f"a notebook may have {intake.MAX_BYTES:,} bytes"
            continue
        _put(assignment, student, content)
        result.keys[student] = Known(found.platform, number, found.key)
        result.late.extend([student] if found.late else [])
    _keep(assignment, result.keys)
    return result


def _safe(archive: zipfile.ZipFile) -> Iterable[zipfile.ZipInfo]:
    """Yield the notebooks of an archive; raise CourseError for what no platform would make."""
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise CourseError(
            f"{archive.filename} has {len(entries):,} entries; download fewer at once"
        )
    for info in entries:
        path, why = PurePosixPath(info.filename.replace("\\", "/")), None
        if path.is_absolute() or ".." in path.parts or ":" in path.parts[:1]:
            why = "leads out of its folder"
        elif stat.S_ISLNK(info.external_attr >> 16):
            why = "is a link"
        elif info.flag_bits & ENCRYPTED:
            why = "is encrypted"
        if why:
            raise CourseError(
                f"{archive.filename}: {intake.shown(info.filename)} {why}; nothing was collected, "
                "take this entry out and do it again"
            )
        hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
        if not info.is_dir() and not hidden:
            yield info


def _recognised(info: zipfile.ZipInfo) -> Found | None:
    """Return whose notebook an entry is, by the names that the platforms give."""
    name = info.filename
    if not info.flag_bits & UTF_8:  # written by a program that does not say which encoding
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    *folders, file = unicodedata.normalize("NFC", name).split("/")
    if not file.endswith(".ipynb"):
        return None
    for part in (*folders, file):
        platform, found = Platform.MOODLE, MOODLE.fullmatch(part)
        if not found and part is not file:
            platform, found = Platform.ILIAS, ILIAS.fullmatch(part)
        if not found and part is file:
            platform, found = Platform.CANVAS, CANVAS.fullmatch(part)
        if found:
            names = found.groupdict()
            late = bool(names.get("late")) or (platform is Platform.ILIAS and " - " in file)
            title = file if part is not file else names["file"]
            return Found(
                platform, names["id"].strip(), names["number"], names["key"], title, late,
                info.filename, info.date_time,
            )  # fmt: skip
    return None


def _rank(assignment: Assignment, found: Found) -> tuple[bool, object, list[int], str]:
    """Return what makes one notebook of a student come before another: name, time, number."""
    numbers = [int(number) for number in re.findall(r"\d{1,9}", found.file)]
    title = found.file.rpartition(" - ")[2]  # ILIAS puts a word before it for being late
    return title.startswith(Path(assignment.notebook).stem), found.time, numbers, found.entry


def _content(archive: zipfile.ZipFile, found: Found) -> bytes:
    """Return what an entry holds, but hardly more of it than a notebook may have."""
    with archive.open(found.entry) as opened:
        return opened.read(intake.MAX_BYTES + 1)


def _put(assignment: Assignment, student: str, content: bytes) -> None:
    folder = assignment.root / "submitted" / student / assignment.name
    if any(place.is_symlink() for place in (folder, folder.parent)):
        raise CourseError(f"{folder} is a link; put a folder there and collect again")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / assignment.notebook).unlink(missing_ok=True)  # a link there is not followed
    files.save(folder / assignment.notebook, content)


def _keep(assignment: Assignment, known: dict[str, Known]) -> None:
    files.save(book(assignment), msgspec.json.encode(known))
    make_private(book(assignment))
