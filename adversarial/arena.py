"""Let the players of students play against each other, each in its sandboxed process.

A round-robin: everybody meets everybody from the same seeded openings, both ways round. Every move
is asked of a fresh copy of the student's process, under a limit of CPU time and of calls of the
game, which lives here. Who plays no legal move loses the game with that reason. Knows no gradebook:
no game changes a mark.
"""

import contextlib
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from adversarial.rules import TicTacToe
from games import ConnectFour, Game, GameState, after
from referee import intake
from referee.course import Assignment, CourseError
from referee.model import Limits
from referee.sandbox.process import Stopped
from referee.sandbox.student import Proxy, Student, StudentError, Submission, shown
from referee.sandbox.zygote import Zygote

Z = 1.959964  # the standard normal distribution has 95 % between -Z and Z
REASON_CHARACTERS = 200
OPENING_PLIES = 2  # an even number, so that who goes first is X
WALL_FACTOR = 10  # seconds that may pass, for each that may be computed

Square = tuple[int, int]


class Kind(NamedTuple):
    """A game, the name of the player that a notebook must define, and how it is asked."""

    game: Callable[[], Game]
    player: str
    ask: Callable[[Any, Game, GameState, int], Any]


def _ask_object(made: Any, game: Game, state: GameState, depth: int) -> Any:
    return _called(_called(made, depth), game, state)


def _ask_function(made: Any, game: Game, state: GameState, depth: int) -> Any:
    return _called(made, game, state, depth)


KINDS = {
    "tic-tac-toe": Kind(TicTacToe, "AlphaBeta", _ask_object),
    "connect-four": Kind(ConnectFour, "find_best_move", _ask_function),
}


class Terms(msgspec.Struct, frozen=True):
    """How a tournament is played: all that its games depend on besides the players."""

    seed: int = 0
    openings: int = 2
    depth: int = 4
    cpu_seconds: float = 5.0
    game_calls: int = 20_000

    def within(self, limits: Limits) -> Limits:
        """Return the limits of a course with those of a move in place of those of a check."""
        return msgspec.structs.replace(
            limits,
            check_cpu_seconds=self.cpu_seconds,
            check_wall_seconds=WALL_FACTOR * self.cpu_seconds,
            check_calls=self.game_calls,
        )


class Played(msgspec.Struct, frozen=True):
    """A game that was played; the first of the players is X, and `opening` moves were given.

    `utility` is for X. `fault` is the verdict on the player who lost by it, `reason` says more.
    """

    number: int
    assignment: str
    players: tuple[str, str]
    opening: int
    moves: list[int | Square]
    utility: int
    terms: Terms
    fault: str = ""
    reason: str = ""


class Contestant(NamedTuple):
    """Somebody who takes part: a name, and the process that holds the notebook's objects."""

    name: str
    submission: Submission


class Standing(NamedTuple):
    """How somebody has done: the score is the share of the points, a draw being half a point.

    The true score lies between `low` and `high` with 95 % confidence (Wilson's interval).
    """

    name: str
    wins: int
    draws: int
    losses: int
    score: float
    low: float
    high: float
    faults: Counter[str]

    @property
    def games(self) -> int:
        """Return how many games were played."""
        return self.wins + self.draws + self.losses


class _FaultError(Exception):
    """A player gave no legal move; `verdict` and the message say why."""

    def __init__(self, verdict: str, message: str) -> None:
        super().__init__(shown(message)[:REASON_CHARACTERS])
        self.verdict = verdict


def kind(assignment: str) -> Kind:
    """Return what is played in an assignment; CourseError if nothing is."""
    if assignment not in KINDS:
        raise CourseError(f"{assignment} has no arena; these have one: {', '.join(KINDS)}")
    return KINDS[assignment]


@contextlib.contextmanager
def entered(
    assignment: Assignment,
    folders: Sequence[Path],
    limits: Limits,
    done: Callable[[str], None] = lambda name: None,
) -> Iterator[tuple[list[Contestant], dict[str, str]]]:
    """Run the notebooks in the students' folders; give who can play, and why the others cannot.

    `done` is told of each. The processes end with the block.
    """
    contestants: list[Contestant] = []
    absent: dict[str, str] = {}
    names = [folder.name for folder in folders]
    if len(set(names)) < len(names):
        raise CourseError("two folders have the same name; give each student's folder once")
    with contextlib.ExitStack() as stack:
        zygote = stack.enter_context(Zygote(limits, assignment.subject))
        for folder in folders:
            try:
                cells = _cells(assignment, folder)
                submission = Submission(zygote, cells, assignment.support, limits)
                stack.callback(submission.close)
                with submission.student() as student:
                    _player(assignment, student)
                contestants.append(Contestant(folder.name, submission))
            except _FaultError as error:
                absent[folder.name] = str(error)
            except (StudentError, Stopped) as error:
                absent[folder.name] = shown(str(error))[:REASON_CHARACTERS]
            done(folder.name)
        yield contestants, absent


def tournament(
    assignment: Assignment, contestants: Sequence[Contestant], terms: Terms
) -> Iterator[Played]:
    """Play all games, and yield each when it is over."""
    starts = openings(assignment, terms)
    pairs = itertools.combinations(contestants, 2)
    games = (
        (players, moves)
        for pair in pairs
        for moves in starts
        for players in (pair, pair[::-1])
    )  # fmt: skip
    for number, (players, moves) in enumerate(games, start=1):
        yield played(number, assignment, players, moves, terms)


def openings(assignment: Assignment, terms: Terms) -> list[list[Any]]:
    """Return different ways to begin, as many as `terms` want or there are, by its seed."""
    game = kind(assignment.name).game()
    lines: list[list[Any]] = [[]]
    for _ in range(OPENING_PLIES):
        lines = [[*line, move] for line in lines for move in game.actions(after(game, line))]
    return random.Random(terms.seed).sample(lines, min(terms.openings, len(lines)))


def played(
    number: int,
    assignment: Assignment,
    players: Sequence[Contestant],
    opening: Sequence[Any],
    terms: Terms,
) -> Played:
    """Play one game from an opening; the first of the players is X."""
    game = kind(assignment.name).game()
    state, moves, fault, reason = after(game, opening), list(opening), "", ""
    while not game.terminal_test(state) and not fault:
        mover = players[len(moves) % 2]
        try:
            moves.append(_move(assignment, mover, game, state, terms.depth))
            state = game.result(state, moves[-1])
        except _FaultError as error:
            fault, reason = error.verdict, str(error)
    lost = -1 if state.to_move == "X" else 1
    utility = lost if fault else int(game.utility(state, "X"))
    names = players[0].name, players[1].name
    return Played(
        number, assignment.name, names, len(opening), moves, utility, terms, fault, reason
    )


def standings(games: Iterable[Played]) -> list[Standing]:
    """Add up the games of each player, the highest score first."""
    results: dict[str, Counter[int]] = {}
    faults: dict[str, Counter[str]] = {}
    for one in games:
        for name, utility in zip(one.players, (one.utility, -one.utility), strict=True):
            results.setdefault(name, Counter())[utility] += 1
            faults.setdefault(name, Counter())
            if one.fault and utility < 0:
                faults[name][one.fault] += 1
    found = []
    for name, count in results.items():
        points, total = count[1] + count[0] / 2, count.total()
        interval = wilson(points, total)
        found.append(
            Standing(
                name, count[1], count[0], count[-1], points / total, *interval, faults[name]
            )
        )  # fmt: skip
    return sorted(found, key=lambda one: (-one.score, one.name))


def table(games: Iterable[Played]) -> list[list[Any]]:
    """Return the standings as rows under a row of titles."""
    titles = ["player", "games", "won", "drawn", "lost", "by fault", "score", "low", "high"]
    rows = [
        [s.name, s.games, s.wins, s.draws, s.losses, s.faults.total(), s.score, s.low, s.high]
        for s in standings(games)
    ]
    return [titles, *rows]


def ending(one: Played) -> str:
    """Return a line about how a game has ended."""
    what = f"Game {one.number}, {one.players[0]} (X) - {one.players[1]} (O)"
    if not one.utility:
        return f"{what}: a draw"
    winner, loser = one.players[:: one.utility]
    return f"{what}: {winner} has won" + (
        f"; {loser} lost by {one.fault}: {one.reason}" if one.fault else ""
    )


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % score interval for the share of the points; `games` is at least 1.

    It is made for games that are won or lost; draws vary less, so with them it is a little wide.
    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    share, extra = points / games, Z * Z / games
    middle = (share + extra / 2) / (1 + extra)
    half = math.sqrt(extra * share * (1 - share) + (extra / 2) ** 2) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)


def load(file: Path) -> list[Played]:
    """Return the games in a file of one JSON line for each; CourseError if it holds others."""
    try:
        games = [msgspec.json.decode(line, type=Played) for line in file.read_bytes().splitlines()]
        for one in games:
            after(kind(one.assignment).game(), one.moves)
    except (msgspec.MsgspecError, ValueError) as error:
        raise CourseError(
            f"{file} holds no games of an arena ({error}); give a file that --into has written"
        ) from error
    return games


def _cells(assignment: Assignment, folder: Path) -> list[Any]:
    """Return the code cells of what a student has handed in."""
    handed_in = intake.collect(folder / assignment.name, assignment.notebook)
    accepted = intake.accept(assignment, handed_in)
    if accepted is None:
        raise _FaultError("missing", f"there is no notebook in {folder.name}/{assignment.name}")
    if accepted.refused is not None:
        raise _FaultError("refused", f"the file could not be read: {accepted.refused}")
    return accepted.cells


def _player(assignment: Assignment, student: Student) -> Any:
    """Return what the notebook defines as its player."""
    return getattr(student, kind(assignment.name).player)


def _move(
    assignment: Assignment, mover: Contestant, game: Game, state: GameState, depth: int
) -> Any:
    """Ask a player for a move and return the legal one that it means."""
    try:
        with mover.submission.student() as student:
            made = _player(assignment, student)
            answer = kind(assignment.name).ask(made, game, state, depth)
    except StudentError as error:
        raise _FaultError(error.verdict, str(error)) from error
    except Stopped as error:
        raise _FaultError(error.verdict, str(error)) from error
    legal = list(game.actions(state))
    if answer not in legal:
        raise _FaultError("illegal move", f"{answer!r} is not a legal move here")
    return legal[legal.index(answer)]


def _called(made: Any, *args: Any) -> Any:
    """Call what the notebook has defined, if it is anything to call."""
    if not isinstance(made, Proxy):
        raise _FaultError("error", f"{made!r} is plain data where a player should be")
    return made(*args)
