"""Let the players of students meet: everybody everybody, from the same openings, both ways round.

Every move is asked of a fresh copy of the student's process, under a limit of CPU time and of calls
of the game, which lives here. Who plays no legal move loses the game with that reason. Knows no
files and no gradebook: no game changes a mark.
"""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from adversarial.rules import TicTacToe
from games import ConnectFour, Game, GameState, after
from referee.model import Limits
from referee.sandbox.process import Stopped
from referee.sandbox.student import Proxy, StudentError, Submission, printable

Z = 1.959964  # the standard normal distribution has 95 % between -Z and Z
REASON_CHARACTERS = 200
OPENING_PLIES = 2  # an even number, so that who goes first is X
WALL_FACTOR = 10  # seconds that may pass, for each that may be computed

Square = tuple[int, int]


class FaultError(Exception):
    """There is no player, or no legal move; `verdict` and the message say why."""

    def __init__(self, verdict: str, message: str) -> None:
        """Keep both, the message as text that is short and safe to print."""
        super().__init__(printable(message)[:REASON_CHARACTERS])
        self.verdict = verdict


class Kind(NamedTuple):
    """A game, the name of the player that a notebook must define, and how it is asked."""

    game: Callable[[], Game]
    player: str
    ask: Callable[[Any, Game, GameState, int], Any]


def _ask_object(player: Any, game: Game, state: GameState, depth: int) -> Any:
    return _called(_called(player, depth), game, state)


def _ask_function(player: Any, game: Game, state: GameState, depth: int) -> Any:
    return _called(player, game, state, depth)


def _called(player: Any, *args: Any) -> Any:
    """Call what the notebook has defined, if it is anything to call."""
    if not isinstance(player, Proxy):
        raise FaultError("error", f"{player!r} is plain data where a player should be")
    return player(*args)


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


def expect_player(assignment: str, submission: Submission) -> None:
    """Raise FaultError unless a notebook defines what plays in an assignment."""
    _asked(submission, lambda student: getattr(student, KINDS[assignment].player))


def openings(assignment: str, terms: Terms) -> list[list[Any]]:
    """Return different ways to begin, as many as `terms` want or there are, by its seed."""
    game = KINDS[assignment].game()
    lines: list[list[Any]] = [[]]
    for _ in range(OPENING_PLIES):
        lines = [[*line, move] for line in lines for move in game.actions(after(game, line))]
    return random.Random(terms.seed).sample(lines, min(terms.openings, len(lines)))


def tournament(
    assignment: str, contestants: Sequence[Contestant], terms: Terms
) -> Iterator[Played]:
    """Play all games, and yield each when it is over."""
    starts = openings(assignment, terms)
    games = (
        (players, moves)
        for pair in itertools.combinations(contestants, 2)
        for moves in starts
        for players in (pair, pair[::-1])
    )
    for number, (players, moves) in enumerate(games, start=1):
        yield _play(number, assignment, players, moves, terms)


def _play(
    number: int,
    assignment: str,
    players: Sequence[Contestant],
    opening: Sequence[Any],
    terms: Terms,
) -> Played:
    """Play one game from an opening; the first of the players is X."""
    game = KINDS[assignment].game()
    state, moves, fault, reason = after(game, opening), list(opening), "", ""
    while not game.terminal_test(state) and not fault:
        mover = players[len(moves) % 2]
        try:
            moves.append(_move(assignment, mover, game, state, terms.depth))
            state = game.result(state, moves[-1])
        except FaultError as error:
            fault, reason = error.verdict, str(error)
    lost = -1 if state.to_move == "X" else 1
    utility = lost if fault else int(game.utility(state, "X"))
    names = players[0].name, players[1].name
    return Played(number, assignment, names, len(opening), moves, utility, terms, fault, reason)


def _move(assignment: str, mover: Contestant, game: Game, state: GameState, depth: int) -> Any:
    """Ask a player for a move and return the legal one that it means."""
    kind = KINDS[assignment]
    answer = _asked(
        mover.submission,
        lambda student: kind.ask(getattr(student, kind.player), game, state, depth),
    )
    legal = list(game.actions(state))
    if answer not in legal:
        raise FaultError("illegal move", f"{answer!r} is not a legal move here")
    return legal[legal.index(answer)]


def _asked(submission: Submission, question: Callable[[Any], Any]) -> Any:
    """Return the answer of a fresh copy of a submission; what it does wrong is a FaultError."""
    try:
        with submission.student() as student:
            return question(student)
    except (StudentError, Stopped) as error:
        raise FaultError(error.verdict, str(error)) from error


def standings(games: Iterable[Played]) -> list[Standing]:
    """Add up the games of each player, the highest score first."""
    results: dict[str, Counter[int]] = {}
    faults: dict[str, Counter[str]] = {}
    for one in games:
        for name, utility in zip(one.players, (one.utility, -one.utility), strict=True):
            results.setdefault(name, Counter())[utility] += 1
            faults.setdefault(name, Counter()).update([one.fault] * bool(one.fault and utility < 0))
    table = []
    for name, count in results.items():
        points, total = count[1] + count[0] / 2, count.total()
        score = points / total, *wilson(points, total)
        table.append(Standing(name, count[1], count[0], count[-1], *score, faults[name]))
    return sorted(table, key=lambda one: (-one.score, one.name))


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % score interval for the share of the points; `games` is at least 1.

    It is made for games that are won or lost; draws vary less, so with them it is a little wide.
    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
    """
    share, extra = points / games, Z * Z / games
    middle = (share + extra / 2) / (1 + extra)
    half = math.sqrt(extra * share * (1 - share) + (extra / 2) ** 2) / (1 + extra)
    return max(0.0, middle - half), min(1.0, middle + half)
