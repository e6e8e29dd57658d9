"""Read the zip in which a platform hands out submissions, and name feedback for it.

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
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path

import msgspec

from referee import intake
from referee.course import Assignment, CourseError, folder, make_private, time_zone
from referee.doors import names
from referee.doors.names import Person
from referee.intake import times
from referee.marks import files
from referee.model import Platform

MOST_ENTRIES = 50_000
UTF_8, ENCRYPTED = 0x800, 0x1  # flags of an entry
HIDDEN = re.compile(r"(^|/)(\.[^./]|__MACOSX)")
OUT = re.compile(r"^([A-Za-z]:)?[\\/]|(^|[\\/])\.\.([\\/]|$)")
DAMAGED = (  # is what a zip raises in an entry
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError,
)  # fmt: skip
NO_PLACE = (  # can be made for one student; anything else stops all
    errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EILSEQ, errno.EINVAL,
)  # fmt: skip


class Found(msgspec.Struct, frozen=True):
    """A student's notebook in a zip, and when it was handed in, if its name says so."""

    person: Person
    info: zipfile.ZipInfo
    stamp: datetime | None


class Known(msgspec.Struct, frozen=True):
    """The number by which a platform finds a student, and the word it has in names of files."""

    platform: Platform
    number: str
    key: str


class Collected(msgspec.Struct, frozen=True):
    """The collected students, with their keys on the platform, and those who were late.

    `others` are entries that belong to no student or are no notebook; `refused` has by name why a
    notebook was not collected, `without` the files of each who has no notebook. `zone` is that of
    the times in the names, if there are some; those of the `timeless` cannot be read.
    """

    keys: dict[str, Known]
    late: list[str]
    others: list[str]
    refused: dict[str, str]
    without: dict[str, list[str]]
    timeless: list[str]
    zone: str = ""


def collect(assignment: Assignment, file: Path, named: str | None = None) -> Collected:
    """Put each student's newest notebook into `submitted/`; CourseError if the file is no zip.

    `named` is a platform's name or a pattern, or None where the names themselves tell.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            return _collect(assignment, archive, named)
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


def _collect(assignment: Assignment, archive: zipfile.ZipFile, named: str | None) -> Collected:
    refused: dict[str, str] = {}
    entries = list[tuple[zipfile.ZipInfo, list[str]]]()
    for info in _entries(archive):
        if why := _fault(info):
            refused[intake.shown(info.filename)] = why
        else:
            entries.append((info, _parts(info)))
    read = names.reader([parts for _, parts in entries if parts[-1]], named)
    people = [read(parts) for _, parts in entries]
    zone = _zone(assignment.root) if any(one and one.time for one in people) else ""
    result = Collected(keys(assignment), [], [], refused, {}, [], zone)
    by_person: dict[tuple[str, str], Found] = {}
    without: dict[tuple[str, str], list[str]] = {}
    for (info, parts), person in zip(entries, people, strict=True):
        if person and intake.OTHER_ENDING.search(parts[-1]):
            found = Found(person, info, names.clock(person.time, zone))
            before = by_person.setdefault((person.student, person.number), found)
            better = max(before, found, key=functools.partial(_rank, assignment))
            by_person[person.student, person.number] = better
        elif person:
            without.setdefault((person.student, person.number), []).append(info.filename)
        elif parts[-1]:
            result.others.append(intake.shown(info.filename))
    _sort_out(result, without, by_person)
    if not by_person and not result.refused:
        raise _nobody(assignment, archive, result.others, named)
    _put_all(assignment, archive, list(by_person.values()), result)
    _keep(assignment, result.keys)
    return result


def _zone(root: Path) -> str:
    """Return the zone of the times in names; CourseError if it is not a clear one."""
    zone = time_zone(root)
    try:
        times.moment(f"2027-01-31 12:00 {zone}")
    except ValueError as error:
        raise CourseError(
            f"c.Exchange.timezone = {zone!r} {error}; the names of these files have times, and "
            "they are in that zone"
        ) from error
    return zone


def _sort_out(
    result: Collected,
    files: Mapping[tuple[str, str], list[str]],
    found: Collection[tuple[str, str]],
) -> None:
    """Note the other files of each person, of whom a notebook is `found` or not."""
    for (student, number), entries in files.items():
        named = [intake.shown(one) for one in entries if not one.endswith("/")]
        if (student, number) in found:
            result.others.extend(named)
        else:
            held = {intake.shown(one.rpartition("/")[2]) for one in named}
            result.without.setdefault(intake.shown(student), []).extend(sorted(held))


def _nobody(
    assignment: Assignment, archive: zipfile.ZipFile, others: list[str], named: str | None
) -> CourseError:
    """Return what to say of a zip in which nobody's notebook was recognised."""
    first = next(filter(intake.OTHER_ENDING.search, others), None)
    as_named = f"as --names {named} says" if named else "as a platform does"
    return CourseError(
        f"{archive.filename} holds no notebook called {as_named}"
        + (f"; the first is {first}" if first else "")
        + "; take the zip with all submissions as the platform gives it, say by --names where the "
        "student's id stands, as in --names '(?P<student_id>[^/_]+)', or copy the notebooks to "
        f"submitted/<student>/{assignment.name}/"
    )


def _put_all(
    assignment: Assignment, archive: zipfile.ZipFile, found: list[Found], result: Collected
) -> None:
    """Put each notebook into a folder whose name differs from others' by more than its case."""
    names_before = {(one.platform, one.number): name for name, one in result.keys.items()}
    taken = Counter([one.person.student.casefold() for one in found])
    taken.update(name.casefold() for name in result.keys)
    for one in found:
        person = one.person
        alone = taken[person.student.casefold()] == 1
        name = person.student if alone else f"{person.student} ({person.number})"
        student = names_before.get((person.platform, person.number), name)
        try:
            _put(assignment, student, _content(archive, one.info), one.stamp)
        except intake.UnreadableError as error:
            result.refused[intake.shown(student[:80])] = str(error)
            continue
        result.keys[student] = Known(person.platform, person.number, person.key)
        result.late.extend([student] if person.late else [])
        result.timeless.extend([student] if person.time and not one.stamp else [])


def _entries(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the files and folders of an archive, but for hidden ones."""
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise CourseError(
            f"{archive.filename} has {len(entries):,} entries; download fewer at once"
        )
    return [one for one in entries if one.filename and not HIDDEN.search(one.filename)]


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


def _rank(assignment: Assignment, found: Found) -> tuple[bool, bool, object, list[int], str]:
    """Return the key by which a student's notebooks are sorted: ending, name, time, number."""
    title = found.person.file
    numbers = [int(number) for number in re.findall(r"\d{1,9}", title)]
    title = title.rpartition(" - ")[2]  # ILIAS puts a word before it for being late
    right = title.startswith(Path(assignment.notebook).stem)
    time = found.stamp.timetuple()[:6] if found.stamp else found.info.date_time
    ending = found.info.filename.endswith(".ipynb")
    return ending, right, time, numbers, found.info.filename


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


def _put(assignment: Assignment, student: str, content: bytes, stamp: datetime | None) -> None:
    """Write a student's notebook and its time; UnreadableError if there is no folder for it.

    Of the notebooks of one assignment, which come one by one, the last decides about the time.
    """
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
        if stamp is not None:
            before = intake.time_stamp(place)[0] if assignment.others else None
            last = max(times.written(stamp), before or "")
            files.save(place / "timestamp.txt", f"{last}\n".encode())
    except OSError as error:
        if error.errno not in NO_PLACE:
            raise
        raise intake.UnreadableError(f"its folder cannot be made ({error.strerror})") from error


def _keep(assignment: Assignment, known: dict[str, Known]) -> None:
    files.save(book(assignment), msgspec.json.encode(known))
    make_private(book(assignment))
