"""Say by which rule of the sandbox an error came about: for instructors, never for students."""

import functools
import re
from collections import Counter
from importlib import metadata

from referee.judging.points import SUSPENDED
from referee.model import Report

MODULE = re.compile(r"(?:ModuleNotFoundError: )?No module named '(\w+)'")
LACKING = "{} is not installed here"
LEFT_OUT = "{} is installed, but not among c.Course.packages"
CURES = {
    LACKING: "Install it with pip in this environment, or hand its file out with the release",
    LEFT_OUT: "Write it there in nbgrader_config.py if students have it, too",
}
RULES = {
    r"\[Errno (30|13)\] [^:]*: '": "student code writes into its folder, and where tempfile does",
    r"\[Errno 2\] [^:]*: '/": "student code sees of this machine Python and its packages only",
    r"\[Errno 2\] [^:]*: '[^/]": "student code sees files that come with the release",
    r"\[Errno 28\]": "all files of student code together may have c.Limits.folder_bytes",
    r"urlopen error|name resolution|Name or service|\[Errno (101|111)\]|\[Errno 1\] [^:]*$":
        "student code has no network, and may not change its rights",
    r"\[Errno 11\]|can't start new thread": "student code may start c.Limits.processes at a time",
    r"MemoryError": "student code has c.Limits.memory_bytes of memory",
}  # fmt: skip


def named(text: str) -> str:
    """Return an error with the rule that it comes from, if a rule of the sandbox may be behind it.

    What is said of a missing package takes the place of Python's own words.
    """
    if rule := missing(text):
        return MODULE.sub(lambda _: rule, text, count=1)
    rule = next((rule for pattern, rule in RULES.items() if re.search(pattern, text)), "")
    return f"{text} (in the sandbox {rule})" if rule else text


def missing(text: str) -> str:
    """Return why a module that an error names cannot be imported; nothing if it names none."""
    if (found := MODULE.search(text)) is None:
        return ""
    package = distribution(found[1])
    name = found[1] if package in (None, found[1]) else f"{found[1]} ({package})"
    return (LEFT_OUT if package else LACKING).format(name)


def cure(reason: str) -> str:
    """Return what to do about a missing package; nothing if the reason is another one."""
    ends = {rule.removeprefix("{}"): cure for rule, cure in CURES.items()}
    return next((cure for end, cure in ends.items() if reason.endswith(end)), "")


def undecided(report: Report) -> str:
    """Return why the referee could not decide about a notebook; nothing if it could."""
    checks = [one for one in report.checks if one.verdict.open]
    if not checks or report.trouble or any(one.message != SUSPENDED for one in checks):
        return f"something of ours has failed: {'; '.join(report.ours)}" if report.ours else ""
    lacking = Counter(one.details for one in checks if cure(one.details))
    said = [f"{why}, and {number} tests need it" for why, number in sorted(lacking.items())]
    if failed := [one.id for one in checks if not cure(one.details)]:
        said.append(f"your own notebook does not pass {', '.join(failed)}")
    return "; ".join(said)


def distribution(module: str) -> str | None:
    """Return the installed package that a module belongs to, if there is one."""
    return _distributions().get(module, (None,))[0]


@functools.cache
def _distributions() -> dict[str, tuple[str | None, ...]]:
    return {name: tuple(found) for name, found in metadata.packages_distributions().items()}
