"""Ask the checks of the instructor's notebook on several cores, before a class is judged by them.

What they say is stored; `suspension` finds it there, and asks what has gone wrong here itself.
"""

import functools
from typing import NamedTuple

from referee import workers
from referee.course import Assignment
from referee.judging import cache, digests, pipeline, suspension
from referee.model import Cell, Judged, Limits
from referee.sandbox.outside import server

FEWEST = 8  # checks for each process: it runs the cells again, which may take longer than a few


class AskedNotebook(NamedTuple):
    """What all parts have in common: the notebook's cells, and what is known of them."""

    assignment: Assignment
    cells: list[Cell]
    limits: Limits
    known: Judged


def ask(assignment: Assignment, limits: Limits, processes: int) -> None:
    """Judge the instructor's notebook, each process some of its checks, if that is worth it."""
    asked, cells = suspension.unprepared(assignment)
    work = digests.work(asked, cells, limits)
    known = cache.get(asked, work)
    checks = digests.checks(asked)
    to_run = [name for name in checks if name not in known.checks]
    number = min(processes, len(to_run) // FEWEST)
    if number < 2:
        return
    edition = digests.course(asked)
    server.warm(limits, asked.subject).start()  # which the processes share
    parts = [(str(one), to_run[one::number]) for one in range(number)]
    about = AskedNotebook(asked, cells, limits, known)
    with workers.opened(number) as benches:
        for _, judged in benches.run(_judged, about, parts):
            if isinstance(judged, Judged):
                cache.put(asked, work, judged, edition)


def _judged(about: AskedNotebook, checks: list[str]) -> Judged:
    """Judge a part in a process of its own."""
    assignment, cells, limits, known = about
    warm = functools.partial(server.warm, limits, assignment.subject)
    selection = pipeline.Selection(frozenset(checks))
    return pipeline.judge(assignment, cells, warm, limits, known, selection)
