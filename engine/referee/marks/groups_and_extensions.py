"""Read the lists that an instructor may keep in the course's folder: groups and extensions.

`groups.csv` lists who hands in together, `extensions.csv` who has more time. Names in them that the
course does not know are reported. Changes nothing.
"""

import csv
import datetime
import io
from collections.abc import Collection, Iterator
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from referee import intake
from referee.course import Course, CourseError, hint, meant
from referee.intake import times
from referee.marks import standings

GROUPS, EXTENSIONS = "groups.csv", "extensions.csv"
EVERY = ""  # an empty assignment column: all assignments


class Extension(NamedTuple):
    """A student's extended due date: as written in the list, and in UTC."""

    text: str
    until: datetime.datetime


def reading(course: Course, assignments: Collection[str]) -> tuple[list[str], list[str]]:
    """Return lines on the extensions of some assignments, and on entries without effect.

    CourseError if a list cannot be used.
    """
    lines, strays = list[str](), list(_strays(course))
    dues, roster = standings.dues(course), set(standings.students(course, listed=True))
    for name in assignments:
        handed_in, teams = set(intake.students(course, name)), groups(course, name)
        due, by_student = dues.get(name), extensions(course, name, dues.get(name))
        strays += [
            f"{name}: {student} is not in the gradebook's list of students" + hint(student, roster)
            for student in sorted(handed_in - roster - teams.keys() if roster else ())
        ]
        lines += [f"{EXTENSIONS}: {student} has until {str(row.until).removesuffix(':00')} UTC "
                  f"for {name} ({row.text})" for student, row in by_student.items()]  # fmt: skip
        if by_student and not due:
            strays.append(
                f"{EXTENSIONS}: {name} has no due date, so nobody is late; give it one with "
                f"`nbgrader db assignment add {quote(name)} --duedate=...`"
            )
        for group, members in teams.items():
            owners = [one for one in (group, *members) if one in handed_in]
            if owners and not by_student.keys() & set(owners):
                strays += [
                    f"{EXTENSIONS}: {member} counts by what {owners[0]} has handed in; write "
                    f"{owners[0]} in its place"
                    for member in by_student.keys() & set(members)
                ]
    return lines, strays


def _strays(course: Course) -> Iterator[str]:
    """Yield a line for each unknown name of a student, a group or an assignment.

    Where the class has no list, a member of a group who has handed nothing in may be unknown,
    unless the name is nearly that of somebody who is in no group.
    """
    groups = list(_rows(course.root / GROUPS, ("group", "student")))
    extensions = list(_rows(course.root / EXTENSIONS, ("student", "assignment", "until")))
    if not groups and not extensions:
        return
    members, names = ({row[column] for _, row in groups} for column in ("student", "group"))
    students = {one.name for one in course.folder("submitted").iterdir()}
    students.update(standings.students(course))
    alone, everybody = students - members - names, students | members | names
    assignments = {"assignment": ({EVERY, *course.assignments},) * 2}
    near = students if standings.students(course, listed=True) else alone
    of_groups = {"student": (students, near), "group": (students - members, set()), **assignments}
    of_people = {"student": (everybody, everybody), **assignments}
    lines = [(line, of_groups) for line in groups] + [(line, of_people) for line in extensions]
    for (where, row), kinds in lines:
        for column, (known_names, near) in kinds.items():
            if (name := row.get(column, EVERY)) in known_names:
                continue
            right = meant(name, known_names, 1) or meant(name, near)
            if right or known_names is near:  # else it may be somebody new
                advice = f"did you mean {right}?" if right else "correct it, or leave the line out"
                yield f"{where}: no {column} is called {name!r}; {advice}"


def groups(course: Course, assignment: str) -> dict[str, list[str]]:
    """Return the members of each group for an assignment; CourseError if a list cannot be used."""
    teams: dict[str, list[str]] = {}
    member: dict[str, str] = {}
    for where, row in _rows(course.root / GROUPS, ("group", "student")):
        if row.get("assignment", EVERY) in (EVERY, assignment):
            group, student = row["group"], row["student"]
            if member.setdefault(student, group) != group:
                raise CourseError(
                    f"{where}: {student} is in {member[student]} already; leave one of them out"
                )
            teams.setdefault(group, []).append(student)
    return teams


def owners(course: Course, assignment: str, handed_in: Collection[str]) -> dict[str, str]:
    """Return by student who has handed in the submission that counts for them.

    A submission counts for who handed it in. For the other members of a group, the one under the
    group's name counts, or else that of a member; CourseError if there are several.
    """
    owner_of = {owner: owner for owner in handed_in}
    for group, members in groups(course, assignment).items():
        senders = [group] if group in handed_in else [one for one in members if one in handed_in]
        others = [one for one in members if one not in handed_in]
        if len(senders) > 1 and others:
            raise CourseError(
                f"{course.root / GROUPS}: {' and '.join(senders)} of {group} have both handed in "
                f"{assignment}, so it is not known which counts for {', '.join(others)}; take one "
                "folder away, or who works alone out of the group"
            )
        if group not in members:
            owner_of.pop(group, None)
        if senders:
            owner_of |= dict.fromkeys(others, senders[0])
    return owner_of


def extensions(
    course: Course, assignment: str, due: datetime.datetime | None
) -> dict[str, Extension]:
    """Return the extensions by student for an assignment that is `due` for the others.

    CourseError for a line that is no time, before `due`, or there twice.
    """
    by_student: dict[str, Extension] = {}
    for where, row in _rows(course.root / EXTENSIONS, ("student", "assignment", "until")):
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
        if before := by_student.get(row["student"]):
            raise CourseError(
                f"{where}: {row['student']} has until {before.text} already; leave one of them out"
            )
        by_student[row["student"]] = Extension(row["until"], until)
    return by_student


def _rows(file: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the place and the values of each row of a table, by column."""
    if not file.is_file():
        return
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CourseError(f"{file}: this is no UTF-8; save it as CSV UTF-8") from error
    lines, head = io.StringIO(text, newline=""), text.partition("\n")[0]
    comma = ";" if head.count(";") > head.count(",") else ","  # as in some countries
    reader = csv.DictReader(lines, delimiter=comma, restval="")
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
