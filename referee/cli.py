"""Offer the referee on the command line; decides nothing itself.

Exit codes: 0 all is well, 1 something is short of full marks or needs a human, 2 the command
could not be carried out (one line on standard error says why), 130 it was stopped with Ctrl-C.
"""

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from referee import (
    arena,
    audit,
    bank,
    batch,
    cluster,
    course,
    diagnose,
    exports,
    gradescope,
    handin,
    intake,
    ipynb,
    nbgrader_door,
    play,
    sandbox,
    screen,
    spreadsheet,
    store,
    task,
    writer,
)
from referee import replay as replays
from referee.judge import Report
from referee.submission import Limits

CORES = os.cpu_count() or 1
NAMED_RIGHTLY = 0.9
STOPPED = 130
EXPECTED = (
    OSError, cluster.ClusterError, course.CourseError, ipynb.UnreadableError, sandbox.SandboxError,
    task.OtherEngineError,
)  # fmt: skip

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

CourseOption = Annotated[
    Path | None, typer.Option("--course", help="The course folder; by default the one you are in.")
]


UnsafeOption = Annotated[
    bool, typer.Option("--unsafe", help="Go on where nothing isolates student code.")
]
WhoseOption = Annotated[
    str, typer.Option("--student", help="Ask what this student is asked: checks may differ.")
]
WorkersOption = Annotated[
    int, typer.Option(min=1, show_default="one for each core", help="Processes at work at once.")
]


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="The notebook to judge.")],
    assignment: Annotated[
        str | None, typer.Option(help="Its assignment; by default told from its cells.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the report to this file.")] = None,
    gradescope_results: Annotated[
        Path | None,
        typer.Option("--gradescope", help="Write Gradescope's results.json to this file."),
    ] = None,
    student: WhoseOption = "",
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Judge one notebook outside the class; nothing is entered in the gradebook."""
    console = Console()
    with _usage_errors():
        data = handin.contents(notebook)
        for file in (json, gradescope_results):
            if file is not None:
                _must_be_writable(file)
        root = _root(course_folder)
        parsed = ipynb.parse(data)
        name = assignment or _recognised(root, intake.identities(parsed))
        found = course.find_assignment(root, name).of(student)
        with console.status("Running the notebook and the hidden checks ..."):
            limits = nbgrader_door.limits(root, unsafe)
            with sandbox.Zygote(limits.memory_bytes, limits.unsafe) as zygote:
                report = batch.judge_file(found, notebook, limits, lambda: zygote)
        if json is not None:
            _write(json, _to_json(report))
        if gradescope_results is not None:
            _write(gradescope_results, gradescope.encoded(gradescope.results(report)))
    screen.report(console, report)
    raise typer.Exit(0 if report.perfect else 1)


@app.command()
def grade(
    assignment: Annotated[str, typer.Argument(help="The assignment to grade.")],
    student: Annotated[
        list[str] | None, typer.Option(help="Only this student; may be repeated.")
    ] = None,
    workers: WorkersOption = CORES,
    scheduler: Annotated[
        str | None,
        typer.Option(help="Work on the dask cluster at this address, as tcp://10.0.0.1:8786."),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show whose marks would change; write nothing.")
    ] = False,
    never_lower: Annotated[
        bool, typer.Option("--never-lower", help="Keep the older result where it has more points.")
    ] = False,
    force: Annotated[bool, typer.Option(help="Judge again what was judged before.")] = False,
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Grade the class: fill the gradebook and write the autograded notebooks."""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment)
        handed_in = batch.students(found.root, assignment)
        names = student or handed_in
        unknown = sorted(set(names) - set(handed_in))
        if unknown or not names:
            where = f"submitted/{unknown[0] if unknown else '*'}/{assignment}"
            raise course.CourseError(f"nothing was handed in: there is no folder {where}")
        limits = nbgrader_door.limits(found.root, unsafe)
        options = batch.Options(workers, scheduler, force, preview, never_lower)
        results = []
        with screen.progress(console, f"Grading {assignment}", len(names)) as done:
            for result in batch.grade(found, names, limits, options):
                results.append(result)
                done(result.student, screen.needs_attention(result) is None)
    results.sort(key=lambda result: result.student)
    if preview:
        screen.changes(console, results)
    screen.graded(console, assignment, results, preview)
    layers = {layer: None for r in results if r.report for layer in r.report.isolation}
    console.print(screen.isolation(list(layers)), highlight=False)
    raise typer.Exit(1 if any(map(screen.needs_attention, results)) else 0)


@app.command()
def export(
    assignment: Annotated[str, typer.Argument(help="The assignment to export.")],
    table: Annotated[
        exports.Format, typer.Option("--format", help="Which table to write, as CSV.")
    ] = exports.Format.CELLS,
    to: Annotated[
        Path | None, typer.Option(help="The file; by default named as the table.")
    ] = None,
    autograder: Annotated[
        Path | None,
        typer.Option(
            "--gradescope-autograder",
            help="Write the zip that grades on Gradescope to this file, and no marks.",
        ),
    ] = None,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="Let the zip grade where nothing isolates code.")
    ] = False,
    course_folder: CourseOption = None,
) -> None:
    """Write the marks for a spreadsheet, Canvas or Moodle, or what grades on Gradescope."""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment)
        if autograder is not None:
            _must_be_writable(autograder)
            _write(autograder, gradescope.pack(found, unsafe))
            console.print(f"Wrote {autograder}.", markup=False, highlight=False)
            return
        kind = exports.TABLES[table]
        file = to or Path(kind.file)
        _must_be_writable(file)
        written = kind(
            config=nbgrader_door.configuration(found.root),
            root=str(found.root),
            to=str(file),
            assignment=[assignment],
        )
        with writer.opened(found) as opened:
            if not opened.book.find_assignment(assignment).submissions:
                raise course.CourseError(
                    f"nothing was graded yet; run `referee grade {assignment}` first"
                )
            written.export(opened.book)
    console.print(f"Wrote {file}.", markup=False, highlight=False)
    if written.left_out:
        names = ", ".join(written.left_out)
        console.print(f"Left out, since a cell waits for a mark by hand: {names}.", markup=False)


@app.command(name="audit")
def audit_bank(
    assignment: Annotated[str, typer.Argument(help="The assignment whose checks to test.")],
    solution: Annotated[
        list[str] | None, typer.Option(help="Only this solution, as wrong/never_cuts.")
    ] = None,
    html: Annotated[Path | None, typer.Option(help="Write the table to this file.")] = None,
    brief: Annotated[
        bool,
        typer.Option("--brief", help="Ask most solutions only what matters most."),
    ] = False,
    flaky: Annotated[
        int | None,
        typer.Option(
            min=2, help="Judge the class so many times instead: does no verdict ever change?"
        ),
    ] = None,
    student: WhoseOption = "",
    workers: WorkersOption = CORES,
    course_folder: CourseOption = None,
) -> None:
    """Judge the bank: do the checks catch every wrong solution and pass every right one?"""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment).of(student)
        if flaky is not None:
            _audit_class(console, found, flaky, workers)
        solutions = audit.solutions_in(found, solution or [])
        limits = nbgrader_door.limits(found.root, unsafe=True)
    findings = []
    with screen.progress(console, f"Auditing {assignment}", len(solutions)) as done:
        for finding in audit.audit(found, solutions, limits, workers, brief):
            findings.append(finding)
            done(finding.solution.name, not finding.problems)
    findings.sort(key=lambda finding: finding.solution.name)
    screen.matrix(console, findings)
    if html is not None:
        with _usage_errors():
            _write(html, audit.as_html(f"Audit of {assignment}", findings).encode())
    bad = [finding for finding in findings if finding.problems]
    for finding in bad:
        for problem in finding.problems:
            console.print(f"{finding.solution.name}: {problem}", markup=False, highlight=False)
    counts = Counter(finding.solution.kind for finding in findings)
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in bank.FOLDERS)
    console.print(f"{kinds}: {len(bad)} with a problem.", highlight=False)
    raise typer.Exit(1 if bad else 0)


@app.command()
def replay(
    student: Annotated[str, typer.Argument(help="Whose result.")],
    assignment: Annotated[str, typer.Argument(help="Of which assignment.")],
    check: Annotated[str | None, typer.Option(help="Only this check.")] = None,
    course_folder: CourseOption = None,
) -> None:
    """Judge a kept result again, by the course of that time: are the verdicts the same?"""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment)
        with console.status("Judging again ..."):
            results = replays.replay(found, student, check)
    same = screen.replayed(console, results)
    raise typer.Exit(0 if same else 1)


@app.command(name="diagnose")
def diagnose_bank(
    assignment: Annotated[str, typer.Argument(help="The assignment whose mistakes to tell apart.")],
    update: Annotated[
        bool, typer.Option(help="Write down how the bank's wrong searches behave.")
    ] = False,
    workers: WorkersOption = CORES,
    course_folder: CourseOption = None,
) -> None:
    """Ask every wrong search of the bank anew: is its own misconception the one that is named?"""
    console = Console()
    with _usage_errors():
        found = _assignment(course_folder, assignment)
        solutions, limits = bank.read_all(found), nbgrader_door.limits(found.root, unsafe=True)
        with console.status("Asking the wrong searches of the bank ..."):
            behaviours = audit.behaviours(found, solutions, limits, workers)
        if update:
            lines = (f"{_json_line(name)}: {_json_line(behaviours[name])}" for name in behaviours)
            text = "{\n" + ",\n".join(lines) + "\n}\n"
            _write(found.root / "bank" / assignment / "behaviours.json", text.encode())
        known = diagnose.known_behaviours(found)
    right = 0
    for name, entry in behaviours.items():
        named = diagnose.nearest(entry["answers"], entry["Cell"], known)
        same = named is not None and known[named.solution]["answers"] == entry["answers"]
        right += named is not None and (named.solution == name or same)
        said = "nothing" if named is None else f"{named.solution} ({named.agreement:.0%})"
        console.print(f"{name}: {said}", highlight=False)
    share = right / max(1, len(behaviours))
    console.print(f"{right} of {len(behaviours)} named rightly, or by a twin ({share:.0%}).")
    raise typer.Exit(0 if share >= NAMED_RIGHTLY else 1)


@app.command(name="report")
def report_class(
    assignment: Annotated[str, typer.Argument(help="The assignment that was graded.")],
    html: Annotated[
        Path | None,
        typer.Option(help="Write the page to this file; by default report-ASSIGNMENT.html."),
    ] = None,
    course_folder: CourseOption = None,
) -> None:
    """Show the class at a glance: points, checks, misconceptions, on one page for instructors."""
    from referee import report  # draws with matplotlib, which no other command should wait for

    with _usage_errors():
        found = _assignment(course_folder, assignment)
        records = store.records(found.root, assignment)
        if not records:
            raise course.CourseError(
                f"nothing of {assignment} was graded yet, so there is nothing to report; "
                f"run `referee grade {assignment}`"
            )
        file = html or found.root / f"report-{assignment}.html"
        _must_be_writable(file)
        page = report.page(found, records, batch.students(found.root, assignment))
        _write(file, page.encode())
    typer.echo(f"{len(records)} students: {file}")


@app.command(name="play")
def play_game(
    game: Annotated[play.Name, typer.Argument(help="Which game.")],
    first: Annotated[
        bool, typer.Option("--first", help="You move first; else the computer does.")
    ] = False,
    level: Annotated[int, typer.Option(min=1, max=5, help=play.LEVELS)] = 3,
    seed: Annotated[
        int | None, typer.Option(help="Let the computer choose as it did with this seed.")
    ] = None,
) -> None:
    """Play against the computer. Ctrl-D ends the game (exit code 0), Ctrl-C, too (130)."""
    console = Console(highlight=False)
    try:
        play.play(console, game, level, first, random.Random(seed))
    except KeyboardInterrupt as error:
        console.print("\nThe game ends here, unfinished. Goodbye!")
        raise typer.Exit(STOPPED) from error


@app.command(name="arena")
def hold_arena(
    assignment: Annotated[str, typer.Argument(help="tic-tac-toe or connect-four.")],
    folders: Annotated[
        list[Path] | None,
        typer.Argument(help="The students' folders, as submitted/*; by default all of them."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Decides the openings.")] = 0,
    openings: Annotated[
        int, typer.Option(min=1, help="Each pair plays that many openings, both ways round.")
    ] = 2,
    depth: Annotated[int, typer.Option(min=1, help="How many plies the players look ahead.")] = 4,
    seconds: Annotated[
        float, typer.Option(min=0.1, help="CPU seconds for a move; more loses the game.")
    ] = 5.0,
    calls: Annotated[
        int, typer.Option(min=1, help="Calls of the game for a move; more loses the game.")
    ] = 20_000,
    into: Annotated[
        Path | None, typer.Option(help="Write every game to this file, a line of JSON each.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the table to this file, too.")] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Play nothing: list the games in a file of --into.")
    ] = None,
    game: Annotated[
        int | None, typer.Option(help="With --replay: show the game of this number instead.")
    ] = None,
    unsafe: UnsafeOption = False,
    course_folder: CourseOption = None,
) -> None:
    """Let the students' players play against each other, for fun: it never changes a mark."""
    console, absent = Console(highlight=False), dict[str, str]()
    with _usage_errors():
        arena.kind(assignment)
        for file in (into, csv):
            if file is not None:
                _must_be_writable(file)
        if replay is not None and game is not None:
            return _show_game(console, replay, game)
        if game is not None:
            raise course.CourseError("--game N shows a game of a file: name it with --replay FILE")
        if replay is not None:
            games = arena.load(replay)
            for one in games:
                console.print(arena.ending(one), markup=False, highlight=False)
        else:
            found = _assignment(course_folder, assignment)
            places = folders or [
                found.root / "submitted" / n for n in batch.students(found.root, assignment)
            ]
            terms = arena.Terms(seed, openings, depth, seconds, calls)
            limits = terms.within(nbgrader_door.limits(found.root, unsafe))
            games, absent = _tournament(console, found, places, terms, limits, into)
        if csv is not None:
            _write(csv, spreadsheet.as_csv(arena.table(games)))
    screen.standings(console, games, absent)
    return None


def _tournament(
    console: Console,
    assignment: course.Assignment,
    folders: list[Path],
    terms: arena.Terms,
    limits: Limits,
    into: Path | None,
) -> tuple[list[arena.Played], dict[str, str]]:
    """Play all games, and write each to a file when it is over; return them and who is absent."""
    games = []
    with ExitStack() as stack:
        with screen.progress(console, "Running the notebooks", len(folders)) as done:
            entered = arena.entered(assignment, folders, limits, lambda name: done(name, True))
            players, absent = stack.enter_context(entered)
        kept = None if into is None else stack.enter_context(into.open("wb"))
        total = len(players) * (len(players) - 1) * len(arena.openings(assignment, terms))
        with screen.progress(console, "Playing", total) as done:
            for played in arena.tournament(assignment, players, terms):
                games.append(played)
                if kept is not None:
                    kept.write(msgspec.json.encode(played) + b"\n")
                    kept.flush()
                done(" - ".join(played.players), True)
        if players:
            console.print(screen.isolation(players[0].submission.layers), highlight=False)
    return games, absent


def _show_game(console: Console, file: Path, number: int) -> None:
    """Show one game of a file, move by move."""
    for one in arena.load(file):
        if one.number == number:
            play.replay(console, play.Name(one.assignment), one.players, one.moves, one.opening)
            console.print(arena.ending(one), markup=False, highlight=False)
            return
    raise course.CourseError(f"{file} has no game {number}; --replay {file} alone shows them all")


@app.command()
def doctor() -> None:
    """Say what keeps student code away from this machine, and how to get what is missing."""
    console = Console()
    with _usage_errors():
        layers, why = sandbox.survey(Limits().memory_bytes, unsafe=True)
    for layer in layers:
        console.print(f"[green]✓[/] {layer}", highlight=False)
    for line in sandbox.advice(layers, why):
        console.print(f"[yellow]–[/] {line}", highlight=False)
    raise typer.Exit(0 if sandbox.shut_off(layers) else 1)


def _audit_class(console: Console, assignment: course.Assignment, times: int, workers: int) -> None:
    """Judge the class again and again, say which verdicts have changed, and end the command."""
    names = batch.students(assignment.root, assignment.name)
    limits = nbgrader_door.limits(assignment.root)
    count = 0
    with console.status(f"Judging {len(names)} submissions {times} times ..."):
        for found in replays.wobbles(assignment, names, limits, workers, times):
            count += 1
            screen.wobble(console, found)
    console.print(f"{len(names)} submissions, {times} times: {count} verdicts changed.")
    raise typer.Exit(1 if count else 0)


def _json_line(value: object) -> str:
    """Return a value as one line of JSON with sorted keys."""
    return msgspec.json.encode(value, order="sorted").decode()


def main() -> None:
    """Run the command line."""
    app()


@contextmanager
def _usage_errors() -> Iterator[None]:
    """Turn what a user can put right into one line and exit code 2, and Ctrl-C into 130."""
    try:
        yield
    except KeyboardInterrupt as error:
        typer.echo("referee: stopped; what was done is kept, run it again to go on", err=True)
        raise typer.Exit(STOPPED) from error
    except EXPECTED as error:
        said = str(error)
        if isinstance(error, OSError) and error.filename:
            said = f"{error.filename}: {error.strerror}; name a notebook file that can be read"
        typer.echo(f"referee: {' '.join(said.split())}", err=True)
        raise typer.Exit(2) from error


def _root(course_folder: Path | None) -> Path:
    """Return the course's folder: that which was named, or the one around the current folder."""
    return course.find_root((course_folder or Path.cwd()).absolute())


def _assignment(course_folder: Path | None, name: str) -> course.Assignment:
    return course.find_assignment(_root(course_folder), name)


def _recognised(root: Path, names: set[str]) -> str:
    """Return the assignment that shares the most cells with a notebook."""
    shared = {
        name: len(
            names
            & intake.identities(
                ipynb.parse(course.find_assignment(root, name).release.read_bytes())
            )
        )
        for name in course.assignments(root)
    }
    best = max(shared, key=lambda name: shared[name])
    if not shared[best]:
        raise course.CourseError(
            "no cell of this notebook belongs to an assignment of the course; "
            f"say which it is with --assignment, one of: {', '.join(shared)}"
        )
    return best


def _to_json(report: Report) -> bytes:
    fields = (
        "assignment",
        "isolation",
        "score",
        "max_score",
        "cells",
        "checks",
        "explanations",
        "repairs",
        "failures",
        "refused",
    )
    content = {name: getattr(report, name) for name in fields}
    return msgspec.json.format(msgspec.json.encode(content), indent=2) + b"\n"


def _must_be_writable(file: Path) -> None:
    """Raise a CourseError for a file that cannot be made, before any work is done for it."""
    if file.is_dir():
        raise course.CourseError(f"{file} cannot be written: it is a folder; name a file")
    if not file.absolute().parent.is_dir():
        raise course.CourseError(f"{file} cannot be written: there is no such folder")


def _write(file: Path, content: bytes) -> None:
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    temporary.write_bytes(content)
    temporary.replace(file)
