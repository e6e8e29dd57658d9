"""Say by which rule of the sandbox an error came about: for instructors, never for students."""

import functools
import re
from importlib import metadata

from referee.judging.pipeline import SUSPENDED
from referee.model import Report, counted

MODULE = re.compile(r"(?:ModuleNotFoundError: )?No module named '(\w+)'")
LACKING = (
    "{} is not installed here; install it with pip in this environment, or hand its file out with "
    "the release"
)
COLAB = "google.colab is there in Colab only; no other part of google is installed here"
LEFT_OUT = (
    "{} is installed, but not among c.Course.packages; write it there in nbgrader_config.py if "
    "students have it, too"
)
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
    """Return why a module that an error names is missing, and what to do; "" if it names none."""
    if (match := MODULE.search(text)) is None:
        return ""
    package = distribution(match[1])
    if (package, match[1]) == (None, "google"):
        return COLAB
    name = match[1] if package in (None, match[1]) else f"{match[1]} ({package})"
    return (LEFT_OUT if package else LACKING).format(name)


def undecided(report: Report) -> str:
    """Return why the referee could not decide about a notebook; nothing if it could."""
    checks = [one for one in report.checks if one.verdict.open]
    if not checks or report.trouble or any(one.message != SUSPENDED for one in checks):
        return f"something of ours has failed: {'; '.join(report.ours)}" if report.ours else ""
    more = f" and {counted(len(checks) - 3, 'more check')}" if len(checks) > 3 else ""
    return f"your own notebook does not pass {', '.join(one.id for one in checks[:3])}{more}"


def distribution(module: str) -> str | None:
    """Return the installed package that a module belongs to, if there is one."""
    return _distributions().get(module, (None,))[0]


@functools.cache
def _distributions() -> dict[str, tuple[str | None, ...]]:
    return {name: tuple(packages) for name, packages in metadata.packages_distributions().items()}
