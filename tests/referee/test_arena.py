"""Ask whether students' players meet under equal terms, and lose by what they do, not by chance.

Tic-tac-toe is played by solutions of the bank, Connect Four by small notebooks made here.
"""

import contextlib
import csv
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from typer.testing import CliRunner

from adversarial import arena
from adversarial.arena import Contestant, Played, Terms
from adversarial.oracle import Oracle
from adversarial.rules import TicTacToe
from games import ConnectFour, after
from referee.course import Assignment, CourseError
from referee.doors import cli
from referee.model import Limits
from referee.proof import bank

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from terminal import rest, terminal  # noqa: E402

FOUR, THREE = "connect-four", "tic-tac-toe"
WANTED = ("TicTacToe", "MiniMax", "AlphaBeta")
SHORT = Terms(openings=1, cpu_seconds=0.5, game_calls=500)
HEAD = "def find_best_move(game, state, depth):\n    "
LEFT = HEAD + "return list(game.actions(state))[0]"
PLAYERS = {
    "left": LEFT,
    "right": HEAD + "return list(game.actions(state))[-1]",
    "chance": "import random\n" + HEAD + "return random.choice(list(game.actions(state)))",
}
FAULTS = {
    "off the board": ("return 99", "illegal move", "99 is not a legal move here"),
    "nothing": ("return None", "illegal move", "None is not a legal move here"),
    "a pair": ("return 3, 0.5", "illegal move", "(3, 0.5) is not a legal move"),
    "an object": ("return object()", "illegal move", "<an object of the submission>"),
    "control codes": (r"return '\x1b[2J'", "illegal move", "is not a legal move here"),
    "an error": ("raise ValueError('no idea')", "error", "no idea"),
    "a blank": ("raise NotImplementedError()", "error", ""),
    "a loop": ("while True: pass", "timeout", "not finished after 0.5 seconds of computing"),
    "too much work": (
        "while True: game.actions(state)", "work-limit", "it made more game calls",
    ),
    "an exit": ("import os; os._exit(0)", "killed", "its process ended"),
}  # fmt: skip


def write(path: Path, **cells: str) -> None:
    """Write a notebook of code cells with these grade ids."""
    notebook = nbformat.v4.new_notebook()
    for name, source in cells.items():
        data = {"grade_id": name, "grade": False, "solution": True, "locked": False, "task": False}
        tag = {"nbgrader": data | {"schema_version": 3}}
        notebook.cells.append(nbformat.v4.new_code_cell(source, metadata=tag, id=name))
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)


def hand_in(assignment: Assignment, name: str, source: str) -> Path:
    """Hand in a notebook whose only cell has this source; return the student's folder."""
    folder = assignment.root / "submitted" / name
    write(folder / assignment.name / assignment.notebook, find_best_move=source)
    return folder


@pytest.fixture
def four(tmp_path: Path) -> Assignment:
    """A course with an assignment of one cell, `find_best_move`."""
    for name in ("nbgrader_config.py", "games.py", "check.py"):
        shutil.copy(ROOT / name, tmp_path)
    assignment = Assignment(FOUR, tmp_path)
    write(assignment.release, find_best_move=HEAD + "raise NotImplementedError()")
    assignment.hidden.mkdir(parents=True)
    return assignment


@pytest.fixture
def three(tmp_path: Path) -> Assignment:
    """The course on tic-tac-toe, without the cells that only play games."""
    for folder in ("source", "release"):
        notebook = nbformat.read(ROOT / folder / THREE / f"{THREE}.ipynb", as_version=4)
        notebook.cells = [cell for cell in notebook.cells if cell.id in ("imports", *WANTED)]
        (tmp_path / folder / THREE).mkdir(parents=True)
        nbformat.write(notebook, tmp_path / folder / THREE / f"{THREE}.ipynb")
    for name in ("games.py", "check.py"):
        shutil.copy(ROOT / name, tmp_path / "release" / THREE)
    return Assignment(THREE, tmp_path)


@contextlib.contextmanager
def entered(
    assignment: Assignment, folders: list[Path], terms: Terms
) -> Iterator[tuple[list[Contestant], dict[str, str]]]:
    """Give those who can play under these terms, and why the others cannot."""
    with arena.entered(assignment, folders, terms.within(Limits())) as found:
        yield found


def tournament(assignment: Assignment, players: dict[str, str], terms: Terms) -> list[Played]:
    """Play Connect Four between notebooks with these cells."""
    folders = [hand_in(assignment, name, source) for name, source in players.items()]
    with entered(assignment, folders, terms) as (contestants, absent):
        assert not absent
        return list(arena.tournament(assignment, contestants, terms))


def test_everybody_meets_everybody_from_the_same_openings_both_ways(four: Assignment) -> None:
    """Has each pair of players the same number of games with the same beginnings, as X and as O?"""
    games = tournament(four, PLAYERS, Terms(openings=3))
    met = Counter(one.players for one in games)
    assert met == {(a, b): 3 for a in PLAYERS for b in PLAYERS if a != b}
    begun = {pair: [one.moves[:2] for one in games if one.players == pair] for pair in met}
    beginnings = begun["left", "right"]
    assert all(found == beginnings for found in begun.values())
    assert len({tuple(moves) for moves in beginnings}) == 3
    assert [one.number for one in games] == list(range(1, 19))


def test_every_game_can_be_replayed_to_its_result(four: Assignment) -> None:
    """Do the moves that are kept lead, by the rules, to the utility that is kept?"""
    game, rows = ConnectFour(), tournament(four, PLAYERS, Terms())
    for one in rows:
        end = after(game, one.moves)
        assert game.terminal_test(end) and game.utility(end, "X") == one.utility
        assert not one.fault and one.opening == 2


def test_the_same_seed_plays_the_same_games(four: Assignment) -> None:
    """Does a tournament depend on the notebooks and the terms only, even where chance plays?"""
    first, again = (tournament(four, PLAYERS, Terms(seed=5)) for _ in "ab")
    assert first == again
    other = tournament(four, PLAYERS, Terms(seed=6))
    assert [one.moves[:2] for one in first] != [one.moves[:2] for one in other]


@pytest.mark.parametrize("name", FAULTS)
def test_who_plays_no_legal_move_loses_with_the_reason(four: Assignment, name: str) -> None:
    """Does a fault lose the game for the player who made it, as X and as O, and for nobody else?"""
    body, fault, reason = FAULTS[name]
    for one in tournament(four, {"faulty": HEAD + body, "left": LEFT}, SHORT):
        assert one.fault == fault and reason in one.reason and "\x1b" not in one.reason
        assert one.utility == (-1 if one.players[0] == "faulty" else 1)
        assert "faulty lost by" in arena.ending(one)


def test_plain_data_is_no_player(four: Assignment) -> None:
    """Is a number in place of the function a fault, and no mistake of ours?"""
    games = tournament(four, {"number": "find_best_move = 5", "left": LEFT}, SHORT)
    assert {one.fault for one in games} == {"error"}
    assert "5 is plain data where a player should be" in games[0].reason


def test_no_move_leaves_a_trace_for_the_next(four: Assignment) -> None:
    """Is every move asked of a fresh copy of the process?"""
    once = (
        f"calls = []\n{HEAD}calls.append(1)\n    assert len(calls) == 1\n    return state.moves[0]"
    )
    assert not any(one.fault for one in tournament(four, {"once": once, "left": LEFT}, SHORT))


def test_those_who_cannot_play_do_not_take_part(four: Assignment) -> None:
    """Is there a sentence for each notebook that is missing, damaged or without the function?"""
    folders = [hand_in(four, name, LEFT) for name in ("a", "b", "damaged", "empty")]
    folders.append(hand_in(four, "undefined", "x = 1"))
    (four.root / "submitted/damaged" / FOUR / four.notebook).write_text("{")
    (four.root / "submitted/empty" / FOUR / four.notebook).unlink()
    with entered(four, folders, SHORT) as (contestants, absent):
        assert [one.name for one in contestants] == ["a", "b"]
    assert list(absent) == ["damaged", "empty", "undefined"]
    assert "could not be read" in absent["damaged"]
    assert absent["empty"] == f"there is no notebook in empty/{FOUR}"
    assert absent["undefined"].startswith("`find_best_move` is not defined")


def test_a_name_stands_for_one_player(four: Assignment) -> None:
    """Is it refused that a folder is given twice?"""
    folder = hand_in(four, "a", LEFT)
    with (
        contextlib.ExitStack() as stack,
        pytest.raises(CourseError, match="two folders have the same name"),
    ):
        stack.enter_context(entered(four, [folder, folder], SHORT))


def test_right_solutions_that_see_the_end_reach_the_value_of_each_opening(
    three: Assignment,
) -> None:
    """Do two solutions of the bank, looking to the end, get what the oracle says?"""
    folders = []
    for name in ("explicit_loops", "negamax"):
        solution = bank.read(ROOT / "bank" / THREE / "right" / f"{name}.py")
        kept = [part for part in solution.sections if part[0] in ("+", *WANTED)]
        solution = solution._replace(sections=kept)
        folders.append(three.root / "submitted" / name)
        (folders[-1] / THREE).mkdir(parents=True)
        text = json.dumps(bank.notebook(solution, three))
        (folders[-1] / THREE / three.notebook).write_text(text)
    terms = Terms(openings=6, depth=9)
    with entered(three, folders, terms) as (contestants, absent):
        games = list(arena.tournament(three, contestants, terms))
    assert not absent and len(games) == 12
    for one in games:
        assert one.utility == Oracle().value(after(TicTacToe(), one.moves[:2])), one
    assert {one.utility for one in games} != {1}


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(won: int, games: int, low: float, high: float) -> None:
    """Is it the interval of the literature (Newcombe, Statistics in Medicine 17, 1998, table I)?"""
    assert arena.wilson(won, games) == pytest.approx((low, high), abs=5e-5)


def test_standings_add_up() -> None:
    """Is a draw half a point for both, a fault counted for who made it, the best one first?"""
    results = [("a", "b", 1, ""), ("b", "a", 0, ""), ("a", "c", -1, "timeout"), ("c", "a", 1, "")]
    games = [
        Played(n, FOUR, (x, o), 2, [], utility, Terms(), fault)
        for n, (x, o, utility, fault) in enumerate(results)
    ]
    found = {one.name: one for one in arena.standings(games)}
    assert list(found) == ["c", "a", "b"]
    assert found["a"][1:5] == (1, 1, 2, 3 / 8) and found["a"].faults == {"timeout": 1}
    assert found["b"][1:5] == (0, 1, 1, 1 / 4) and found["c"][1:5] == (2, 0, 0, 1)
    assert sum(one.wins for one in found.values()) == sum(one.losses for one in found.values()) == 3


def command(root: Path, *arguments: str, status: int = 0) -> str:
    """Run `referee arena` in the folder of a course; return what it says."""
    with contextlib.chdir(root):
        done = CliRunner().invoke(cli.app, ["arena", *arguments], env={"COLUMNS": "100"})
    assert done.exit_code == status, done.output
    return done.output


@pytest.fixture
def held(four: Assignment) -> Callable[..., str]:
    """Give `held(*options)`: what `referee arena` says of three players and one who is absent."""
    for name, source in (PLAYERS | {"absent": "x = 1", "=late": HEAD + "return 99"}).items():
        hand_in(four, name, source)

    def hold(*options: str, status: int = 0) -> str:
        return command(four.root, FOUR, *options, status=status)

    return hold


def contents(root: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}


def test_the_command_keeps_games_and_table_and_changes_nothing_else(
    held: Callable[..., str], four: Assignment
) -> None:
    """Are there a table, a CSV and a file of games, and no new gradebook, mark or result?"""
    before = contents(four.root)
    said = held("--into", "games.jsonl", "--csv", "table.csv", "--openings", "1")
    after_it = contents(four.root)
    names = {file.name for file in after_it if file not in before}
    assert names == {"games.jsonl", "table.csv"} and before.items() <= after_it.items()
    assert "12 games" in said and "No mark is changed." in said
    assert "absent does not take part: `find_best_move` is not defined" in said
    assert re.search(r"=late .* 6 illegal move", said)
    rows = list(csv.DictReader((four.root / "table.csv").read_text().splitlines()))
    assert {row["player"] for row in rows} == {*PLAYERS, "'=late"}
    assert sum(int(row["games"]) for row in rows) == 2 * 12
    assert sum(float(row["score"]) * 6 for row in rows) == pytest.approx(12, abs=0.01)


def test_games_are_shown_again(held: Callable[..., str], four: Assignment) -> None:
    """Does a file of games give the same table, every game, and what is wrong with the file?"""
    said = held("--into", "games.jsonl", "--openings", "1", *("submitted/left", "submitted/right"))
    table = said[said.index("2 games") :]
    again = held("--replay", "games.jsonl")
    assert again.endswith(table) and "Game 2, right (X) - left (O): " in again
    shown = held("--replay", "games.jsonl", "--game", "1")
    kept: list[dict[str, Any]] = [
        json.loads(line) for line in (four.root / "games.jsonl").read_text().splitlines()
    ]
    moves = re.findall(r"(?m)^(\d+)\. (\w+) \((.)\) (?:is given|plays) column (\d)$", shown)
    assert [int(column) for *_, column in moves] == kept[0]["moves"]
    assert [name for _, name, *_ in moves[:2]] == ["left", "right"]
    assert shown.count("0 1 2 3 4 5 6") == len(moves) - 1
    assert "has no game 3" in held("--replay", "games.jsonl", "--game", "3", status=2)
    (four.root / "games.jsonl").write_text(json.dumps(kept[0] | {"moves": [0, 99]}))
    assert "holds no games of an arena (99 for O is not" in held(
        "--replay", "games.jsonl", status=2
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--game", "1"], "name it with --replay FILE"),
        (["--replay", "nowhere"], "nowhere"),
        (["--into", "no/such/file"], "there is no such folder"),
    ],
)
def test_what_cannot_be_done_is_said(
    held: Callable[..., str], options: list[str], reason: str
) -> None:
    """Is it one line and exit code 2?"""
    assert reason in held(*options, status=2)


def test_an_assignment_without_players_has_no_arena(four: Assignment) -> None:
    """Does the message say which assignments have one?"""
    said = command(four.root, "numbers", status=2)
    assert "numbers has no arena; these have one: tic-tac-toe, connect-four" in said


def test_it_can_be_stopped(four: Assignment) -> None:
    """Does Ctrl-C end the tournament with exit code 130 and keep the games until then?"""
    loop = HEAD + "while True: pass"
    for name in "abc":
        hand_in(four, name, loop)
    options = ("--into", "games.jsonl", "--seconds", "0.5", "--openings", "49")
    with terminal(four.root, "referee", "arena", FOUR, *options, kind="xterm") as child:
        child.expect(r"Playing: [abc] - [abc]")
        child.sendintr()
        assert "referee: stopped" in rest(child)
    assert child.exitstatus == 130
    assert len(arena.load(four.root / "games.jsonl")) >= 1
