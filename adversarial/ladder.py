"""Let what was handed in play Connect Four against each other, for fun: no mark depends on it.

Each pair plays two games from the same position, one from each side. A submission plays in a copy
of its sandboxed process that is made for the game: who errs, plays an illegal move or has used up
its time loses this game, and nothing else.
"""

import contextlib
import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from adversarial.games import sent_boards
from games import ConnectFour, GameState, after
from referee import intake
from referee.course import Assignment, CourseError
from referee.model import TRIES, Cell, Limits, Verdict
from referee.proof import audit
from referee.sandbox.outside import server
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import (
    MissingNameError,
    Student,
    StudentError,
    cost,
    limit,
    load,
)
from referee.sandbox.outside.submission import Submission

NAME, GAME = "connect-four", ConnectFour()
RANDOM = "(random)"  # plays by chance
SECONDS = 15.0  # of CPU time for a game
DEPTH = 3  # of a `find_best_move` whose notebook defines no `my_player`
FIRST_PLIES = 4  # of a game, that are drawn: after them nobody can win at once
IDLE_SECONDS = 10.0  # at most, in a move
# Who moved first and second, the points of the first one, and what the loser did wrong, or "".
Game: TypeAlias = tuple[tuple[str, str], float, str]


class Contest(NamedTuple):
    """An assignment, the limits, and the cells of each submission."""

    assignment: Assignment
    limits: Limits
    cells: dict[str, list[Cell]]


class Player(msgspec.Struct):
    """A player, how its games ended, and what it did wrong how often.

    The rating is the share of the points of its games that it has got, in percent.
    """

    name: str
    rating: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    errors: dict[str, int] = {}


def play(
    assignment: Assignment, limits: Limits, processes: int
) -> tuple[list[Player], dict[str, str]]:
    """Return all players, the best first, and why some who have handed in are not among them."""
    if assignment.name != NAME:
        raise CourseError(f"{assignment.name} has no ladder; {NAME} has one")
    cells, without = {}, {}
    for name in intake.students(assignment.course, assignment.name):
        folder = assignment.course.folder("submitted") / name / assignment.name
        handed_in = intake.collect(folder, assignment.notebook, assignment.others)
        accepted = intake.accept(assignment, handed_in)
        if accepted is None or accepted.refused:
            without[name] = (accepted and accepted.refused) or "no notebook was handed in"
        else:
            cells[name] = accepted.cells
    if not cells:
        what = f"nothing of {assignment.key} that could be read was handed in"
        raise CourseError(f"{what}; copy it into submitted/, or run `referee collect`")
    names = [RANDOM, *cells]
    jobs = {" and ".join(pair): pair for pair in itertools.combinations(names, 2)}
    contest = Contest(assignment, limits, cells)
    games = [game for _, both in audit.each(play_pair, contest, jobs, processes) for game in both]
    return ranking(names, games), without


def play_pair(contest: Contest, pair: tuple[str, str]) -> list[Game]:
    """Play the two games of a pair, in a worker."""
    assignment, limits, cells = contest
    with contextlib.ExitStack() as running:
        works = {}
        for name in cells.keys() & set(pair):
            warm = server.warm(limits, assignment.subject)
            work = Submission(warm, cells[name], assignment.support, limits)
            works[name] = running.enter_context(work)
        return [play_game(contest, works, players) for players in (pair, pair[::-1])]


def play_game(contest: Contest, works: Mapping[str, Submission], players: tuple[str, str]) -> Game:
    """Play a game, and again, up to `TRIES` times, if it may be the machine that has ended it."""
    for _ in range(TRIES):
        chance = random.Random(f"{contest.assignment.seed} {sorted(players)}")
        state = after(GAME, [chance.randrange(GAME.columns) for _ in range(FIRST_PLIES)])
        asks: list[Callable[[GameState], Any]] = []
        with contextlib.ExitStack() as both:
            try:
                for name in players:
                    turn = len(asks)
                    if name == RANDOM:
                        asks.append(lambda state: random.Random(f"{state}").choice(state.moves))
                    else:
                        copy = both.enter_context(works[name].student())
                        asks.append(ask(copy))
                while state.moves:
                    turn = "XO".index(state.to_move)
                    move = asks[turn](state)
                    if move not in state.moves:
                        return players, turn, "it played no legal move"
                    state = GAME.result(state, state.moves[state.moves.index(move)])
                return players, (1 + GAME.utility(state, "X")) / 2, ""
            except StudentError:
                return players, turn, "it raised an error"
            except Stopped as stop:
                late = stop.verdict is Verdict.TIMEOUT
                why = "its time was up" if late else str(stop).partition(", at: ")[0]
                loss = players, turn, why
                if not stop.verdict.odd:
                    break
    return loss


def ask(student: Student) -> Callable[[GameState], Any]:
    """Return what asks a submission for a move: its `my_player`, or else `find_best_move`.

    What it computes counts, also while others think; Stopped when its seconds are used up.
    """
    game = load(student, sent_boards).ConnectFour()
    try:
        player, more = student.my_player, []
    except MissingNameError:
        player, more = student.find_best_move, [DEPTH]

    def move(state: GameState) -> Any:
        seconds = SECONDS - cost(student).cpu_seconds
        if seconds <= 0:
            raise Stopped(Verdict.TIMEOUT, "it went on computing after its last move")
        limit(student, seconds, IDLE_SECONDS)
        return player(game, state, *more)

    return move


def ranking(names: Sequence[str], games: Sequence[Game]) -> list[Player]:
    """Return all players, the best first."""
    by_name = {name: Player(name) for name in names}
    for players, points, why in games:
        for name, score in zip(players, (points, 1 - points), strict=True):
            one = by_name[name]
            one.won += score == 1
            one.drawn += score == 0.5
            one.lost += score == 0
            one.rating = round((100 * one.won + 50 * one.drawn) / (one.won + one.drawn + one.lost))
            if why and score == 0:
                one.errors[why] = one.errors.get(why, 0) + 1
    return sorted(by_name.values(), key=lambda one: (-2 * one.won - one.drawn, one.name))


def table(players: Sequence[Player]) -> str:
    """Return what a terminal shows of a ladder."""
    width = max(len(player.name) for player in players)
    lines = [f"     {'player':{width}}  rating  won drawn lost"]
    for number, player in enumerate(players, start=1):
        games = f"{player.rating:5}% {player.won:4} {player.drawn:5} {player.lost:4}"
        errors = "; ".join(f"{why} ({count})" for why, count in player.errors.items())
        lines.append(f"{number:>3}. {player.name:{width}}  {games}  {errors}".rstrip())
    return "\n".join(lines)
