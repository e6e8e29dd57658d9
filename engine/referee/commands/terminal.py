"""Print the results of commands; no other module prints. Decides nothing.

Each command makes one struct. Its fields are what `--json` writes (`docs/reference/json.md`), and a
module here prints it for people.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from referee.marks import files

MOST_NAMED = 10


def save(file: Path | None, result: Any) -> None:
    """Write a result as indented JSON; do nothing if no file is named."""
    content = msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"
    if str(file) == "-":
        sys.stdout.buffer.write(content)
    elif file is not None:
        files.save(file, content)


def say(console: Console, line: str, style: str | None = None) -> None:
    """Print a line without markup; in a pipe it is not wrapped."""
    whole = True if not console.is_terminal else None
    console.print(line, style=style, markup=False, highlight=False, soft_wrap=whole)


def say_whether(console: Console, good: bool, text: str, bad: str = "red") -> None:
    """Print a line after a sign for success or failure."""
    sign, style = ("✓", "green") if good else ("✗", bad)
    say(console, f"{sign} {text}", style)


def some(names: Sequence[str]) -> str:
    """Return the first ten names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"
