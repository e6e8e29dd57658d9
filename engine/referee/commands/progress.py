"""Show progress: a bar in a terminal, a line now and then elsewhere.

Who is waited for is named when nothing was done for some seconds.
"""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

LINE_SECONDS = 10.0
WAITING_SECONDS = 30.0  # between two lines that name who is waited for
MOST_NAMED = 3


class Ticker:
    """Counts what is done, of a total, and tells of it."""

    def __init__(self, bar: Progress, what: str, total: int) -> None:
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
        more = f" and {len(waiting) - MOST_NAMED} more" if len(waiting) > MOST_NAMED else ""
        whom = ", ".join(f"{name}: {seconds:.0f} s" for name, seconds in waiting[:MOST_NAMED])
        self._tell(f"waiting for {whom}{more}", WAITING_SECONDS)

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
def shown(console: Console, what: str, total: int) -> Iterator[Ticker]:
    """Show progress."""
    columns = (
        TextColumn("{task.description}"), BarColumn(15), MofNCompleteColumn(),
        TimeRemainingColumn(compact=True), TextColumn("{task.fields[now]}", markup=False),
    )  # fmt: skip
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        yield Ticker(bar, what, total)
