"""Show progress: a bar in a terminal, a line now and then elsewhere."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from referee.doors.show import say

LINE_SECONDS = 10.0
Done = Callable[[str, bool, bool], None]


@contextmanager
def shown(console: Console, what: str, total: int) -> Iterator[Done]:
    """Show progress.

    Gives a function to call for each item that is done: with its name, whether it went well, and
    whether it was judged; other items do not count for the time that is left.
    """
    if console.is_terminal:
        columns = (
            TextColumn("{task.description:36}"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"), TimeRemainingColumn(),
            TextColumn("{task.fields[failed]}", style="yellow"),
        )  # fmt: skip
        with Progress(*columns, console=console) as bar:
            yield _bar(bar, what, total)
    else:
        yield _lines(console, what, total)


def _bar(bar: Progress, what: str, total: int) -> Done:
    task = bar.add_task(what, total=total, rate="", failed="")
    count, failed, begin = 0, 0, time.monotonic()

    def done(name: str, well: bool, judged: bool) -> None:
        nonlocal count, failed, total
        count, failed, total = count + judged, failed + (not well), total - (not judged)
        rate = 60 * count / max(0.001, time.monotonic() - begin)
        need = f"{failed} need you" if failed else ""
        bar.update(task, completed=count, total=total, description=f"{what}: {name}")
        bar.update(task, failed=need, rate=f"{rate:.0f}/min")

    return done


def _lines(console: Console, what: str, total: int) -> Done:
    count = failed = 0
    begin = last = time.monotonic()

    def done(name: str, well: bool, judged: bool) -> None:
        nonlocal count, failed, total, last
        count, failed, total = count + judged, failed + (not well), total - (not judged)
        now = time.monotonic()
        if count == 0 or (count < total and now - last < LINE_SECONDS):
            return
        last, spent = now, now - begin
        left = spent / count * (total - count)
        need = f", {failed} need you" if failed else ""
        took = f"{count} of {total} in {spent:.0f} s"
        say(console, f"{what}: {took}, about {left:.0f} s left{need}")

    return done
