"""Read the zip in which a platform hands out submissions, and name feedback for it.

A zip is not trusted: no entry is unpacked under its own name, and one notebook of limited size is
read for each student. Whose an entry is says the outermost part of its path that fits the
platform's pattern: what students name themselves comes after it.
"""

import contextlib
import io
import itertools
import re
import stat
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import dateutil.parser
import msgspec

from referee import intake
from referee.course import Assignment, CourseError, make_private
from referee.intake import times
from referee.intake.folder import MOST_BESIDE, MOST_BESIDE_BYTES
from referee.marks import files
from referee.model import Platform

WORDY = r"([^\W\d]+\.? \d\d?|\d\d? [^\W\d]+\.?),? \d{4} \d{1,2}:?\d\d( ?[AP]M)?"  # month in letters
NUMERIC = re.compile(r"(\d{4})\D?(\d\d)\D?(\d\d)\D(\d\d)\D?(\d\d)(?:\D?(\d\d))?")
PATTERNS = {  # of a part of a path: a folder, with the slash after it, or the file
    # mod/assign/classes/downloader.php: name_number_assignsubmission_file, folder or file
    "moodle": r"(?P<key>(?P<student_id>[^_]+)_(?P<number>\d+))_assignsubmission_[a-z]+"
    r"(_(?P<file_id>[^/]*))?/?",
    # infer_comment_context_from_filename: the file name_LATE_user_attachment_title
    "canvas": r"(?P<key>(?P<student_id>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_\d+_"
    r"(?P<file_id>[^/]+?))(\.ipynb)?(\.[^./]+| \(\d+\))?",
    # ilExSubmission and ilExAssignment: the folder lastname_firstname_login_number
    "ilias": r"(?P<key>.*_[^_]*_(?P<student_id>[^_/]+)_(?P<number>\d+))/",
    # Assignment File Download: the file title_login_attempt_time_title, with the word in the
    # language of the course, and a text title_login_attempt_time.txt for each attempt
    "blackboard": r"(?P<number>(?P<title>[^/]*?_)(?P<student_id>[^/]+?))_[^\W\d_]+_"
    r"(?P<timestamp>\d{4}(-\d\d){5})(_(?P<file_id>[^/]+)|\.txt)",
    # Download of submissions: number-number - name - time, a folder, or before - title
    "brightspace": r"(?P<number>\d+-\d+) - (?P<student_id>.+?) - "
    rf"(?P<timestamp>{WORDY})( - (?P<file_id>[^/]+))?/?",
}
# A copy for each student is called so; what students upload themselves is called as they like.
GOOGLE = r"(?P<student_id>[^/]+?) - (?P<file_id>[^/]+)"
LOGIN = re.compile(r"[^\r\n]*\(([^()\r\n]+)\)[^\S\r\n]*(?:[\r\n]|$)")  # in brackets at a line's end
MOST_READ = 1000  # bytes of a text
PART = re.compile(r"[^/]+/?")
HIDDEN = re.compile(r"(^|/)(\.[^./]|__MACOSX)")
OUT = re.compile(r"([A-Za-z]:)?/|(.*/)?\.\.(/|$)")
UTF_8, ENCRYPTED = 0x800, 0x1  # flags of an entry
PLACES = {  # of feedback in the zip by which a platform finds the student
    Platform.MOODLE: "{key}_assignfeedback_file_/{title}.html",
    Platform.CANVAS: "{key}.html",
    Platform.ILIAS: "multi_feedback_{title}/{key}/{title}.html",
    Platform.FOLDER: "{student}/{title}.html",
}
NAMES = (
    f"say by --names how files are named: {', '.join((*PATTERNS, 'google'))}, or a regular "
    "expression with the group (?P<student_id>...), and (?P<timestamp>...) if there is a time, as "
    r"in --names '(?P<student_id>\w+)_(?P<timestamp>[0-9-]+)_'"
)
UNCLEAR = "it cannot be told where the login begins in {}; say it with --names: {}"

Entries = Sequence[tuple[str, zipfile.ZipInfo]]  # with their paths


class Identity(msgspec.Struct, frozen=True):
    """The number by which a platform finds a student, and the word it has in names of files.

    The notebooks `again` lie beside the one that was collected.
    """

    platform: Platform
    number: str
    key: str
    again: list[str] = []


class Batch(msgspec.Struct):
    """The collected students, with their keys on the platform, and those who were late.

    `people` are those of this zip, and `replaced` those of whom another notebook was there.
    `others` are entries that belong to no student; `refused` has by name why a file was not
    collected, `without` the files of each who has no notebook. `zone` is that of the times in the
    names, if there are some; those of the `timeless` cannot be read.
    """

    keys: dict[str, Identity]
    people: list[str] = []
    replaced: list[str] = []
    late: list[str] = []
    others: list[str] = []
    refused: dict[str, str] = {}
    without: dict[str, list[str]] = {}
    timeless: list[str] = []
    zone: str = ""


class Notebook(NamedTuple):
    """A notebook in a zip; of several of a student's that of the highest rank counts.

    `groups` are those of the pattern; `stem` names the released notebook whose name begins that of
    the file, if there is one.
    """

    rank: tuple[Any, ...]
    info: zipfile.ZipInfo
    groups: dict[str, str]
    stem: str
    time: datetime | None
    name: str  # as its student has called it


def collect(assignment: Assignment, file: Path, naming: str | None = None) -> Batch:
    """Put each student's newest notebook into `submitted/`; CourseError if the file is no zip.

    `naming` is a platform's name or a pattern, or None where the names themselves tell.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            return _collect(assignment, archive, naming)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise CourseError(
            f"{file} is no zip that can be read ({error}); download it from the platform again"
        ) from error


def keys(assignment: Assignment) -> dict[str, Identity]:
    """Return the platform's name and number of each student who was collected."""
    file = book(assignment)
    content = file.read_bytes() if file.is_file() else b"{}"
    return msgspec.json.decode(content, type=dict[str, Identity])


def knows(assignment: Assignment, platform: Platform) -> bool:
    """Return whether a platform can give feedback to anybody; folders can."""
    platforms = {one.platform for one in keys(assignment).values()}
    return platform is Platform.FOLDER or platform in platforms


def book(assignment: Assignment) -> Path:
    """Return the file with the platform's names and numbers, which no student can write."""
    return assignment.course.folder("submitted") / f".{assignment.title}-collected.json"


def pack(
    assignment: Assignment, platform: Platform, pages: dict[str, bytes], to: Path
) -> tuple[int, list[str]]:
    """Write the zip of all feedback; return how many students are in it, and who is not."""
    people, left_out, buffer = keys(assignment), [], io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for student, page in sorted(pages.items()):
            person = people.get(student)
            if platform is not Platform.FOLDER and (person is None or person.platform != platform):
                left_out.append(student)
                continue
            words = {"title": assignment.title, "student": student, "key": person and person.key}
            archive.writestr(PLACES[platform].format(**words), page)
    files.save(to, buffer.getvalue())
    return len(pages) - len(left_out), left_out


def _collect(assignment: Assignment, archive: zipfile.ZipFile, naming: str | None) -> Batch:
    batch = Batch(keys(assignment))
    infos = sorted(archive.infolist(), key=lambda one: one.date_time)
    entries = [(path, info) for info in infos if not HIDDEN.search(path := _path(info))]
    platform, matches = _read(archive, entries, naming)
    if any(one.groupdict().get("timestamp") for one in matches.values()):
        batch.zone = str(assignment.course.config.get("Exchange", {}).get("timezone", "UTC"))
        try:
            times.moment(f"2027-01-31 12:00 {batch.zone}")
        except ValueError as error:
            raise CourseError(
                f"c.Exchange.timezone = {batch.zone!r} does not mean the same everywhere; write a "
                "place, as Europe/Berlin, or an offset, as +0100: the names of these files have "
                "times, in that zone"
            ) from error
    teams = _teams({one["key"] for one in matches.values()} if platform is Platform.MOODLE else ())
    own_stem, *other_stems = [Path(one).stem for one in (assignment.notebook, *assignment.others)]
    releases = assignment.course.folder("release").glob("*/*.ipynb")
    assignments = {one.stem: one.parent.name for one in releases}
    assignments |= dict.fromkeys([own_stem, *other_stems], assignment.name)
    people: dict[tuple[str, str], tuple[list[Notebook], dict[str, zipfile.ZipInfo]]] = {}
    for path, info in entries:
        groups = matches[path].groupdict(default="") if path in matches else {}
        file, student = path.rpartition("/")[2], groups.get("student_id", "")
        student = student.removeprefix(teams.get(groups.get("key", ""), "")).strip()
        title = (groups.get("file_id") or file).rpartition(" - ")[2]
        stem = max([one for one in assignments if title.startswith(one)], key=len, default="")
        if why := _fault(path, info):
            batch.refused[intake.shown(path)] = why
            continue
        if not student:
            batch.others += [intake.shown(path)] if file else []
            continue
        notebooks, beside = people.setdefault((student, groups.get("number", student)), ([], {}))
        if intake.OTHER_ENDING.search(file) and stem not in other_stems:
            time = _time(groups.get("timestamp", ""), batch.zone)
            when = time.timetuple()[:6] if time else info.date_time
            numbers = [int(number) for number in re.findall(r"\d{1,9}", title)]
            rank = file.endswith(".ipynb"), stem == own_stem, when, numbers, path, len(notebooks)
            notebooks.append(Notebook(rank, info, groups, stem, time, _name(path, matches[path])))
        elif name := _name(path, matches[path]):
            beside[name] = info  # the newest
    best = {who: max(notebooks) for who, (notebooks, _) in people.items() if notebooks}
    targets = {assignments[one.stem] for one in best.values() if one.stem}
    if naming is None and targets and assignment.name not in targets:
        raise CourseError(
            f"nothing was collected: notebooks in it are called as those of {min(targets)}, so "
            f"`referee collect {min(targets)}` it, or say by --names how the files are named"
        )
    names_before = {(one.platform, one.number): name for name, one in batch.keys.items()}
    counts = Counter(name.casefold() for name in (*batch.keys, *(name for name, _ in best)))
    for (name, number), (notebooks, beside) in people.items():
        if (work := best.get((name, number))) is None:
            names = {intake.shown(file.rpartition("/")[2]) for file in beside}
            batch.without.setdefault(intake.shown(name), []).extend(sorted(names))
            continue
        alone = counts[name.casefold()] == 1  # a disk may not tell A from a
        student = names_before.get((platform, number), name if alone else f"{name} ({number})")
        try:
            content = _content(archive, work.info, intake.MAX_BYTES)
            batch.replaced += [student] if _put(assignment, student, content, work.time) else []
        except (intake.UnreadableError, OSError) as error:  # a time stamp that is there, too
            batch.refused[intake.shown(student[:80])] = str(error)
            continue
        place = assignment.notebook  # where `work` is now
        free = work.name if work.name != place else f"other {place}"
        again = {
            free if other.name == place else other.name: other.info
            for other in sorted(notebooks)
            if other is not work and other.rank[2] == work.rank[2]  # grading takes the fuller one
        }
        before = batch.keys[student].again if student in batch.keys else []
        for old in set(before) - again.keys():
            (assignment.submitted(student) / old).unlink(missing_ok=True)
        _put_beside(assignment, student, archive, beside, again, batch)
        batch.people.append(student)
        batch.keys[student] = Identity(platform, number, work.groups.get("key", ""), [*again])
        late = platform is Platform.ILIAS and " - " in work.info.filename.rpartition("/")[2]
        batch.late += [student] if late or work.groups.get("late") else []
        batch.timeless += [student] if work.groups.get("timestamp") and not work.time else []
    files.save(book(assignment), msgspec.json.encode(batch.keys))
    make_private(book(assignment))
    return batch


def _path(info: zipfile.ZipInfo) -> str:
    """Return the path of an entry; that of a folder ends with a slash."""
    name = info.filename
    if not info.flag_bits & UTF_8:  # written by a program that does not say which encoding
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name).replace("\\", "/")


def _fault(path: str, info: zipfile.ZipInfo) -> str:
    """Return the fault of an entry that no platform would make, or ""."""
    if OUT.match(path):
        return "it leads out of its folder"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "it is a link"
    if info.flag_bits & ENCRYPTED:
        return "it is encrypted"
    usual = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    return "" if usual else "it is packed as no platform does"  # and would unpack without a limit


def _read(
    archive: zipfile.ZipFile, entries: Entries, naming: str | None
) -> tuple[Platform, dict[str, re.Match[str]]]:
    """Return the platform, and what it says in each path; CourseError if that is in doubt."""
    paths = [path for path, _ in entries]
    notebooks = {path: None for path in paths if intake.OTHER_ENDING.search(path)}
    if naming is not None and naming not in PATTERNS:
        try:
            pattern = re.compile(GOOGLE if naming == "google" else naming)
        except re.error as error:
            why = f"--names {naming} is no regular expression ({error}); {NAMES}"
            raise CourseError(why) from error
        if "student_id" not in pattern.groupindex:
            raise CourseError(f"--names {naming} has no group called student_id; {NAMES}")
        whole = any(map(pattern.match, notebooks))
        texts = {path: path if whole else path.rpartition("/")[2] for path in paths}
        matches = {path: match for path, text in texts.items() if (match := pattern.match(text))}
        name = "folder"
    else:
        fits = {one: _fit(PATTERNS[one], paths) for one in ([naming] if naming else PATTERNS)}
        full = [name for name, matches in fits.items() if notebooks.keys() <= matches.keys()]
        if len(full) > 1 and notebooks:
            raise CourseError(
                f"the files are named as {' does, and as '.join(full)} does; say which it is with "
                f"--names, as in --names {full[0]}"
            )
        name = max(fits, key=lambda one: len(fits[one].keys() & notebooks.keys()))
        matches = fits[name]
    strange = [path for path in notebooks if path not in matches]
    if (strange and not naming) or len(strange) == len(notebooks):
        no = "no" if len(strange) == len(notebooks) else "not every"
        as_named = f"as --names {naming} says" if naming else "as a platform does"
        first = f"the first is {intake.shown(strange[0])}; " if strange else ""
        raise CourseError(
            f"{no} notebook is called {as_named}; {first}take the zip with all submissions as "
            f"the platform gives it, or {NAMES}"
        )
    if name == "blackboard":
        title = _title(matches, archive, entries)
        matches = _fit(PATTERNS[name].replace("(?P<title>[^/]*?_)", re.escape(title)), paths)
    heads = {one[0] for one in matches.values()}
    below = [path.partition(one[0])[2] for path, one in matches.items()]
    if name == "ilias" and len(heads) == 1 and _fit(PATTERNS[name], below):
        raise CourseError(
            f"all is in the folder {intake.shown(*heads)}, which may be a student's, or lie around "
            "those of all; pack again what is in it, without the folder"
        )
    people = {one["key"] for one in matches.values()} if name == "ilias" else set[str]()
    # A word that all have after last and first name may belong to their logins.
    words = [[*filter(None, one.split("_"))] for one in people]
    if words and min(map(len, words)) > 4 and len({one[-3] for one in words}) == 1:
        names = "[^/]*_(?P<student_id>{}[^_/]+)_[0-9]+/"
        first = re.escape(f"{words[0][-3]}_")
        example = f"--names '{names.format(first)}', or --names '{names.format('')}'"
        raise CourseError(UNCLEAR.format(intake.shown(min(people)), example))
    return Platform(name) if name in [*Platform] else Platform.FOLDER, matches


def _fit(pattern: str, paths: Sequence[str]) -> dict[str, re.Match[str]]:
    """Return by path the outermost part that fits a platform's pattern, where one does."""
    pairs = ((path, [re.fullmatch(pattern, one) for one in PART.findall(path)]) for path in paths)
    return {path: next(filter(None, matches)) for path, matches in pairs if any(matches)}


def _teams(keys: Collection[str]) -> dict[str, str]:
    """Return by key what Moodle writes before each name where teams hand in: `Team 1-`.

    No name lacks it then, and several have the same. A name may have a hyphen, too.
    """
    heads = {key: [key[: one.end()] for one in re.finditer("-", key)] for key in keys}
    members = Counter(head for all_ in heads.values() for head in all_)
    if not all(heads.values()) or max(members.values(), default=0) < 2:
        return {}
    of_several = {key: [one for one in all_ if members[one] > 1] for key, all_ in heads.items()}
    return {key: (of_several[key][-1:] or all_)[0] for key, all_ in heads.items()}


def _title(matches: Mapping[str, re.Match[str]], archive: zipfile.ZipFile, entries: Entries) -> str:
    """Return what stands before each login on Blackboard.

    Its text of an attempt says the login, in brackets after the name. Without such texts the title
    is of whole words that all begin with. CourseError if it can be several or none: title and login
    may both hold underscores.
    """
    by_text, heads = set[str](), {one["number"] for one in matches.values()}
    for path, info in entries:
        if path in matches and not matches[path]["file_id"] and not _fault(path, info):
            with contextlib.suppress(Exception), archive.open(info) as text:
                login = LOGIN.match(text.read(MOST_READ).decode(errors="replace"))
                if login and (head := matches[path]["number"]).endswith(f"_{login[1]}"):
                    by_text.add(head.removesuffix(login[1]))
    columns = zip(*(head.split("_")[:-1] for head in heads), strict=False)
    common = [column[0] for column in itertools.takewhile(lambda one: len({*one}) == 1, columns)]
    titles = by_text or {"_".join([*common[: n + 1], ""]) for n in range(len(common))}
    if len(titles) != 1 or not all(head.startswith(tuple(titles)) for head in heads):
        names = "[^_]+_(?P<student_id>.+?)_attempt_(?P<timestamp>[0-9-]+)"
        example = f"after a title of one word, --names '{names}'"
        raise CourseError(UNCLEAR.format(intake.shown(min(heads)), example))
    return titles.pop()


def _time(text: str, zone: str) -> datetime | None:
    """Return the time that a name gives, in UTC; None if it gives none that is clear."""
    try:
        if match := NUMERIC.fullmatch(text):
            text = "{}-{}-{} {}:{}:{} ".format(*match.groups("00")) + zone
        elif re.fullmatch(WORDY, text):
            form = re.sub(r"(\d{1,2}):?(\d\d)( ?[AP]M)?$", r"\1:\2\3", text)
            text = f"{dateutil.parser.parse(form)} {zone}"
        return times.moment(text)
    except ValueError:
        return None


def _name(path: str, match: re.Match[str]) -> str:
    """Return what a student has called a file; "" for a text of the platform's own."""
    if below := path.partition(match[0])[2]:
        return below.lstrip("/")
    title = match.groupdict(default="").get("file_id")
    return match[0][match.start("file_id") - match.start() :] if title else ""


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """Return what an entry holds; UnreadableError if it is damaged, or has more bytes than that."""
    try:
        with archive.open(info) as file:
            content = file.read(most + 1)
    except Exception as error:  # a damaged entry raises nearly anything
        raise intake.UnreadableError(f"it is damaged ({error})") from error
    if len(content) > most:
        raise intake.UnreadableError(f"it has more than {most:,} bytes")
    return content


def _put(assignment: Assignment, student: str, content: bytes, time: datetime | None) -> bool:
    """Write a student's notebook and its time; return whether another notebook was there.

    Of the notebooks of one assignment, which come one by one, the last decides about the time.
    """
    if not intake.STUDENT.fullmatch(student):
        raise intake.UnreadableError("no student can be called that")
    other = _write(assignment, student, assignment.notebook, content)
    if time is not None:
        before = intake.time_stamp(assignment.submitted(student))[0] if assignment.others else None
        last = max(times.written(time), before or "")
        _write(assignment, student, "timestamp.txt", f"{last}\n".encode())
    return other


def _put_beside(
    assignment: Assignment,
    student: str,
    archive: zipfile.ZipFile,
    beside: Mapping[str, zipfile.ZipInfo],
    again: Mapping[str, zipfile.ZipInfo],
    batch: Batch,
) -> None:
    """Write what was handed in with a notebook, as far as there is room; note what stays out.

    Of notebooks only those are written that the student has handed in `again`, at the same time.
    """
    pairs = [(name, info) for name, info in beside.items() if not intake.OTHER_ENDING.search(name)]
    pairs, room = [*again.items(), *pairs], MOST_BESIDE_BYTES
    for name, info in pairs[:MOST_BESIDE]:
        try:
            if name == "timestamp.txt":
                raise intake.UnreadableError("no file can be put there")
            content = _content(archive, info, room)
            _write(assignment, student, name, content)
            room -= len(content)
        except intake.UnreadableError as error:
            batch.refused[intake.shown(f"{student}/{name}"[:80])] = str(error)
    batch.others += [intake.shown(f"{student}/{name}") for name, _ in pairs[MOST_BESIDE:]]


def _write(assignment: Assignment, student: str, name: str, content: bytes) -> bool:
    """Write a file of a student's, and follow no link; return whether another one was there.

    UnreadableError if it has no place.
    """
    file, root = assignment.submitted(student) / name, assignment.course.folder("submitted")
    try:
        for folder in itertools.takewhile(lambda one: one != root, file.parents):
            if folder.is_symlink():
                raise intake.UnreadableError(f"{folder} is a link; put a folder there")
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.is_symlink():
            file.unlink()
        other = file.is_file() and file.read_bytes() != content
        files.save(file, content)
    except OSError as error:
        raise intake.UnreadableError(f"it cannot be written ({error.strerror})") from error
    return other
