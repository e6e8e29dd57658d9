"""Show progress: a bar in a terminal, a line now and then elsewhere.

Who is waited for is named when nothing was done for some seconds. A time that is left is told only
while more is left than is being done: it comes from how fast the others were.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from referee.workers import Waiting

LINE_SECONDS = 10.0
WAITING_SECONDS = 30.0  # between two lines that name who is waited for
MOST_NAMED = 3
BAR = 15  # characters


class Ticker:
    """Counts what is done, and tells of it: `total` things, by `workers` at the same time."""

    def __init__(
        self, console: Console, what: str, total: int, workers: int, bar: Progress | None
    ) -> None:
        """Begin now, in a bar if there is one."""
        self.total, self.count, self.failed = total, 0, 0
        self._console, self._what, self._workers, self._bar = console, what, workers, bar
        self._task = bar.add_task(what, total=total, now="", failed="") if bar else None
        self._begin = self._last = time.monotonic()

    def done(self, name: str, well: bool, judged: bool) -> None:
        """Tell of an item that is done; one that was not judged does not count."""
        self.count, self.failed = self.count + judged, self.failed + (not well)
        self.total -= not judged
        self._tell(name, waits=False)

    def watch(self, waiting: Sequence[Waiting]) -> None:
        """Tell who is waited for, and what for."""
        more = f" and {len(waiting) - MOST_NAMED} more" if len(waiting) > MOST_NAMED else ""
        whom = ", ".join(map(_whom, waiting[:MOST_NAMED]))
        self._tell(f"waiting for {whom}{more}", waits=True)

    def _tell(self, name: str, waits: bool) -> None:
        now = time.monotonic()
        spent, need = now - self._begin, f"{self.failed} need you" if self.failed else ""
        left = self._left(spent)
        if self._bar and self._task is not None:
            rate = f"{60 * self.count / max(0.001, spent):.0f}/min"
            room = self._bar.console.width - BAR - 6
            room -= len(f"{self._what}{self.total}{self.total}{need}")
            text = ", ".join(filter(None, [name] if waits else [rate, left, name]))
            self._bar.update(
                self._task, completed=self.count, total=self.total, failed=need,
                now=text[: max(0, room)],
            )  # fmt: skip
            return
        over = self.count == self.total and not waits
        quiet = WAITING_SECONDS if waits else LINE_SECONDS
        if (self.count == 0 and not waits) or (not over and now - self._last < quiet):
            return
        self._last = now
        parts = [f"{self._what}: {self.count} of {self.total} in {spent:.0f} s"]
        self._console.print(", ".join(filter(None, [*parts, name if waits else left, need])))

    def _left(self, spent: float) -> str:
        """Return how long it takes still, or how many are left if that is not known."""
        left = self.total - self.count
        if left <= self._workers or not self.count:
            return f"{left} left" if left else ""
        return f"about {spent / self.count * left:.0f} s left"


def _whom(one: Waiting) -> str:
    """Return a name, and for how long."""
    return f"{one.name}: {one.seconds:.0f} s"


@contextmanager
def shown(console: Console, what: str, total: int, workers: int) -> Iterator[Ticker]:
    """Show progress."""
    if not console.is_terminal:
        yield Ticker(console, what, total, workers, None)
        return
    columns = (
        TextColumn("{task.description}"), BarColumn(BAR), MofNCompleteColumn(),
        TextColumn("{task.fields[failed]}", style="yellow"), TextColumn("{task.fields[now]}"),
    )  # fmt: skip
    with Progress(*columns, console=console) as bar:
        yield Ticker(console, what, total, workers, bar)
