"""Read the lists that an instructor may keep in the course's folder: groups and extensions.

`groups.csv` says who hands in together, `extensions.csv` who has more time. Changes nothing.
"""

import csv
import datetime
import io
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from referee.course import CourseError
from referee.intake import times
from referee.marks import files

GROUPS, EXTENSIONS = "groups.csv", "extensions.csv"
EVERY = ""  # in the column of the assignment: all of them


class Extension(NamedTuple):
    """Until when a student has time: as it was written, and in UTC."""

    text: str
    until: datetime.datetime


def groups(root: Path, assignment: str) -> dict[str, list[str]]:
    """Return who is in which group for an assignment."""
    found: dict[str, list[str]] = {}
    member: dict[str, str] = {}
    for where, row in _rows(root / GROUPS, ("group", "student")):
        if row.get("assignment", EVERY) in (EVERY, assignment):
            group, student = row["group"], row["student"]
            if member.setdefault(student, group) != group:
                raise CourseError(
                    f"{where}: {student} is in {member[student]} already; leave one of them out"
                )
            found.setdefault(group, []).append(student)
    return found


def sharing(root: Path, assignment: str, handed_in: Collection[str]) -> dict[str, list[str]]:
    """Return whose submissions there are, and for whom each one counts.

    Who hands something in counts by that. The others of a group count by what was handed in under
    the group's name, or by one of them.
    """
    shares = {owner: [owner] for owner in handed_in}
    for group, members in groups(root, assignment).items():
        owners = [group] if group in shares else [one for one in members if one in shares]
        others = [one for one in members if one not in shares]
        if len(owners) > 1 and others:
            raise CourseError(
                f"{root / GROUPS}: {' and '.join(owners)} of {group} have both handed in "
                f"{assignment}, so it is not known which counts for {', '.join(others)}; take one "
                "folder away, or who works alone out of the group"
            )
        if group in shares and group not in members:
            shares[group] = []
        if owners:
            shares[owners[0]] += others
    return shares


def extensions(root: Path, assignment: str, due: datetime.datetime | None) -> dict[str, Extension]:
    """Return who has until when for an assignment that is `due` for the others."""
    found = {}
    for where, row in _rows(root / EXTENSIONS, ("student", "assignment", "until")):
        if row["assignment"] != assignment:
            continue
        try:
            until = times.moment(row["until"])
        except ValueError as error:
            raise CourseError(f"{where}: {row['until']!r} {error}") from error
        if due and until < due:
            raise CourseError(
                f"{where}: {row['until']} is before {assignment} is due ({due} UTC); give a later "
                "time, or leave the line out"
            )
        found[row["student"]] = Extension(row["until"], until)
    return found


def _rows(file: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield where each row of a table stands, and what it has in which column."""
    if not file.is_file():
        return
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CourseError(f"{file}: this is no UTF-8; save it as CSV UTF-8") from error
    lines = io.StringIO(text, newline="")
    reader = csv.DictReader(lines, delimiter=files.comma(text), restval="")
    names = [name.strip() for name in reader.fieldnames or ()]
    if missing := [name for name in columns if name not in names]:
        raise CourseError(
            f"{file}: the first line has no column {missing[0]!r}; it should be {','.join(columns)}"
        )
    reader.fieldnames = names
    for row in reader:
        where = f"{file}, line {reader.line_num}"
        values = {name: (row[name] or "").strip() for name in names}
        if any(values.values()):
            if empty := [name for name in columns if not values[name]]:
                raise CourseError(f"{where}: {empty[0]} is empty; fill it in")
            yield where, values
