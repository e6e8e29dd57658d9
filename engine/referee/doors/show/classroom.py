"""Print collected submissions, the status of the class, and the files of feedback and marks."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from referee.commands.terminal import MOST_NAMED, say, some
from referee.course import Assignment
from referee.doors.status import Status
from referee.marks.groups_and_extensions import Reading
from referee.model import Platform
from referee.platforms import Collected

if TYPE_CHECKING:  # those draw, and a command that grades should not wait for that
    from referee.doors.viva import VivaResult


def collected(console: Console, task: Assignment, done: Collected, before: Collection[str]) -> None:
    """Print who was collected, who was not and why; `before` were collected earlier."""
    new = len(set(done.keys) - set(before))
    say(console, f"{len(done.keys)} students collected, {new} new.")
    if done.late:
        late = ", ".join(sorted(done.late))
        words = "Late, says the platform, which gives no time (a timestamp.txt counts)"
        say(console, f"{words}: {late}.")
    if done.zone:
        words = f"The times in the names are taken as {done.zone} (c.Exchange.timezone)"
        say(console, f"{words}, and written into timestamp.txt.")
    if done.timeless:
        people = some(sorted(done.timeless))
        say(console, f"Their time cannot be read, put it into timestamp.txt: {people}.")
    if done.without:
        held = [
            f"{name} ({', '.join(files) or 'an empty folder'})"
            for name, files in sorted(done.without.items())
        ]
        say(console, f"Without a notebook: {some(held)}.")
    for name, why in sorted(done.refused.items()):
        say(console, f"Not collected: {name}, since {why}.")
    if done.refused:
        place = f"submitted/<student>/{task.name}/"
        say(console, f"Copy by hand what you can read of these into {place}.")
    if done.others:
        others = some(sorted(done.others))
        say(console, f"Left out, since it is no notebook or nobody's: {others}.")


def lists(console: Console, lists: Reading) -> None:
    """Print lines about groups and extensions, a few of each kind."""
    for lines, kind in zip(lists, ("extensions.csv", "what reaches nobody"), strict=True):
        for line in lines[:MOST_NAMED]:
            say(console, line)
        if len(lines) > MOST_NAMED:
            say(console, f"and {len(lines) - MOST_NAMED} more lines of {kind}")


def status(console: Console, notebooks: Sequence[Status]) -> None:
    """Print a line for each notebook, and below it the students with work to be done."""
    heads = ("", "handed in", "graded", "to grade", "stale", "by hand")
    rows = [
        (one.assignment, *map(str, map(len, (
            one.handed_in, one.graded, one.to_grade, one.stale, one.by_hand
        )))) for one in notebooks
    ]  # fmt: skip
    first = max(len(row[0]) for row in rows)
    for name, *counts in (heads, *rows):
        fields = (f"{text:>{len(head)}}" for text, head in zip(counts, heads[1:], strict=True))
        say(console, "  ".join([f"{name:{first}}", *fields]))
    for one in notebooks:
        for words, names in (
            ("to grade", one.to_grade),
            ("stale, since another notebook was handed in", one.stale),
            ("with a cell to mark by hand", one.by_hand),
        ):
            if names:
                say(console, f"{one.assignment}, {words}: {some(names)}")
        for name, why in [*one.waits.items()][:MOST_NAMED]:
            say(console, f"{one.assignment}, {name}: {why}")


def nobody(console: Console, keys: Sequence[str], platform: Platform) -> None:
    """Print that a platform would know none of the feedback on some notebooks."""
    say(
        console,
        f"Nothing was written: nobody of {some(keys)} was collected from {platform}, which could "
        "give the feedback to none of them; `referee collect` its zip of submissions first, or "
        "write `--for folder`.",
    )


def packed(
    console: Console,
    file: Path,
    count: int,
    platform: Platform,
    left_out: Sequence[str],
    gone: Sequence[str],
    waiting: int,
) -> None:
    """Print who has feedback in a zip, who has none and why, and how many wait for a mark."""
    say(console, f"Wrote {file}: feedback for {count} students.")
    if platform is Platform.CANVAS:
        words = "Canvas gives each page the name of the file that was handed in"
        say(console, f"{words}, .ipynb: tell students to rename it to .html.")
    if left_out:
        names = some(left_out)
        say(console, f"Left out, since they were not collected from {platform}: {names}.")
    if gone:
        names = some(gone)
        say(console, f"Collected, and without feedback, since they have no marks: {names}.")
    if waiting:
        say(console, f"A cell of {waiting} students still waits for a mark by hand.")


def exported(console: Console, file: Path, left_out: Sequence[str]) -> None:
    """Print which table was written, and who is not in it."""
    say(console, f"Wrote {file}.")
    if left_out:
        names = some(left_out)
        say(console, f"Left out, since a cell waits for a mark by hand: {names}.")


def sheets(console: Console, result: "VivaResult") -> None:
    """Print how many sheets were written, who has fewer questions and why, and where they are."""
    people = "1 student" if result.students == 1 else f"{result.students} students"
    say(console, f"{people}, {result.students - len(result.few)} with five questions.")
    for why in dict.fromkeys(result.few.values()):
        names = some([name for name in result.few if result.few[name] == why])
        say(console, f"Fewer: {names}. {why}")
    say(console, f"Print {result.files[0]}, a sheet a page; for you alone: {result.files[1]}")
