"""Hold the lessons and guides to what is true, and keep solutions out of them; needs no site."""

import itertools
import json
import re
import subprocess
import sys
import zlib
from base64 import b64decode
from importlib import metadata
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import benchmark
import nbformat
import pages
import pictures
import pytest
from solution import cells_of, solution

import check
from adversarial.checks.connect_four import picture
from adversarial.solvers.connect_four import four_oracle
from adversarial.solvers.tictactoe import Oracle
from games import ConnectFour, after, infinity, state_from
from referee.commands import COMMANDS
from referee.marks import marking

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "autograded" / "README.md", *sorted(DOCS.rglob("*.md"))]


# --- what pictures tell ---------------------------------------------------------------------

LESSONS = "".join(file.read_text("utf-8") for file in (DOCS / "lessons").glob("*.md"))
SPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", re.findall(r"```\{picture\} (\w+)", LESSONS))
def test_a_picture_can_be_seen_and_heard(name: str) -> None:
    """Is each drawing of a picture told in words as well?"""
    shown = re.sub(r"(?s)<script>.*?</script>|<img [^>]*>", "", getattr(pictures, name)())
    drawn = [*ElementTree.fromstring(f"<div>{shown}</div>").iter(f"{SPACE}svg")]
    assert drawn or "data-steps=" in shown  # whose drawings a script unpacks
    for one, part in itertools.product(drawn, ("title", "desc")):
        assert len(one.findtext(f"{SPACE}{part}", "").strip()) > 5


def test_boards_are_as_told() -> None:
    """Do four of X's five moves on the first page lose and one win, and is in the notebook's search
    to watch the second move to the board the only good one?
    """
    (watched,) = re.findall(r'state_from\("(.*?)"', cells_of("tic-tac-toe")["watch-search"])
    first, told = (Oracle().values(state_from(one)) for one in (pictures.ENTRANCE, watched))
    assert sorted(first.values()) == [-1, -1, -1, -1, 1]
    assert list(told.values()) == [-1, 1, -1, -1, -1]


def test_a_longer_look_finds_the_move_as_told() -> None:
    """Does X choose the columns of the text, of which by exact play only the last one wins?"""
    (packed,) = re.findall('data-steps="([^"]*)"', pictures.depths())
    words = json.loads(zlib.decompress(b64decode(packed)))["words"]
    assert [said.split(",")[0] for said in words] == [f"X plays column {c}" for c in (5, 4, 4, 3)]
    state = after(ConnectFour(), pictures.DEPTHS)
    assert [c for c, value in four_oracle().values(state).items() if value == 1] == [3]
    above = after(ConnectFour(), [*pictures.DEPTHS, 5, 5])
    assert above.utility == -1, "O wins above column 5's piece"


# --- links and names ------------------------------------------------------------------


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_link_leads_somewhere_in_the_repository_too(file: Path) -> None:
    """Does each link lead to a file, also where a page is read as it lies there?"""
    assert [target for target in pages.links(file) if not target.exists()] == []


def test_what_the_page_on_checks_names_can_be_imported() -> None:
    """Is each dotted name, and each name that stands behind a module and a colon, there?"""
    assert pages.unknown(DOCS / "checks.md", "adversarial") == []


def test_each_assignment_can_be_tried_in_the_browser() -> None:
    """Is there a link for each release, whose name stands in it, on both kinds of screens?"""
    links = re.findall(r"\((lite|small):(.+?)\)", (DOCS / "try.md").read_text("utf-8"))
    names = [folder.name for folder in (ROOT / "release").iterdir()]
    assert sorted(links) == sorted((kind, name) for kind in ("lite", "small") for name in names)


# --- what the guides tell to type ------------------------------------------------------------


def test_a_guide_names_commands_that_exist() -> None:
    """Does each `referee` and `make` command that a guide tells to type exist?"""
    text = "".join(file.read_text("utf-8") for file in PAGES)
    said = set(re.findall(r"(?m)(?:`|^    (?:\.venv/bin/)?)referee ([a-z]+)", text))
    assert {"grade", "collect", "report"} <= said <= COMMANDS.keys()
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8")))
    assert set(re.findall(r"(?:`|^    )make ([a-z]+)", text)) <= targets


def test_formgrader_starts_for_root_as_well(tmp_path: Path) -> None:
    """Does Jupyter get what it asks of root, and nobody else that?"""
    (line,) = re.findall(r"(?m)^\t\$\(BIN\)/jupyter lab (.+)$", (ROOT / "Makefile").read_text())
    for number in ("0", "1000"):
        (tmp_path / "id").write_text(f"#!/bin/sh\necho {number}\n")
        (tmp_path / "id").chmod(0o700)
        command = ["sh", "-c", f"PATH={tmp_path}:$PATH; echo {line.replace('$$', '$')}"]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert ("--allow-root" in told) == (number == "0")


def test_make_pictures_finds_what_it_imports() -> None:
    """Does its script begin in a Python that has the course's environment and no more?"""
    subprocess.run([sys.executable, "-c", "import screenshots"], cwd=DOCS, check=True)


def test_the_settings_of_the_browser_are_in_step() -> None:
    """Are the wheels for the browser those that the notebooks are tested with here?"""
    wheels = (DOCS / "lite" / "wheels.txt").read_text("utf-8")
    pinned = dict(re.findall(r"(?m)^([\w-]+)==(\S+) --hash=sha256:[0-9a-f]{64}$", wheels))
    assert len(pinned) == sum("==" in line for line in wheels.splitlines() if line[:1] != "#")
    for name in ("pytest", "pluggy", "ipywidgets", "jupyterlab-widgets"):
        assert pinned[name] == metadata.version(name)


# --- what the benchmark compares --------------------------------------------------------------


@pytest.mark.nightly
@pytest.mark.parametrize("command", [benchmark.STOCK, benchmark.OURS], ids=lambda it: it[0])
def test_both_graders_mark_a_small_class_right(tmp_path: Path, command: list[str]) -> None:
    """Do all kinds of small notebooks get the marks that they should?"""
    _, cpu, right = benchmark.measure(tmp_path / "course", command, 3)
    assert (cpu > 0, right) == (True, 3)


# --- what notebooks tell --------------------------------------------------------------------------


def test_the_opponent_at_connect_four_is_worth_playing() -> None:
    """Does it, as O, beat the same search without an estimate, and never lose to it?"""
    names = dict(solution())
    source = cells_of("tic-tac-toe")["play-connect-four"]
    exec(re.sub(r"(?m)^Canvas.*", "", source), names)  # noqa: S102
    search, estimate = names["AlphaBeta"], names["nearer_the_middle"]
    ends = [
        ConnectFour().play_game(search(4, eval_fn=estimate), search(4), initial=state)
        for state in (after(ConnectFour(), [column]) for column in (0, 2, 3, 6))
    ]
    assert min(ends) >= 0
    assert sum(ends) >= 3


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_the_mark_schemes_add_up(name: str) -> None:
    """Are the items of a scheme worth what the question is, and those of a heading what it says?"""
    notebook = nbformat.read(ROOT / f"source/{name}/{name}.ipynb", as_version=4)
    (cell,) = (one for one in notebook.cells if one.metadata.get("nbgrader", {}).get("task"))
    groups = marking.items(cell.source, cell.metadata.nbgrader.points)
    sums = {heading: sum(item.points for item in group) for heading, group in groups}
    assert sum(sums.values()) == cell.metadata.nbgrader.points
    assert all(f", {points:g} points" in heading for heading, points in sums.items())


# --- the reference solution of connect-four, and values that were counted by other programs ------


@pytest.fixture(scope="module")
def reference() -> Any:
    """Give the names that the reference solution defines."""
    names = check.load(ROOT / "source" / "connect-four")
    assert not any(one.error for one in names.cells)
    return names.values


def test_its_values_are_those_that_others_have_counted(reference: Any) -> None:
    """Segments by direction, the states of a board half done, top pieces of boards drawn by hand,
    and of six plies the states that each search looks at, the value and the first best column?
    """
    segments = reference["generate_segments"](7, 6, 4)
    steps = [(last[0] - first[0], last[1] - first[1]) for first, *_, last in segments]
    assert [steps.count(step) for step in ((3, 0), (0, 3), (3, 3), (3, -3))] == [24, 21, 12, 12]
    assert len(segments) == 69
    game = ConnectFour()
    half = picture("OOO...O / XXX..XX / OOO..OO / XXX..XX / OOO..OO / XXX..XX")
    states = half, game.result(half, 5)
    assert [reference["tree_size"](game, state) for state in states] == [3034, 442]
    empty = "....... / " * 3
    for board, value in (
        (f"{empty}..O.... / ..X.... / OXX....", -1),
        ("...O... / ...X... / ...O... / ...X... / ...X... / XXXOXXX", 5),
        (f"{empty}....... / ...OOOX / OOOXXXX", infinity),
    ):
        assert reference["top_pieces"](picture(board)) == value
    state = after(game, [2, 0, 1, 3, 2, 2])
    assert (reference["start"], reference["nodes"][6]) == (state, (134_825, 4_700))
    assert reference["alphabeta"](game, state, 6, reference["top_count"]) == (-2, 0)


def test_the_known_game_is_played(reference: Any) -> None:
    """Does the player answer each move of the known game as its book prints it?

    The book calls the depth 3, which counts the plies after its own move: four plies in all.
    """
    game, answers = ConnectFour(), []
    state = game.initial
    for move in (3, 1, 1, 3, 0, 5, 4):
        state = game.result(state, move)
        answers.append(reference["find_best_move"](game, state, depth=4))
        state = game.result(state, answers[-1])
    assert answers == [1, 3, 1, 3, 4, 4, 4]
