"""Let what was handed in play against each other: who meets whom, what is kept, who is rated how.

Each game is kept in a line of a file in `.referee/` when it is over, so a ladder goes on after a
stop, and a changed submission plays its games anew. It reads no mark and writes none.
"""

import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from referee import course, intake, workers
from referee.course import Assignment, CourseError
from referee.doors.match import PlannedGame, Rules, play
from referee.judging import digests
from referee.marks import files
from referee.model import Cell, Ladder, Limits
from referee.report.ladder import LadderResult, PlayedGame, page, rated

ALL = 40  # players, up to which everybody meets everybody
OPPONENTS = 12  # of each player in a larger class, at least, besides the course's own
TILE = 12  # players: games of so many against so many come after each other
CELL_SECONDS = 30.0  # for a cell, most of which are of no use to a player
WORDS = (
    "amber bold brave bright brisk calm clever coral deft eager early fair fleet gentle golden "
    "grand green happy jade keen kind lively lucid lucky merry mild neat noble patient proud quick "
    "quiet rapid ready rosy royal sharp silver smart solid steady still subtle sunny swift tidy "
    "vivid warm witty young",
    "badger bear bison crane crow deer dolphin eagle elk falcon finch fox gull hare hawk heron "
    "horse ibex jay kite koala lark lemur lion lynx magpie marten mole moose newt otter owl panda "
    "puffin quail raven robin salmon seal sparrow stork swan tapir tiger toad trout turtle walrus "
    "whale wolf wren yak zebra",
)


class _KeptGame(msgspec.Struct):
    """A game that was played, under the digest of all that it depends on."""

    key: str
    game: PlayedGame


class Contest(msgspec.Struct):
    """A ladder that is to be played: its rules, its players, its games by their keys."""

    rules: Rules
    ladder: Ladder
    names: list[str]  # the course's players first
    planned: dict[str, PlannedGame]
    done: dict[str, PlayedGame]
    without: dict[str, str]  # why somebody does not play

    @property
    def left(self) -> int:
        """Return how many games are to be played."""
        return len(self.planned) - len(self.done)

    @property
    def games(self) -> list[PlayedGame]:
        """Return the games that were played, in the order of the plan."""
        return [self.done[key] for key in self.planned if key in self.done]


def contest(
    assignment: Assignment, limits: Limits, openings: int, seconds: float, opponents: int | None
) -> Contest:
    """Plan the ladder of an assignment; games that were played before are not played again."""
    ladder = assignment.subject.ladder and assignment.subject.ladder(assignment.name)
    if ladder is None:
        name = course.subject_name(assignment.root)
        where = f"`ladder` in {name}/subject.py" if name else "a subject, c.Course.subject, with it"
        raise CourseError(
            f"{assignment.key} has no games to play; {where} gives an assignment its own"
        )
    cells, without = _entrants(assignment, ladder)
    if not cells:
        raise CourseError(
            f"nobody has handed in {assignment.key} that could be read, so there is no ladder; put "
            f"notebooks into submitted/<student>/{assignment.name}/, or run `referee collect`"
        )
    most = min(CELL_SECONDS, limits.cell_cpu_seconds)
    limits = msgspec.structs.replace(limits, cell_cpu_seconds=most)
    names = [*ladder.players, *cells]
    about = digests.explaining(assignment), limits, seconds
    works = {one: digests.work(assignment.of(one), cells[one], limits) for one in cells}
    planned = {}
    for pair in _pairs(names, set(ladder.players), assignment.seed, opponents):
        chance = random.Random(f"{assignment.seed} {pair}")
        for number in range(openings):
            opening = ladder.opening(chance)
            for both in (pair, pair[::-1]):
                seed = f"{assignment.seed} {both} {number}"
                key = digests.digest(about, seed, *(works.get(one, "") for one in both))
                planned[key] = PlannedGame(both, opening, seed)
    done = {one.key: one.game for one in _kept(kept_file(assignment)) if one.key in planned}
    return Contest(Rules(assignment, limits, seconds, cells), ladder, names, planned, done, without)


def _entrants(
    assignment: Assignment, ladder: Ladder
) -> tuple[dict[str, list[Cell]], dict[str, str]]:
    """Return the cells of each submission that can be read, and why somebody has none."""
    cells, without = {}, {}
    for name in intake.students(assignment.root, assignment.name):
        folder = course.folder(assignment.root, "submitted") / name / assignment.name
        handed_in = intake.collect(folder, assignment.notebook, assignment.others)
        accepted = intake.accept(assignment, handed_in)
        if accepted is None or accepted.refused:
            without[name] = (accepted and accepted.refused) or "no notebook was handed in"
        elif name in ladder.players:
            without[name] = "a player of the course has this name"
        else:
            cells[name] = accepted.cells
    return cells, without


def _pairs(
    names: list[str], own: set[str], seed: str, opponents: int | None
) -> list[tuple[str, str]]:
    """Return who meets whom, near ones in the list after each other.

    Everybody meets the course's `own`. In a large class each student meets the `opponents` whose
    digest with theirs is smallest, and those of whom they are one: a new student changes few pairs.
    """
    place = {name: number for number, name in enumerate(names)}
    pairs = set(itertools.combinations(names, 2))
    most = OPPONENTS if opponents is None and len(names) > ALL else opponents
    if most is not None:
        students = sorted(place.keys() - own)
        wanted: set[tuple[str, str]] = set()
        for name in students:
            lots = {digests.digest(seed, *sorted((name, other))): other for other in students}
            lots.pop(digests.digest(seed, name, name))
            wanted |= {(name, lots[lot]) for lot in sorted(lots)[:most]}
        pairs = {pair for pair in pairs if own & {*pair} or pair in wanted or pair[::-1] in wanted}

    def tile(pair: tuple[str, str]) -> tuple[int, ...]:
        i, j = place[pair[0]], place[pair[1]]
        return i // TILE, j // TILE, i, j

    return sorted(pairs, key=tile)


def kept_file(assignment: Assignment) -> Path:
    """Return the file that keeps the games of an assignment."""
    return assignment.root / ".referee" / f"ladder-{assignment.title}.jsonl"


def _kept(file: Path) -> Iterator[_KeptGame]:
    """Yield the games in a file, but for lines that were cut off."""
    for line in file.read_bytes().splitlines() if file.is_file() else ():
        with contextlib.suppress(msgspec.MsgspecError):
            yield msgspec.json.decode(line, type=_KeptGame)


def run(contest: Contest, processes: int, tell: Callable[[str], None]) -> LadderResult:
    """Play the games that are missing; return the result. `tell` is told who has played."""
    assignment, todo = contest.rules.assignment, contest.planned.keys() - contest.done.keys()
    jobs = [(key, contest.planned[key]) for key in contest.planned if key in todo]
    file = kept_file(assignment)
    course.make_private_folder(file.parent)
    _save(file, _kept(file))  # without a line that was cut off
    if jobs:
        with file.open("ab") as kept, workers.opened(min(processes, len(jobs))) as benches:
            for key, game in benches.run(play, contest.rules, jobs):
                if isinstance(game, Exception):
                    raise game
                if isinstance(game, PlayedGame) and game.score is not None:
                    contest.done[key] = game
                    if not game.odd:  # else it is played again another time
                        kept.write(_line(_KeptGame(key, game)))
                        kept.flush()
                tell(" and ".join(contest.planned[key].players))
    games = contest.games
    players = rated(contest.names, games)
    return LadderResult(assignment.key, len(games), contest.left, players, contest.without)


def games_of(file: Path, student: str) -> int:
    """Return how many games of a student a file keeps."""
    return sum(student in one.game.players for one in _kept(file))


def forget(file: Path, student: str) -> None:
    """Erase the games of a student from a file."""
    _save(file, (one for one in _kept(file) if student not in one.game.players))


def _save(file: Path, games: Iterable[_KeptGame]) -> None:
    files.save(file, b"".join(map(_line, games)))
    course.make_private(file)


def _line(game: _KeptGame) -> bytes:
    return msgspec.json.encode(game) + b"\n"


def names(contest: Contest, real: bool) -> dict[str, str]:
    """Return a name to show for each player: its own, or one made up from the course's secret."""
    found = {name: name for name in (contest.names if real else contest.ladder.players)}
    for name in contest.rules.cells.keys() - found.keys():
        chance = random.Random(f"{contest.rules.assignment.seed} {name}")
        found[name] = " ".join(chance.choice(words.split()) for words in WORDS)
    taken = Counter(found.values())
    number = itertools.count(2)
    return {
        name: f"{found[name]} {next(number)}" if taken[found[name]] > 1 else found[name]
        for name in contest.names
    }


def write(
    contest: Contest, result: LadderResult, called: dict[str, str], named: bool, file: Path
) -> None:
    """Write the page of a ladder. What code said is there only with real names: it may tell who."""
    files.save(file, page(result, contest.games, called, contest.ladder.script, named).encode())
