"""Print what commands say; no other module prints.

A command makes one struct, whose fields are what `--json` writes (`docs/reference/json.md`).
"""

import math
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from rich import progress
from rich.console import Console
from rich.text import Text

from referee.marks import files

MOST_NAMED = 10
LINE_SECONDS = 10.0
WAITING_SECONDS = 30.0  # between two lines that name who is waited for


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


class Ticker:
    """Counts what is done, of a total, and tells of it."""

    def __init__(self, bar: progress.Progress, what: str, total: int) -> None:
        """Begin now, with a bar that is shown in a terminal only."""
        self.total, self.count, self.failed = total, 0, 0
        self._bar, self._what = bar, what
        self._task = bar.add_task(what, now="")
        self._begin = self._last = time.monotonic()

    def done(self, well: bool, judged: bool) -> None:
        """Tell that something is done; what was not judged does not count."""
        self.count, self.failed = self.count + judged, self.failed + (not well)
        self.total -= not judged
        quiet = LINE_SECONDS if self.count < self.total else 0.0
        self._tell("", quiet if self.count else math.inf)

    def watch(self, waiting: Sequence[tuple[str, float]]) -> None:
        """Tell who is waited for, and for how long."""
        whom = some([f"{name}: {seconds:.0f} s" for name, seconds in waiting])
        self._tell(f"waiting for {whom}", WAITING_SECONDS)

    def _tell(self, text: str, quiet: float) -> None:
        """Change the bar; without one print a line if there was none for so many seconds."""
        now, need = time.monotonic(), f"{self.failed} need you" if self.failed else ""
        told = ", ".join(filter(None, [text, need]))
        self._bar.update(self._task, completed=self.count, total=self.total, now=told)
        if self._bar.disable and now - self._last >= quiet:
            self._last = now
            spent = f"{self._what}: {self.count} of {self.total} in {now - self._begin:.0f} s"
            self._bar.console.print(", ".join(filter(None, [spent, told])))


@contextmanager
def ticking(screen: Console, what: str, total: int) -> Iterator[Ticker]:
    """Show progress: a bar in a terminal, a line now and then elsewhere.

    Who is waited for is named when nothing was done for some seconds.
    """
    columns = (
        "{task.description}", progress.BarColumn(15), progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(compact=True),
        progress.TextColumn("{task.fields[now]}", markup=False),
    )  # fmt: skip
    with progress.Progress(*columns, console=screen, disable=not screen.is_terminal) as bar:
        yield Ticker(bar, what, total)
