"""Ask whether students' players meet under equal terms, and lose by what they do, not by chance.

Tic-tac-toe is played by solutions of the bank, Connect Four by small notebooks made here.
"""

import contextlib
import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import nbformat
import pytest
from rich.console import Console
from terminal import rest, terminal
from typer.testing import CliRunner

from adversarial import arena
from adversarial.__main__ import app, running
from adversarial.arena import Contestant, Played, Terms
from adversarial.oracle import Oracle
from adversarial.rules import TicTacToe
from games import ConnectFour, after
from referee.course import Assignment
from referee.model import Limits
from referee.proof import bank

ROOT = Path(__file__).parents[2]

FOUR, THREE = "connect-four", "tic-tac-toe"
CELLS = ("TicTacToe", "MiniMax", "AlphaBeta")
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
    "plain data": (
        "return 3\nfind_best_move = 5", "error", "5 is plain data where a player should be",
    ),
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


def config_like_the_course(root: Path) -> None:
    """Make the folder a course with the subject of this one."""
    (root / "nbgrader_config.py").write_text("c = get_config()\nc.Course.subject = 'adversarial'\n")
    for name in ("adversarial", "games.py"):
        (root / name).symlink_to(ROOT / name)


@pytest.fixture
def four(tmp_path: Path) -> Assignment:
    """A course with an assignment of one cell, `find_best_move`."""
    config_like_the_course(tmp_path)
    assignment = Assignment(FOUR, tmp_path)
    write(assignment.release, find_best_move=HEAD + "raise NotImplementedError()")
    assignment.hidden.mkdir(parents=True)
    return assignment


@pytest.fixture
def three(tmp_path: Path) -> Assignment:
    """The course on tic-tac-toe, without the cells that only play games."""
    config_like_the_course(tmp_path)
    for folder in ("source", "release"):
        notebook = nbformat.read(ROOT / folder / THREE / f"{THREE}.ipynb", as_version=4)
        notebook.cells = [cell for cell in notebook.cells if cell.id in ("imports", *CELLS)]
        (tmp_path / folder / THREE).mkdir(parents=True)
        nbformat.write(notebook, tmp_path / folder / THREE / f"{THREE}.ipynb")
    for name in ("games.py", "check.py", "requirements.txt"):
        shutil.copy(ROOT / "release" / THREE / name, tmp_path / "release" / THREE)
    return Assignment(THREE, tmp_path)


@contextlib.contextmanager
def entered(
    assignment: Assignment, folders: list[Path], terms: Terms
) -> Iterator[tuple[list[Contestant], dict[str, str]]]:
    """Give those who can play under these terms, and why the others cannot."""
    with running(Console(quiet=True), assignment, folders, terms.within(Limits())) as players:
        yield players


def tournament(assignment: Assignment, players: dict[str, str], terms: Terms) -> list[Played]:
    """Play Connect Four between notebooks with these cells."""
    folders = [hand_in(assignment, name, source) for name, source in players.items()]
    with entered(assignment, folders, terms) as (contestants, absent):
        assert not absent
        return list(arena.tournament(assignment.name, contestants, terms))


def test_everybody_meets_everybody_from_the_same_openings_both_ways(four: Assignment) -> None:
    """Has each pair of players the same number of games with the same beginnings, as X and as O?

    The moves that are kept lead, by the rules, to the utility that is kept.
    """
    games = tournament(four, PLAYERS, Terms(openings=3))
    met = Counter(one.players for one in games)
    assert met == {(a, b): 3 for a in PLAYERS for b in PLAYERS if a != b}
    begun = {pair: [one.moves[:2] for one in games if one.players == pair] for pair in met}
    beginnings = begun["left", "right"]
    assert all(moves == beginnings for moves in begun.values())
    assert len({tuple(moves) for moves in beginnings}) == 3
    assert [one.number for one in games] == list(range(1, 19))
    game = ConnectFour()
    for one in games:
        end = after(game, one.moves)
        assert game.terminal_test(end) and game.utility(end, "X") == one.utility
        assert not one.fault and one.opening == 2


def test_the_same_seed_plays_the_same_games(four: Assignment) -> None:
    """Does a tournament depend on the notebooks and the terms only, even where chance plays?"""
    first, again = (tournament(four, PLAYERS, Terms(seed=5)) for _ in "ab")
    assert first == again
    other = tournament(four, PLAYERS, Terms(seed=6))
    assert [one.moves[:2] for one in first] != [one.moves[:2] for one in other]


def test_who_plays_no_legal_move_loses_with_the_reason(four: Assignment) -> None:
    """Does a fault lose the game for the player who made it, as X and as O, and for nobody else?"""
    folders = [hand_in(four, name, HEAD + body) for name, (body, _, _) in FAULTS.items()]
    with entered(four, [hand_in(four, "left", LEFT), *folders], SHORT) as (players, absent):
        assert not absent
        left, *faulty = players
        for player in faulty:
            _, fault, reason = FAULTS[player.name]
            for one in arena.tournament(FOUR, [player, left], SHORT):
                assert one.fault == fault and reason in one.reason and "\x1b" not in one.reason
                assert one.utility == (-1 if one.players[0] == player.name else 1)


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
    assert absent["empty"] == f"no notebook in empty/{FOUR}"
    assert absent["undefined"].startswith("`find_best_move` is not defined")


def test_right_solutions_that_see_the_end_reach_the_value_of_each_opening(
    three: Assignment,
) -> None:
    """Do two solutions of the bank, looking to the end, get what the oracle says?"""
    folders = []
    for name in ("explicit_loops", "negamax"):
        solution = bank.read(ROOT / "bank" / THREE / "right" / f"{name}.py")
        kept = [part for part in solution.sections if part[0] in ("+", *CELLS)]
        solution = solution._replace(sections=kept)
        folders.append(three.root / "submitted" / name)
        (folders[-1] / THREE).mkdir(parents=True)
        text = json.dumps(bank.notebook(solution, three))
        (folders[-1] / THREE / three.notebook).write_text(text)
    terms = Terms(openings=6, depth=9)
    with entered(three, folders, terms) as (contestants, absent):
        games = list(arena.tournament(THREE, contestants, terms))
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
    table = {one.name: one for one in arena.standings(games)}
    assert list(table) == ["c", "a", "b"]
    assert table["a"][1:5] == (1, 1, 2, 3 / 8) and table["a"].faults == {"timeout": 1}
    assert table["b"][1:5] == (0, 1, 1, 1 / 4) and table["c"][1:5] == (2, 0, 0, 1)
    assert sum(one.wins for one in table.values()) == sum(one.losses for one in table.values()) == 3


def command(root: Path, *arguments: str, status: int = 0) -> str:
    """Run `python -m adversarial arena` in the folder of a course; return what it says."""
    with contextlib.chdir(root):
        done = CliRunner().invoke(app, ["arena", *arguments], env={"COLUMNS": "100"})
    assert done.exit_code == status, done.output
    return done.output


def contents(root: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in root.rglob("*") if file.is_file()}


def test_the_command_keeps_the_games_and_changes_nothing_else(four: Assignment) -> None:
    """Are there a table and a file of games, and no new gradebook, mark or result?"""
    for name, source in (PLAYERS | {"absent": "x = 1", "=late": HEAD + "return 99"}).items():
        hand_in(four, name, source)
    before = contents(four.root)
    said = command(four.root, FOUR, "--into", "some.jsonl")
    after_it = contents(four.root)
    assert {file.name for file in after_it if file not in before} == {"some.jsonl"}
    assert before.items() <= after_it.items()
    assert "24 games" in said and "No mark is changed." in said
    assert "absent does not take part: `find_best_move` is not defined" in said
    assert re.search(r"=late .* 12 illegal move", said)
    lines = (four.root / "some.jsonl").read_bytes().splitlines()
    games = [msgspec.json.decode(line, type=Played) for line in lines]
    assert [one.number for one in games] == list(range(1, 25))
    assert [tuple(one.moves[: one.opening]) for one in games[:1]] in [
        [tuple(line)] for line in arena.openings(FOUR, Terms())
    ]


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_the_games_can_be_listed_with_jq_as_the_guide_says(four: Assignment) -> None:
    """Does the line of the instructor's guide show players, moves and result of each game?"""
    folders = [str(hand_in(four, name, PLAYERS[name])) for name in ("left", "right")]
    command(four.root, FOUR, *folders, "--seed", "3")
    guide = (ROOT / "docs/instructors.md").read_text("utf-8")
    (line,) = re.findall(r"(?m)^    jq -r '(.*)' games.jsonl$", guide)
    done = subprocess.run(
        ["jq", "-r", line, four.root / "games.jsonl"], capture_output=True, text=True, check=True
    )
    shown = done.stdout.splitlines()
    games = [json.loads(one) for one in (four.root / "games.jsonl").read_text().splitlines()]
    assert len(shown) == len(games) == 4
    for text, one in zip(shown, games, strict=True):
        assert text.startswith(f"{one['number']} {' - '.join(one['players'])}: {one['utility']} ")
        assert json.dumps(one["moves"], separators=(",", ":")) in text


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((FOUR, "--into", "no/file"), "no/file cannot be written: there is no such folder"),
        ((FOUR, "--into", "/dev/full"), "/dev/full: the disk is full; free some space"),
        ((FOUR, "submitted/a", "./submitted/a"), "two folders have the same name; give each"),
        (("numbers",), "numbers has no arena; these have one: tic-tac-toe, connect-four"),
    ],
)
def test_what_cannot_be_done_is_said(
    four: Assignment, arguments: tuple[str, ...], reason: str
) -> None:
    """Is it one line and exit code 2?"""
    for name in "ab":
        hand_in(four, name, LEFT)
    said = command(four.root, *arguments, status=2)
    assert f"python -m adversarial: {reason}" in said


def test_it_can_be_stopped(four: Assignment) -> None:
    """Does Ctrl-C end the tournament with exit code 130 and keep the games until then?"""
    for name in "abc":
        hand_in(four, name, HEAD + "while True: pass")
    words = ("-m", "adversarial", "arena", FOUR, "--course", str(four.root))
    with terminal(ROOT, "python", *words, "--into", str(four.root / "g"), kind="xterm") as child:
        child.expect(r"Playing: [abc] - [abc]")
        child.sendintr()
        assert "python -m adversarial: stopped" in rest(child)
    assert child.exitstatus == 130
    assert len((four.root / "g").read_text().splitlines()) >= 1
