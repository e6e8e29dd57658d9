"""Read the lists that an instructor may keep in the course's folder: groups and extensions.

`groups.csv` says who hands in together, `extensions.csv` who has more time; what a line names and
nobody else does is told. Changes nothing.
"""

import csv
import datetime
import io
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from referee import course, intake
from referee.course import CourseError, letters, meant
from referee.intake import times
from referee.marks import files, roster

GROUPS, EXTENSIONS = "groups.csv", "extensions.csv"
EVERY = ""  # in the column of the assignment: all of them


class Extension(NamedTuple):
    """Until when a student has time: as it was written, and in UTC."""

    text: str
    until: datetime.datetime


class Reading(NamedTuple):
    """What the lists say, in lines to be shown: who has more time, and what reaches nobody."""

    extensions: list[str]
    strays: list[str]


def reading(root: Path, assignments: Collection[str]) -> Reading:
    """Return what the lists say about some assignments; CourseError where they cannot be used."""
    given, strays = list[str](), list(_strays(root))
    dues = roster.dues(root) if (root / EXTENSIONS).is_file() else {}
    for name in assignments:
        due, handed_in = dues.get(name), set(intake.students(root, name))
        found = extensions(root, name, due)
        given += [f"{EXTENSIONS}: {student} has until {str(one.until).removesuffix(':00')} UTC for "
                  f"{name} ({one.text})" for student, one in found.items()]  # fmt: skip
        if found and not due:
            strays.append(
                f"{EXTENSIONS}: {name} has no due date, so nobody is late; give it one with "
                f"`nbgrader db assignment add {name} --duedate=...`"
            )
        for group, members in groups(root, name).items():
            owners = [one for one in (group, *members) if one in handed_in]
            if owners and not found.keys() & set(owners):
                strays += [
                    f"{EXTENSIONS}: {one} counts by what {owners[0]} has handed in; write "
                    f"{owners[0]} in its place"
                    for one in found.keys() & set(members)
                ]
    return Reading(given, strays)


def _strays(root: Path) -> Iterator[str]:
    """Yield the lines with a name that is nowhere else: of a student, a group, an assignment.

    Who is in a group may be nowhere else, if not somebody is called so in other letters.
    """
    grouped = list(_rows(root / GROUPS, ("group", "student")))
    given = list(_rows(root / EXTENSIONS, ("student", "assignment", "until")))
    if not grouped and not given:
        return
    members = {row["student"] for _, row in grouped}
    students = {one.name for one in (root / "submitted").iterdir()} | set(roster.known(root))
    alone, handing_in = _by_letters(students - members), _by_letters(students)
    everybody = _by_letters(students | members | {row["group"] for _, row in grouped})
    assignments = _by_letters({EVERY, *course.assignments(root)})
    for where, row in grouped:
        yield from _stray(where, "student", row["student"], handing_in, members)
        yield from _stray(where, "group", row["group"], alone, {row["group"]})
    for where, row in given:
        yield from _stray(where, "student", row["student"], everybody)
    for where, row in (*grouped, *given):
        yield from _stray(where, "assignment", row.get("assignment", EVERY), assignments)


def _by_letters(names: Collection[str]) -> dict[str, str]:
    """Return names by themselves, and by their letters."""
    return {letters(one): one for one in names} | {one: one for one in names}


def _stray(
    where: str, what: str, name: str, known: dict[str, str], also: Collection[str] = ()
) -> Iterator[str]:
    """Yield what is wrong with a name that is not known, unless it is `also` good as it is."""
    hint = known.get(letters(name), "")
    if known.get(name) != name and (hint or name not in also):
        hint = hint or (meant(name, known) if what == "assignment" else "")
        advice = f"did you mean {hint}?" if hint else "correct it, or leave the line out"
        yield f"{where}: no {what} is called {name!r}; {advice}"


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
    found: dict[str, Extension] = {}
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
        if before := found.get(row["student"]):
            raise CourseError(
                f"{where}: {row['student']} has until {before.text} already; leave one of them out"
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
        where = f"{file.name}, line {reader.line_num}"
        values = {name: (row[name] or "").strip() for name in names}
        if any(values.values()):
            if empty := [name for name in columns if not values[name]]:
                raise CourseError(f"{where}: {empty[0]} is empty; fill it in")
            yield where, values
