"""Whose file an entry of a zip is, by the way in which a platform names it.

Moodle, Canvas and ILIAS begin with the student, so each entry is recognised alone. Blackboard and
Brightspace begin otherwise: all entries have to fit. Google Classroom keeps the students' own names
of files and is never guessed.
"""

import functools
import re
from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from referee import intake
from referee.course import CourseError
from referee.intake import times
from referee.model import Platform

# Each matches a part of a path; what students choose comes after it, so the first match counts.
# Moodle, mod/assign/classes/downloader.php: name_number_assignsubmission_file, folder or file
MOODLE = re.compile(
    r"(?P<key>(?P<id>[^_]+)_(?P<number>\d+))_assignsubmission_[a-z]+(_(?P<file>.*))?"
)
# ILIAS, ilExSubmission and ilExAssignment: the folder lastname_firstname_login_number
ILIAS = re.compile(r"(?P<key>.*_.*_(?P<id>[^_]+)_(?P<number>\d+))")
# Canvas, infer_comment_context_from_filename: the file name_LATE_user_attachment_title
CANVAS = re.compile(
    r"(?P<key>(?P<id>[^_]+)_(?P<late>LATE_)?(?P<number>\d+)_\d+_(?P<file>.+?))"
    r"(\.ipynb)?(\.[^.]+| \(\d+\))?"
)
# Blackboard, Assignment File Download: the file title_username_attempt_time_title, with the word
# in the language of the course, and a text title_username_attempt_time.txt for each attempt
BLACKBOARD = re.compile(
    r"(?P<number>.*?_(?P<id>[^_]+))_[^\W\d_]+_(?P<time>\d{4}(-\d\d){5})(_(?P<file>.+)|\.txt)"
)
# Brightspace, Download of submissions: number-number - name - time, a folder, or before - title
BRIGHTSPACE = re.compile(
    r"(?P<number>\d+-\d+) - (?P<id>.+?) - (?P<time>[^\W\d]+ \d+, \d{4} \d{1,2}:?\d\d ?[AP]M|"
    r"\d+ [^\W\d]+\.?,? \d{4} \d{1,2}:?\d\d( ?[AP]M)?)( - (?P<file>.+))?"
)
UNANIMOUS = {"blackboard": BLACKBOARD, "brightspace": BRIGHTSPACE}
# A copy for each student is called so; what students upload themselves is called as they like.
GOOGLE = r"(?P<student_id>[^/]+?) - (?P<file_id>[^/]+)"
ALONE = ("moodle", "canvas", "ilias")
OF_THE_ZIP = "index.html"  # Brightspace adds it
WORDS = (*ALONE, *UNANIMOUS, "google")
CLOCK = re.compile(r"(\d{4})\D?(\d\d)\D?(\d\d)\D(\d\d)\D?(\d\d)(?:\D?(\d\d))?")
TWELVE = re.compile(r"([A-Z][a-z]{2})[a-z]* (\d+), (\d{4}) (\d{1,2}):?(\d\d) ?([AP]M)")


class Person(msgspec.Struct, frozen=True):
    """Whose an entry is; `key` identifies the student on the platform, `time` is as written."""

    platform: Platform
    student: str
    number: str = ""
    key: str = ""
    file: str = ""
    late: bool = False
    time: str | None = None


Reader = Callable[[list[str]], Person | None]


def reader(paths: Sequence[list[str]], names: str | None) -> Reader:
    """Return what tells whose an entry is: as `names` says, or as all the paths are called."""
    if names is None:
        return _guessed(paths)
    if names in UNANIMOUS:
        depth = _unanimous(paths, UNANIMOUS[names])
        if depth is None:
            raise CourseError(f"not all entries are named as {names} does; leave out --names")
        return functools.partial(_by_part, UNANIMOUS[names], depth)
    if names in ALONE:
        return _alone(paths)
    return _by_pattern(paths, _compiled(GOOGLE if names == "google" else names))


def clock(text: str | None, zone: str) -> datetime | None:
    """Return the time that a name gives, in UTC; None if it gives none that is clear."""
    if found := CLOCK.fullmatch(text or ""):
        year, month, day, hour, minute, second = found.groups(default="00")
        text = f"{year}-{month}-{day} {hour}:{minute}:{second}"
    elif found := TWELVE.fullmatch(text or ""):
        try:
            here = datetime.strptime(
                "{} {} {} {:0>2} {} {}".format(*found.groups()), "%b %d %Y %I %M %p"
            )
        except ValueError:
            return None
        text = f"{here:%Y-%m-%d %H:%M}"
    else:
        zone = ""
    try:
        return times.moment(f"{text} {zone}".strip())
    except ValueError:
        return None


def _guessed(paths: Sequence[list[str]]) -> Reader:
    """Return the reader of the one platform that names files so; CourseError if in doubt."""
    found = {name: _unanimous(paths, pattern) for name, pattern in UNANIMOUS.items()}
    depths = {name: depth for name, depth in found.items() if depth is not None}
    if not depths:
        return _alone(paths)
    name = min(depths, key=lambda name: (depths[name], name != "brightspace"))  # it has ids first
    around = paths[0][: depths[name]]
    doubtful = any(MOODLE.fullmatch(one) or ILIAS.fullmatch(one) for one in around)
    if name == "blackboard":
        doubtful |= all(_person(parts[depths[name] :]) for parts in paths)
    if doubtful:
        raise CourseError(
            f"the files are named as {name} does, and as another platform as well; say which it "
            f"is with --names, as in --names {name}"
        )
    return functools.partial(_by_part, UNANIMOUS[name], depths[name])


def _unanimous(paths: Sequence[list[str]], pattern: re.Pattern[str]) -> int | None:
    """Return how many folders lie around entries that all fit a pattern; None if some do not."""
    for depth in range(max(map(len, paths), default=0)):
        rest = [parts[depth:] for parts in paths if parts[depth:] not in ([], [OF_THE_ZIP])]
        if rest and all(pattern.fullmatch(parts[0]) for parts in rest):
            return depth
        if len({parts[0] if parts[1:] else "" for parts in rest}) != 1 or not rest[0][1:]:
            return None
    return None


def _by_part(pattern: re.Pattern[str], depth: int, parts: list[str]) -> Person | None:
    found = pattern.fullmatch(parts[depth]) if parts[depth:] else None
    if found is None:
        return None
    names = found.groupdict()
    file = parts[-1] if parts[depth + 1 :] else names["file"] or ""
    return Person(
        Platform.FOLDER, names["id"].strip(), names["number"], file=file, time=names["time"]
    )


def _compiled(names: str) -> re.Pattern[str]:
    """Return the pattern; CourseError if it is none, or does not say where the student is."""
    usage = (
        f"give one of {', '.join(WORDS)}, or a regular expression with the group "
        "(?P<student_id>...), and (?P<timestamp>...) if there is a time, as in "
        r"--names '(?P<student_id>\w+)_(?P<timestamp>[0-9-]+)_'"
    )
    try:
        pattern = re.compile(names)
    except re.error as error:
        raise CourseError(f"--names {names} is no regular expression ({error}); {usage}") from error
    if "student_id" not in pattern.groupindex:
        raise CourseError(f"--names {names} has no group called student_id; {usage}")
    return pattern


def _by_pattern(paths: Sequence[list[str]], pattern: re.Pattern[str]) -> Reader:
    """Return what matches paths in the zip, or names of files where no path of a notebook fits."""
    notebooks = [parts for parts in paths if intake.OTHER_ENDING.search(parts[-1])]
    whole = any(pattern.match("/".join(parts)) for parts in notebooks)

    def read(parts: list[str]) -> Person | None:
        found = pattern.match("/".join(parts) if whole else parts[-1])
        names = found.groupdict() if found else {}
        if not (student := (names.get("student_id") or "").strip()):
            return None
        file = names.get("file_id") or parts[-1]
        return Person(Platform.FOLDER, student, student, file=file, time=names.get("timestamp"))

    return read


def _alone(paths: Sequence[list[str]]) -> Reader:
    around = _around(paths)

    def read(parts: list[str]) -> Person | None:
        parts, file = parts[around:], parts[-1]
        if (person := _person(parts)) is None:
            return None
        platform, found, in_folder = person
        names = found.groupdict()
        late = bool(names.get("late")) or (platform is Platform.ILIAS and " - " in file)
        title = file if in_folder else names["file"] or ""
        return Person(platform, names["id"].strip(), names["number"], names["key"], title, late)

    return read


def _around(paths: Sequence[list[str]]) -> int:
    """Return how many folders lie around all submissions, as when a zip was packed again.

    A student may call files as a platform does, on Moodle folders, too.
    """
    depth = 0
    while len(heads := {parts[depth] if parts[depth + 1 :] else "" for parts in paths}) == 1:
        (head,) = heads
        below = [one for parts in paths if (one := _person(parts[depth + 1 :]))]
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
        last = (Platform.ILIAS, ILIAS) if in_folder else (Platform.CANVAS, CANVAS)
        for platform, pattern in ((Platform.MOODLE, MOODLE), last):
            if found := pattern.fullmatch(part):
                return platform, found, in_folder
    return None
