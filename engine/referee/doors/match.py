"""Play one game of a ladder, each submission in a copy of its process made for this game.

Whoever errs, plays an illegal move or takes too long loses this game, and nothing else.
"""

import contextlib
import functools
import os
import random
from collections.abc import Callable
from multiprocessing.util import Finalize
from typing import Any, NamedTuple, TypeAlias

import msgspec

from referee.course import Assignment
from referee.model import TRIES, Cell, Limits, Verdict
from referee.report.ladder import PlayedGame
from referee.sandbox.outside import zygote
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import StudentError
from referee.sandbox.outside.submission import Submission

WALL_SECONDS = 10.0  # for a move
MOST_SAID = 200  # characters of what code said
MOST_AT_WORK = 24  # submissions that a worker keeps
WHY = {  # a game is lost
    Verdict.TIMEOUT: "took more than {:g} s for a move",
    Verdict.IDLE: "did nothing when it was to move",
    Verdict.MEMORY: "took too much memory",
    Verdict.KILLED: "its process ended",
    Verdict.UNCLEAR: "its process was killed",
}
Asked: TypeAlias = Callable[[list[Any]], Any]


class Rules(NamedTuple):
    """The assignment, the limits, the seconds for a move, and the cells of each submission."""

    assignment: Assignment
    limits: Limits
    seconds: float
    cells: dict[str, list[Cell]]


class PlannedGame(NamedTuple):
    """Who moves first and who second, the moves that are made for them, and a number."""

    players: tuple[str, str]
    opening: list[Any]
    seed: str


class _LostGame(Exception):  # noqa: N818 - it ends a game
    """A player has lost: a verdict, if it was stopped, or a reason, and what its code said."""

    def __init__(self, why: str, said: str = "", verdict: Verdict | None = None) -> None:
        super().__init__(why)
        self.said, self.verdict = said, verdict


def play(rules: Rules, game: PlannedGame) -> PlayedGame:
    """Play a game; its `score` is None if it does not count, for the machine may be at fault.

    What the machine may have done is tried again; who ends `TRIES` times at the same move has lost.
    """
    ended = []
    for _ in range(TRIES):
        played = _once(rules, game)
        ended.append((played.lost, len(played.moves)))
        if not played.odd:
            return played
    same = len(set(ended)) == 1
    return played if same else msgspec.structs.replace(played, score=None)


def _once(rules: Rules, game: PlannedGame) -> PlayedGame:
    ladder = rules.assignment.subject.ladder
    contest = ladder and ladder(rules.assignment.name)
    if contest is None:  # the command has looked
        raise TypeError(f"{rules.assignment.name} has no ladder")
    played = PlayedGame(game.players, list(game.opening))
    with contextlib.ExitStack() as both:
        asked: list[Asked] = []
        try:
            for turn in 0, 1:
                played.lost = turn
                asked.append(_asked(rules, contest, game, game.players[turn], both))
            while legal := contest.legal(played.moves):
                played.lost = turn = len(played.moves) % 2
                move = _guarded(asked[turn], rules, list(played.moves))
                if move not in legal:
                    raise _LostGame("played no legal move", f"{move!r}"[:80])
                played.moves.append(legal[legal.index(move)])
        except _LostGame as lost:
            played.why, played.said = str(lost), lost.said[:MOST_SAID]
            played.odd = lost.verdict is not None and lost.verdict.odd
            played.score = float(played.lost or 0)
        else:
            played.lost, played.score = None, contest.score(played.moves)
    played.replay = contest.replay(played.moves)
    return played


def _asked(
    rules: Rules, contest: Any, game: PlannedGame, name: str, both: contextlib.ExitStack
) -> Asked:
    """Return what gives a player's moves: a program of the course, or a submission."""
    if name not in rules.cells:
        chance = random.Random(f"{game.seed} {name}")
        return lambda moves: contest.players[name](moves, chance)

    def begin(_: list[Any]) -> Asked:
        player = _submission(rules, name).player(rules.seconds, WALL_SECONDS)
        made: Asked = contest.ask(both.enter_context(player))
        return made

    asked: Asked = _guarded(begin, rules, [])
    return asked


def _guarded(asked: Asked, rules: Rules, moves: list[Any]) -> Any:
    """Return the answer of a player; what it does wrong is a lost game."""
    try:
        return asked(moves)
    except StudentError as error:
        said = ", at ".join([f"{next(iter(error.kinds), 'error')}: {error}", *error.where])
        raise _LostGame("raised an error", said) from None
    except Stopped as stop:
        why = WHY.get(stop.verdict, "answered as no notebook does").format(rules.seconds)
        raise _LostGame(why, str(stop), stop.verdict) from None


def _submission(rules: Rules, name: str) -> Submission:
    """Return the submission of a student in this worker, whose cells have run."""
    running = _at_work(os.getpid())
    found = running.pop(name, None)
    if found is None:
        while len(running) >= MOST_AT_WORK:
            running.pop(next(iter(running))).close()
        warm = zygote.warm(rules.limits, rules.assignment.subject)
        found = Submission(warm, rules.cells[name], rules.assignment.support, rules.limits)
    running[name] = found
    return found


@functools.cache
def _at_work(process: int) -> dict[str, Submission]:
    """Return the submissions that run for this process, the last one asked at the end."""
    running: dict[str, Submission] = {}
    Finalize(None, _close, (running,), exitpriority=10)
    return running


def _close(running: dict[str, Submission]) -> None:
    for submission in running.values():
        submission.close()
