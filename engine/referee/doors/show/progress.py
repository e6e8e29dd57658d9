"""Show progress: a bar in a terminal, a line now and then elsewhere.

Who is waited for is named when nothing was done for some seconds. A time that is left is told only
while more is left than is being done: it comes from how fast the others were.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from referee.doors.show import say
from referee.workers import Waiting

LINE_SECONDS = 10.0
WAITING_SECONDS = 30.0  # between two lines that name who is waited for
MOST_NAMED = 3
BAR = 15  # characters
Tell = Callable[["Ticker", str], None]


class Ticker:
    """Counts what is done, and tells of it: `total` things, by `workers` at the same time."""

    def __init__(self, total: int, workers: int, tell: Tell) -> None:
        """Begin now."""
        self.total, self._workers, self._tell = total, workers, tell
        self.count = self.failed = 0
        self.waits = False  # whether what is told now is who is waited for
        self._begin = time.monotonic()

    @property
    def spent(self) -> float:
        """Return the seconds since the beginning."""
        return time.monotonic() - self._begin

    @property
    def left(self) -> str:
        """Return how long it takes still, or how many are left if that is not known."""
        left = self.total - self.count
        if left <= self._workers or not self.count:
            return f"{left} left" if left else ""
        return f"about {self.spent / self.count * left:.0f} s left"

    @property
    def need(self) -> str:
        """Return how many need a human."""
        return f"{self.failed} need you" if self.failed else ""

    def done(self, name: str, well: bool, judged: bool) -> None:
        """Tell of an item that is done; one that was not judged does not count."""
        self.count, self.failed = self.count + judged, self.failed + (not well)
        self.total -= not judged
        self.waits = False
        self._tell(self, name)

    def watch(self, waiting: Sequence[Waiting]) -> None:
        """Tell who is waited for, and what for."""
        more = f" and {len(waiting) - MOST_NAMED} more" if len(waiting) > MOST_NAMED else ""
        self.waits = True
        self._tell(self, f"waiting for {', '.join(map(_whom, waiting[:MOST_NAMED]))}{more}")


def _whom(one: Waiting) -> str:
    """Return a name, with what runs for how long."""
    if one.what:
        return f"{one.name}: {one.what} has run {one.seconds:.0f} s (limit: {one.limit:g} CPU s)"
    return f"{one.name}: {one.seconds:.0f} s" if one.seconds else one.name


@contextmanager
def shown(console: Console, what: str, total: int, workers: int) -> Iterator[Ticker]:
    """Show progress."""
    if console.is_terminal:
        columns = (
            TextColumn("{task.description}"), BarColumn(BAR), MofNCompleteColumn(),
            TextColumn("{task.fields[failed]}", style="yellow"), TextColumn("{task.fields[now]}"),
        )  # fmt: skip
        with Progress(*columns, console=console) as bar:
            yield Ticker(total, workers, _bar(bar, what, total))
    else:
        yield Ticker(total, workers, _lines(console, what))


def _bar(bar: Progress, what: str, total: int) -> Tell:
    task = bar.add_task(what, total=total, now="", failed="")

    def tell(now: Ticker, name: str) -> None:
        rate = f"{60 * now.count / max(0.001, now.spent):.0f}/min"
        parts = [name] if now.waits else [rate, now.left, name]
        bar.update(task, completed=now.count, total=now.total, failed=now.need)
        room = bar.console.width - len(f"{what}{total}{total}{now.need}") - BAR - 6
        bar.update(task, now=", ".join(filter(None, parts))[: max(0, room)])

    return tell


def _lines(console: Console, what: str) -> Tell:
    last = time.monotonic()

    def tell(now: Ticker, name: str) -> None:
        nonlocal last
        quiet = WAITING_SECONDS if now.waits else LINE_SECONDS
        over = now.count == now.total and not now.waits
        if (now.count == 0 and not now.waits) or (not over and time.monotonic() - last < quiet):
            return
        last = time.monotonic()
        parts = [f"{what}: {now.count} of {now.total} in {now.spent:.0f} s"]
        parts += [name if now.waits else now.left, now.need]
        say(console, ", ".join(filter(None, parts)))

    return tell
