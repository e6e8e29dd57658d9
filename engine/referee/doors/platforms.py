"""Read the zip in which Moodle, Canvas or ILIAS hands out submissions, and name feedback for it.

A zip is not trusted: no entry is unpacked under its own name, entries that no platform would pack
are left out, and one notebook of limited size is read for each student.
"""

import contextlib
import errno
import functools
import io
import re
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from pathlib import Path

import msgspec

from referee import intake
from referee.course import Assignment, CourseError, folder, make_private
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
ILIAS = re.compile(r"(?P<key>.*_.*_(?P<id>[^_]+)_(?P<number>\d+))")
# Canvas, infer_comment_context_from_filename: the file name_LATE_user_attachment_title
CANVAS = re.compile(
    r"(?P<key>(?P<id>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_\d+_(?P<file>.+))\.ipynb"
)
PATTERNS = {Platform.MOODLE: MOODLE, Platform.ILIAS: ILIAS, Platform.CANVAS: CANVAS}
NO_FILE = re.compile(r"(^|/)(\.[^./]|__MACOSX|$)")  # hidden, a folder, nothing
OUT = re.compile(r"^([A-Za-z]:)?[\\/]|(^|[\\/])\.\.([\\/]|$)")
DAMAGED = (  # is what a zip raises in an entry
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError,
)  # fmt: skip
NO_PLACE = (  # can be made for one student; anything else stops all
    errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EILSEQ, errno.EINVAL,
)  # fmt: skip


class Found(msgspec.Struct, frozen=True):
    """A student's notebook in a zip; `key` identifies the student on the platform."""

    platform: Platform
    student: str
    number: str
    key: str
    file: str
    late: bool
    info: zipfile.ZipInfo


class Known(msgspec.Struct, frozen=True):
    """The number by which a platform finds a student, and the word it has in names of files."""

    platform: Platform
    number: str
    key: str


class Collected(msgspec.Struct, frozen=True):
    """The collected students, with their keys on the platform, and those who were late.

    `others` are entries that belong to no student or are no notebook; `refused` has by name why a
    notebook was not collected.
    """

    keys: dict[str, Known]
    late: list[str]
    others: list[str]
    refused: dict[str, str]


def collect(assignment: Assignment, file: Path) -> Collected:
    """Put each student's newest notebook into `submitted/`; CourseError if the file is no zip."""
    try:
        with zipfile.ZipFile(file) as archive:
            return _collect(assignment, archive)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise CourseError(
            f"{file} is no zip that can be read ({error}); download it from the platform again"
        ) from error


def keys(assignment: Assignment) -> dict[str, Known]:
    """Return the platform's name and number of each student who was collected."""
    file = book(assignment)
    content = file.read_bytes() if file.is_file() else b"{}"
    return msgspec.json.decode(content, type=dict[str, Known])


def knows(assignment: Assignment, platform: Platform) -> bool:
    """Return whether a platform can give feedback to anybody; folders can."""
    known = {one.platform for one in keys(assignment).values()}
    return platform is Platform.FOLDER or platform in known


def forget(assignment: Assignment, student: str) -> None:
    """Delete the platform's name and number of a student."""
    _keep(assignment, {name: one for name, one in keys(assignment).items() if name != student})


def book(assignment: Assignment) -> Path:
    """Return the file with the platform's names and numbers, which no student can write."""
    return folder(assignment.root, "submitted") / f".{assignment.title}-collected.json"


def pack(
    assignment: Assignment, platform: Platform, pages: dict[str, bytes], to: Path
) -> tuple[int, list[str]]:
    """Write the zip of all feedback; return how many students are in it, and who is not."""
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
    result = Collected(keys(assignment), [], [], {})
    entries = list[tuple[zipfile.ZipInfo, list[str]]]()
    for info in _files(archive):
        if why := _fault(info):
            result.refused[intake.shown(info.filename)] = why
        else:
            entries.append((info, _parts(info)))
    around = _around([parts for _, parts in entries])
    for info, parts in entries:
        found = _recognised(info, parts[around:])
        if found is None:
            result.others.append(intake.shown(info.filename))
            continue
        person = found.student, found.number
        before = by_person.get(person, found)
        by_person[person] = max(before, found, key=functools.partial(_rank, assignment))
    if not by_person and not result.refused:
        raise CourseError(
            f"{archive.filename} holds no notebook called as Moodle, Canvas or ILIAS do; "
            "take the zip with all submissions as the platform gives it, or copy the notebooks to "
            f"submitted/<student>/{assignment.name}/"
        )
    _put_all(assignment, archive, list(by_person.values()), result)
    _keep(assignment, result.keys)
    return result


def _put_all(
    assignment: Assignment, archive: zipfile.ZipFile, found: list[Found], result: Collected
) -> None:
    """Put each notebook into a folder whose name differs from others' by more than its case."""
    names_before = {(one.platform, one.number): name for name, one in result.keys.items()}
    taken = Counter([one.student.casefold() for one in found])
    taken.update(name.casefold() for name in result.keys)
    for one in found:
        alone = taken[one.student.casefold()] == 1
        name = one.student if alone else f"{one.student} ({one.number})"
        student = names_before.get((one.platform, one.number), name)
        try:
            _put(assignment, student, _content(archive, one.info))
        except intake.UnreadableError as error:
            result.refused[intake.shown(student[:80])] = str(error)
            continue
        result.keys[student] = Known(one.platform, one.number, one.key)
        result.late.extend([student] if one.late else [])


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files of an archive, but for hidden ones."""
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise CourseError(
            f"{archive.filename} has {len(entries):,} entries; download fewer at once"
        )
    return [one for one in entries if not NO_FILE.search(one.filename)]


def _fault(info: zipfile.ZipInfo) -> str:
    """Return the fault of an entry that no platform would make, or ""."""
    if OUT.search(info.filename):
        return "it leads out of its folder"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link"
    if info.flag_bits & ENCRYPTED:
        return "it is encrypted"
    usual = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return "" if usual else "it is packed as no platform does"


def _parts(info: zipfile.ZipInfo) -> list[str]:
    """Return the folders of an entry, and its file."""
    name = info.filename
    if not info.flag_bits & UTF_8:  # written by a program that does not say which encoding
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name).replace("\\", "/").split("/")


def _around(entries: list[list[str]]) -> int:
    """Return how many folders lie around all submissions, as when a zip was packed again.

    A student may call files as a platform does, on Moodle folders, too.
    """
    depth = 0
    while len(heads := {parts[depth] if parts[depth + 1 :] else "" for parts in entries}) == 1:
        (head,) = heads
        below = [one for parts in entries if (one := _person(parts[depth + 1 :]))]
        people = {found["key"] for _, found, _ in below}
        in_folders = {found["key"] for _, found, in_folder in below if in_folder}
        if MOODLE.fullmatch(head) or len(people) < 2:
            break
        if ILIAS.fullmatch(head) and len(in_folders) < 2:
            raise CourseError(
                f"all is in the folder {intake.shown(head)}, which may be a student's, or lie "
                "around those of all; pack again what is in it, without the folder"
            )
        depth += 1
    return depth


def _person(parts: list[str]) -> tuple[Platform, re.Match[str], bool] | None:
    """Return the student of an entry, by the first part of its path that a platform has named."""
    for place, part in enumerate(parts, 1):
        in_folder = place < len(parts)
        last = Platform.ILIAS if in_folder else Platform.CANVAS
        for platform in (Platform.MOODLE, last):
            if found := PATTERNS[platform].fullmatch(part):
                return platform, found, in_folder
    return None


def _recognised(info: zipfile.ZipInfo, parts: list[str]) -> Found | None:
    """Return the student's notebook in an entry, by the platforms' forms of names."""
    person, file = _person(parts), parts[-1]
    if person is None or not file.endswith(".ipynb"):
        return None
    platform, found, in_folder = person
    names = found.groupdict()
    late = bool(names.get("late")) or (platform is Platform.ILIAS and " - " in file)
    title = file if in_folder else names["file"]
    return Found(platform, names["id"].strip(), names["number"], names["key"], title, late, info)


def _rank(assignment: Assignment, found: Found) -> tuple[bool, object, list[int], str]:
    """Return the key by which a student's notebooks are sorted: name, time, number."""
    numbers = [int(number) for number in re.findall(r"\d{1,9}", found.file)]
    title = found.file.rpartition(" - ")[2]  # ILIAS puts a word before it for being late
    right = title.startswith(Path(assignment.notebook).stem)
    return right, found.info.date_time, numbers, found.info.filename


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return the content of an entry; UnreadableError if it is damaged or too large.

    Unpacks hardly more than the largest size of a notebook.
    """
    try:
        with archive.open(info) as opened:
            content = opened.read(intake.MAX_BYTES + 1)
    except DAMAGED as error:
        raise intake.UnreadableError(f"it is damaged ({error})") from error
    if len(content) > intake.MAX_BYTES:
        raise intake.UnreadableError(f"a notebook may have {intake.MAX_BYTES:,} bytes")
    return content


def _put(assignment: Assignment, student: str, content: bytes) -> None:
    """Write a student's notebook; UnreadableError if there can be no folder for it."""
    if not intake.STUDENT.fullmatch(student):
        raise intake.UnreadableError("no student can be called that")
    place = folder(assignment.root, "submitted") / student / assignment.name
    notebook = place / assignment.notebook
    try:
        if any(one.is_symlink() for one in (place, place.parent)):
            raise intake.UnreadableError(f"{place} is a link; put a folder there")
        place.mkdir(parents=True, exist_ok=True)
        if notebook.is_symlink():
            notebook.unlink()  # it is not followed
        files.save(notebook, content)
    except OSError as error:
        if error.errno not in NO_PLACE:
            raise
        raise intake.UnreadableError(f"its folder cannot be made ({error.strerror})") from error


def _keep(assignment: Assignment, known: dict[str, Known]) -> None:
    files.save(book(assignment), msgspec.json.encode(known))
    make_private(book(assignment))
