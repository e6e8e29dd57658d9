"""Commands for the course's own side: let students' players meet, name the bank's mistakes.

`python -m adversarial arena ASSIGNMENT` and `python -m adversarial diagnose ASSIGNMENT`, in the
course folder. Exit codes are those of `referee`.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from adversarial import arena, diagnose
from referee import course, intake
from referee.course import Assignment, CourseError
from referee.doors import screen
from referee.doors.cli import errors, shared
from referee.doors.cli.shared import CourseOption, UnsafeOption, WorkersOption
from referee.model import Cell, Limits
from referee.proof import audit, bank
from referee.sandbox.student import Submission
from referee.sandbox.zygote import Zygote

PROGRAM = "python -m adversarial"
FAULTS = "lost by"

Players = tuple[list[arena.Contestant], dict[str, str]]  # and why the others do not take part

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


@app.command(name="arena")
def hold_arena(
    assignment: Annotated[str, typer.Argument(help="tic-tac-toe or connect-four.")],
    folders: Annotated[
        list[Path] | None,
        typer.Argument(help="The students' folders, as submitted/*; by default all of them."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides the openings.")] = 0,
    into: Annotated[
        Path, typer.Option(help="Write every game to this file, a line of JSON each.")
    ] = Path("games.jsonl"),
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Let the students' players play against each other, for fun: it never changes a mark."""
    console = Console(highlight=False, emoji=False)
    games, terms = list[arena.Played](), arena.Terms(seed)
    with errors.in_one_line(PROGRAM):
        if assignment not in arena.KINDS:
            others = ", ".join(arena.KINDS)
            raise CourseError(f"{assignment} has no arena; these have one: {others}")
        shared.must_be_writable(into)
        task = shared.assignment(course_folder, assignment)
        names = intake.students(task.root, assignment)
        places = folders or [task.root / "submitted" / name for name in names]
        limits = terms.within(course.limits(task.root, unsafe))
        with running(console, task, places, limits) as (players, absent), _lines(into) as put:
            total = len(players) * (len(players) - 1) * len(arena.openings(assignment, terms))
            with screen.progress(console, "Playing", total) as done:
                for game in arena.tournament(assignment, players, terms):
                    games.append(game)
                    put(msgspec.json.encode(game))
                    done(" - ".join(game.players), True, True)
    show(console, games, absent)


@app.command(name="diagnose")
def diagnose_bank(
    assignment: Annotated[str, typer.Argument(help="The assignment whose mistakes to name.")],
    workers: WorkersOption = shared.CORES,
    course_folder: CourseOption = None,
) -> None:
    """Ask all that can be diagnosed in the bank: is each mistake named, and is no right one?"""
    console = Console(highlight=False, emoji=False)
    with errors.in_one_line(PROGRAM):
        task = shared.assignment(course_folder, assignment)
        if not (asked := diagnosed(task)):
            raise CourseError(
                f"no solution in {task.bank} can be diagnosed, so there is nothing to name"
            )
        setting = task, course.limits(task.root, unsafe=True)
        with console.status("Asking the solutions of the bank ..."):
            found = dict(audit.each(_named, setting, asked, workers))
    named = {name: one.fields.get("Named", "") for name, (one, _) in asked.items()}
    for name in sorted(asked):
        if found[name] != named[name]:
            said = found[name] or "nothing"
            console.print(f"{name}: {said}, not {named[name] or 'nothing'}", markup=False)
    wrong = [name for name, (one, _) in asked.items() if one.kind != "right"]
    told = sum(bool(found[name]) for name in wrong)
    console.print(
        f"{told} of {len(wrong)} wrong solutions have a name; "
        f"{sum(bool(found[name]) for name in asked.keys() - set(wrong))} right ones have one."
    )
    raise typer.Exit(0 if found == named else 1)


def diagnosed(task: Assignment) -> dict[str, tuple[bank.Solution, str]]:
    """Return what can be diagnosed in a bank, wrong or right: each a solution and its cell."""
    found = {}
    for one in bank.read_all(task):
        cells = [name for name, _ in one.sections] if one.kind == "right" else [one.fields["Cell"]]
        for cell in diagnose.CELLS & set(cells):
            if one.kind in ("right", "wrong", "crash", "loop"):
                found[f"{one.name} {cell}"] = one, cell
    return found


def _named(setting: tuple[Assignment, Limits], asked: tuple[bank.Solution, str]) -> str:
    solution, cell = asked
    assignment, limits = setting
    with audit.running(assignment, solution, limits) as one:
        return ", ".join(found.name for found in diagnose.named(one.student, cell))


@contextlib.contextmanager
def running(
    console: Console, assignment: Assignment, folders: Sequence[Path], limits: Limits
) -> Iterator[Players]:
    """Run the notebooks in the students' folders; give who can play, and why the others cannot.

    The processes end with the block.
    """
    names = [folder.name for folder in folders]
    if len(set(names)) < len(names):
        raise CourseError("two folders have the same name; give each student's folder once")
    players: list[arena.Contestant] = []
    absent: dict[str, str] = {}
    with contextlib.ExitStack() as stack:
        zygote = stack.enter_context(Zygote(limits, assignment.subject))
        with screen.progress(console, "Running the notebooks", len(folders)) as done:
            for folder in folders:
                try:
                    cells = _cells(assignment, folder)
                    submission = Submission(zygote, cells, assignment.support, limits)
                    stack.callback(submission.close)
                    arena.expect_player(assignment.name, submission)
                    players.append(arena.Contestant(folder.name, submission))
                except arena.FaultError as error:
                    absent[folder.name] = str(error)
                done(folder.name, folder.name not in absent, True)
        if players:
            console.print(screen.isolation(len(players[0].submission.layers)))
        yield players, absent


def show(console: Console, games: list[arena.Played], absent: Mapping[str, str]) -> None:
    """Print how the players of an arena have done, and who did not take part."""
    table = Table(title=f"{len(games)} games")
    for title in ("player", "games", "won", "drawn", "lost", "score", "95 %", FAULTS):
        table.add_column(title, justify="left" if title in ("player", FAULTS) else "right")
    for one in arena.standings(games):
        faults = ", ".join(f"{count} {fault}" for fault, count in one.faults.most_common())
        numbers = (one.games, one.wins, one.draws, one.losses)
        scores = f"{one.score:.0%}", f"{one.low:.0%} to {one.high:.0%}"
        table.add_row(escape(one.name), *map(str, numbers), *scores, faults)
    console.print(table)
    console.print(
        "A draw is half a point. 95 %: Wilson's interval for the score. No mark is changed."
    )
    for name, why in absent.items():
        console.print(f"{name} does not take part: {why}", markup=False)


def _cells(assignment: Assignment, folder: Path) -> list[Cell]:
    """Return the code cells of what a student has handed in."""
    handed_in = intake.collect(folder / assignment.name, assignment.notebook)
    accepted = intake.accept(assignment, handed_in)
    if accepted is None:
        raise arena.FaultError("missing", f"no notebook in {folder.name}/{assignment.name}")
    if accepted.refused is not None:
        raise arena.FaultError("refused", f"the file could not be read: {accepted.refused}")
    return accepted.cells


@contextlib.contextmanager
def _lines(file: Path) -> Iterator[Callable[[bytes], None]]:
    """Give a function that adds a line to a new file, at once."""
    with file.open("wb", buffering=0) as opened:

        def put(line: bytes) -> None:
            try:
                opened.write(line + b"\n")
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(file)) from error

        yield put


if __name__ == "__main__":
    app(prog_name=PROGRAM)
