"""Print what commands say; no other module prints.

A command makes one struct, whose fields are what `--json` writes (`docs/reference/json.md`).
"""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from referee.marks import files

MOST_NAMED = 10


def console(json: Path | None = None) -> Console:
    """Return the console for a command's output; in a pipe it does not wrap lines."""
    made = Console(stderr=str(json) == "-", emoji=False, markup=False, highlight=False)
    made.soft_wrap = not made.is_terminal
    return made


def said(lines: Iterable[str | Text], result: Any = None, json: Path | None = None) -> None:
    """Write a result, if there is one, as indented JSON to a file; print lines for people."""
    if result is not None and json is not None:
        content = msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n"
        if str(json) == "-":
            sys.stdout.buffer.write(content)
        else:
            files.save(json, content)
    screen = console(json)
    for line in lines:
        screen.print(line)


def whether(good: bool, text: str, bad: str = "red") -> Text:
    """Return a line after a sign for success or failure."""
    return Text(f"✓ {text}", "green") if good else Text(f"✗ {text}", bad)


def some(names: Sequence[str]) -> str:
    """Return the first ten names, and how many more there are."""
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def sandboxed(layers: int) -> str:
    """Return the number of layers of isolation in words; `referee doctor` lists them."""
    return f"sandboxed: {layers} layers" if layers else "not sandboxed"
