"""Hold the lessons and guides to what is true, and keep solutions out of them; needs no site."""

import ast
import itertools
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import metadata
from itertools import permutations, product
from math import factorial, inf, perm
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from typer.main import get_command

ROOT = Path(__file__).parents[1]
DOCS, TOOLS = ROOT / "docs", ROOT / "engine" / "docs"
sys.path.insert(0, str(DOCS))

import build  # noqa: E402
import pages  # noqa: E402
import pictures  # noqa: E402

from adversarial.checks.suspects import leaves, small_trees  # noqa: E402
from adversarial.games.recorded import Trace  # noqa: E402
from adversarial.solvers.connect_four import four_oracle  # noqa: E402
from adversarial.solvers.tictactoe import Oracle  # noqa: E402
from games import (  # noqa: E402
    ConnectFour,
    Fig52Game,
    GameState,
    NestedTree,
    TreeGame,
    after,
    state_from,
)
from referee.doors.cli import app  # noqa: E402

MOST_WORDS = 25_845  # with break-it, `viva`, the ladder, an assistant, answers alike, and `shared`
TABLES = ("validity", "sentences")  # of checks, and of what the notebooks say
LESSONS = sorted((DOCS / "lessons").glob("*.md"))
TEXT = {file.stem: " ".join(file.read_text("utf-8").split()) for file in LESSONS}
PAGES = [ROOT / "README.md", ROOT / "autograded" / "README.md", *sorted(DOCS.rglob("*.md"))]
OF_THE_TOOL = [TOOLS.parent / "README.md", *TOOLS.rglob("*.md")]
DRAWN = re.findall(r"```\{(?:picture|try)\} (\w+)", "".join(f.read_text("utf-8") for f in LESSONS))


def defined(source: str) -> set[str]:
    """Return the names of all functions and classes that a piece of code defines."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}


def asked_for() -> set[str]:
    """Return the names of all functions and classes that students have to write."""
    names: set[str] = set()
    for file in (ROOT / "release").glob("*/*.ipynb"):
        for cell in nbformat.read(file, as_version=4).cells:
            if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution"):
                names |= defined(cell.source)
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("file", LESSONS, ids=lambda file: file.stem)
def test_a_lesson_gives_no_solution_away(file: Path) -> None:
    """Does no code in a lesson define what an assignment asks for?"""
    blocks = re.findall(r"(?s)```(?:\{code-cell\}|python)\n(.*?)```", file.read_text("utf-8"))
    code = "\n".join(re.sub(r"(?m)^:.*$", "", block) for block in blocks)
    assert "max_value" in asked_for()
    assert defined(code) & asked_for() == set()


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_can_be_seen_and_heard(name: str) -> None:
    """Is each picture whole, and told in words as well?"""
    picture = ElementTree.fromstring(getattr(pictures, name)())
    space = "{http://www.w3.org/2000/svg}"
    for part in ("title", "desc"):
        words = picture.find(f"{space}{part}")
        assert words is not None
        assert words.text
        assert len(words.text.strip()) > 5
    width, height = float(picture.get("width", 0)), float(picture.get("height", 0))
    assert 100 < width < 700
    assert 100 < height < 500


# --- numbers in the text ---------------------------------------------------------------------


def leaves_seen(rows: Sequence[Sequence[int]], at_bound: bool = True) -> int:
    """Count the leaves that alpha-beta looks at: MAX chooses a row, MIN a leaf of it."""
    alpha, seen = -float("inf"), 0
    for row in rows:
        value = float("inf")
        for leaf in row:
            seen += 1
            value = min(value, leaf)
            if value < alpha or (at_bound and value == alpha):
                break
        alpha = max(alpha, value)
    return seen


def test_figure_52_is_as_told() -> None:
    """Are the leaves of the story counted rightly, in each order that the lesson names?"""
    rows = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
    assert list(Fig52Game.leaves.values()) == [leaf for row in rows for leaf in row]
    assert leaves_seen(rows) == 7
    assert leaves_seen([sorted(row) for row in rows]) == 5
    worst = permutations(sorted(row, reverse=True) for row in rows)
    assert {leaves_seen(order) for order in worst} == {9}
    assert leaves_seen([rows[0], rows[1], [2, 5, 14]]) == 5
    reversed_rows = [rows[2], rows[1], rows[0]]
    assert (leaves_seen(reversed_rows), leaves_seen(reversed_rows, at_bound=False)) == (7, 9)
    assert "Seven leaves instead of nine" in TEXT["alpha-beta"]


START = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
ORDERS = (
    range(7),
    sorted(range(7), key=lambda column: abs(column - 3)),
    range(6, -1, -1),
)


@cache
def position(moves: tuple[int, ...]) -> tuple[GameState, float]:
    """Return a state below the start, and what it is worth to X if nothing lies below it."""
    if not moves:
        return START, 0
    state = ConnectFour().result(position(moves[:-1])[0], moves[-1])
    tops = {column: state.board[row, column] for row, column in sorted(state.board)}
    count = sum(1 if piece == "X" else -1 for piece in tops.values())
    return state, state.utility * inf if state.utility else count


def states_looked_at(program: str, order: Iterable[int]) -> tuple[float, int, int]:
    """Return the value, the first best move and the count of a program of the lesson on slips."""
    count, best_move = 0, -1

    def cuts(low: bool, alpha: float, value: float, beta: float, smaller: bool) -> bool:
        """Say whether a state is done: `low` if O is to move in it."""
        return {
            "B": low and alpha > value,
            "C": low and alpha > beta and smaller,
            "D": low and alpha > beta,
            "E": alpha > beta,
            "F": alpha >= beta,
        }[program]

    def look(moves: tuple[int, ...], alpha: float, beta: float) -> float:
        nonlocal count, best_move
        count += 1
        state, value = position(moves)
        if len(moves) == 6 or not state.moves:
            return value
        low = len(moves) % 2 == 1
        best = inf if low else -inf
        for move in (move for move in order if move in state.moves):
            value = look((*moves, move), alpha, beta)
            better = value < best if low else value > best
            if better:
                best, best_move = value, best_move if moves else move
            if low:
                beta = min(beta, best)
            else:
                alpha = max(alpha, best)
            if cuts(low, alpha, best, beta, better):
                break
        return best

    return look((), -inf, inf), best_move, count


def test_slips_are_counted_as_told() -> None:
    """Does each program look at so many states, in each order? Another test has minimax, A."""
    for program in "BCDEF":
        looks = [states_looked_at(program, order) for order in ORDERS]
        assert {value for value, _, _ in looks} == {-2}
        assert looks[0][1] == 0
        row = " | ".join(f"{count:,}" for _, _, count in looks)
        assert f"| {program} | {row} |" in TEXT["slips"]
    assert "| minimax | 134,825 | | alpha-beta | 4,700 |" in TEXT["depth"]


def test_the_points_that_are_left_to_an_assistant_add_up() -> None:
    """Is each graded cell of the course in one row, with the points that it has?"""
    points: dict[str, int] = {}
    for file in ROOT.glob("source/*/*.ipynb"):
        for cell in nbformat.read(file, as_version=4).cells:
            given = cell.metadata.get("nbgrader", {})
            if given.get("points"):
                points[given["grade_id"].removeprefix("test_")] = given["points"]
    text = " ".join((DOCS / "assistants.md").read_text("utf-8").split())
    rows = re.findall(r"\| (\d+) \| [^|]+ \| ([`\w ]+) \|", text)
    cells = [re.findall(r"\w+", names) for _, names in rows]
    assert sorted(points) == sorted(itertools.chain(*cells))
    assert [int(number) for number, _ in rows] == [sum(map(points.get, some)) for some in cells]
    asks = sum(int(number) for number, _ in rows[2:])
    assert (
        f"Of {sum(points.values())} points {asks} ask for what cannot be pasted, a quarter" in text
    )
    assert asks / sum(points.values()) == pytest.approx(1 / 4, abs=0.01)
    assert f"{asks + 15} of {sum(points.values()) + 15}" in text


def forgetful(tree: list[Any]) -> int:
    """Return the move of a search in which `max_value` forgets its last move, below the root."""

    def value(below: Any, alpha: float, beta: float, sign: int) -> float:
        if not isinstance(below, list):
            return float(below)
        best = -sign * inf
        for one in below[:-1] if sign > 0 else below:
            best = sign * max(sign * best, sign * value(one, alpha, beta, -sign))
            alpha, beta = (max(alpha, best), beta) if sign > 0 else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best

    best_move, alpha = 0, -inf
    for move, below in enumerate(tree):
        if (found := value(below, alpha, inf, -1)) > alpha:
            best_move, alpha = move, found
    return best_move


def test_four_leaves_give_the_lessons_search_away_and_fewer_do_not() -> None:
    """Is it wrong in that tree, and right in all smaller ones and in those of the questions?"""

    def is_right(tree: list[Any]) -> bool:
        values = Trace(NestedTree(tree)).values(())
        return values[forgetful(tree)] == max(values.values())

    assert not is_right([0, [[-1, 1], 1]]) and "`[0, [[-1, 1], 1]]`" in TEXT["witness"]
    trees = itertools.takewhile(lambda tree: len(leaves(tree)) < 4, small_trees())
    assert all(map(is_right, trees))
    for tree in [0, [[1, -1], 1]], [0, [[-1, 1], -2]]:
        assert is_right(tree) and f"`{tree}`" in TEXT["witness"]
    assert forgetful([0, [[1, -1], 1]]) == 1 and forgetful([0, [[-1, 1], -2]]) == 0
    assert (1, 1) not in Trace(NestedTree([1, [0, 2]])).alpha_beta_generates(())


def test_games_of_tic_tac_toe_are_counted_as_told() -> None:
    """Are there so many games, games that fill the board, and states on the way?"""
    lines = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]

    @cache
    def games(mine: frozenset[int], theirs: frozenset[int]) -> tuple[int, int, int]:
        """Return how many states there are from here on, games, and games that fill the board."""
        full = len(mine) + len(theirs) == 9
        if full or any(line <= theirs for line in lines):
            return 1, 1, int(full)
        below = [games(theirs, mine | {square}) for square in set(range(9)) - mine - theirs]
        return 1 + sum(b[0] for b in below), sum(b[1] for b in below), sum(b[2] for b in below)

    assert games(frozenset(), frozenset()) == (549_945 + 1, 255_168, 127_872)
    assert sum(perm(9, plies) for plies in range(1, 10)) == 986_409
    for number in ("549,945", "255,168", "127,872", "986,409", f"{factorial(9):,}"):
        assert number in TEXT["minimax"]


def test_a_small_tree_needs_seven_leaves() -> None:
    """With 2 moves and 4 plies, is 7 the least number of leaves that proves the value?

    Asked of all orders of one tree without ties, by what must be shown: a proof that the value is
    at least v, and one that it is at most v.
    """
    tree = TreeGame(range(16), branching=2)

    def value(state: tuple[int, ...]) -> float:
        if len(state) == 4:
            return tree.leaves[state]
        values = [value((*state, move)) for move in (0, 1)]
        return max(values) if len(state) % 2 == 0 else min(values)

    def proofs(state: tuple[int, ...], bound: float, low: bool) -> list[frozenset[tuple[int, ...]]]:
        """Return the sets of leaves that show a state to be worth at least, or at most, bound."""
        if len(state) == 4:
            leaf = tree.leaves[state]
            return [frozenset([state])] if (leaf >= bound if low else leaf <= bound) else []
        below = [proofs((*state, move), bound, low) for move in (0, 1)]
        if (len(state) % 2 == 0) == low:  # one move is enough
            return below[0] + below[1]
        return [one | other for one, other in product(*below)]

    root = value(())
    both = product(proofs((), root, True), proofs((), root, False))
    assert min(len(one | other) for one, other in both) == 7


def test_o_must_choose_as_told() -> None:
    """Is the position of the lesson worth 0, a defeat by one move and a draw by the other?"""
    values = Oracle().values(state_from("X O X / O O X / . X ."))
    assert values == {(2, 0): -1, (2, 2): 0}


def test_tic_tac_toe_is_as_large_as_told() -> None:
    """Is the number of boards the one in the lesson?"""
    assert len(Oracle().states()) == 5478
    assert "5,478 different boards" in TEXT["minimax"]


def test_the_board_of_the_first_page_is_as_told() -> None:
    """Do four of X's five moves lose and one win, whatever X does next, and does O reply so?"""
    solver, replies = Oracle(), pictures.entrance_replies()
    begin = state_from(pictures.ENTRANCE)
    assert sorted(solver.values(begin).values()) == [-1, -1, -1, -1, 1]
    first = {i: solver.values(begin)[divmod(i, 3)] for i in range(9) if replies[""][i] == "."}
    lines = _games(replies, replies[""], ())
    assert {moves[0] for moves, _ in lines} == set(first)
    for moves, end in lines:
        assert first[moves[0]] == 1 or _winner(end) == "O", "X has lost with its first move"
    assert any(_winner(end) == "X" for _, end in lines)


def _games(
    replies: dict[str, str], squares: str, moves: tuple[int, ...]
) -> list[tuple[tuple[int, ...], str]]:
    """Return X's moves and the last board of each game that a reader can play."""
    if _winner(squares) or "." not in squares:
        return [(moves, squares)]
    free = [i for i, piece in enumerate(squares) if piece == "."]
    return [
        game
        for i in free
        for game in _games(replies, replies[f"{squares[:i]}X{squares[i + 1 :]}"], (*moves, i))
    ]


def _winner(squares: str) -> str:
    lines = [{squares[3 * row + column] for row, column in line} for line in Oracle().lines]
    return next((piece for piece in "XO" if {piece} in lines), "")


def test_a_longer_look_finds_the_move_as_told() -> None:
    """Does X choose the columns of the text, of which by exact play only the last one wins?"""
    words = [said for _, said in pictures.depths()]
    assert [said.split(",")[0] for said in words] == [f"X plays column {c}" for c in (5, 4, 4, 3)]
    state = after(ConnectFour(), pictures.DEPTHS)
    assert [c for c, value in four_oracle().values(state).items() if value == 1] == [3]
    above = after(ConnectFour(), [*pictures.DEPTHS, 5, 5])
    assert above.utility == -1, "O wins above column 5's piece"


def test_segments_are_counted_rightly() -> None:
    """Are there as many places for four in a row as the lesson says?"""
    found = {
        step: sum(
            0 <= row + 3 * step[0] < 6 and 0 <= column + 3 * step[1] < 7
            for row, column in product(range(6), range(7))
        )
        for step in ((0, 1), (1, 0), (1, 1), (-1, 1))
    }
    assert list(found.values()) == [24, 21, 12, 12]
    assert "There are 69: 24 in rows, 21 in columns, and 12 in each" in TEXT["depth"]


# --- links, names and numbers ------------------------------------------------------------------


@pytest.mark.parametrize("file", PAGES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_link_leads_somewhere_in_the_repository_too(file: Path) -> None:
    """Does each link lead to a file, also where a page is read as it lies there?"""
    assert [target for target in pages.links(file) if not target.exists()] == []


def test_every_module_stands_in_a_table_of_rooms() -> None:
    """Does the page on the design name each module in the row of its room?"""
    named = pages.rooms(DOCS / "design.md")
    assert pages.unnamed(ROOT, named, "adversarial", "handout") == []
    assert [room for room in named if not (ROOT / room).is_dir()] == []


def test_what_the_page_on_checks_names_can_be_imported() -> None:
    """Is each dotted name, and each name that stands behind a module and a colon, there?"""
    assert pages.unknown(DOCS / "checks.md", "adversarial") == []


def test_the_attacks_add_up() -> None:
    """Does the page name as many attacks as it says, and are all of them in the bank?"""
    text = (TOOLS / "attacks.md").read_text("utf-8")
    bank = {
        file.parents[1].name: {one.stem for one in file.parent.glob("*.py")}
        for file in ROOT.glob("bank/*/cheat/*.py")
    }
    cheats = bank.pop("tic-tac-toe")
    measured = set(re.findall(r"`(\w+)`", "".join(re.findall(r"(?m)^\|.*$", text))))
    assert measured <= cheats
    assert f"holds {len(cheats)} dishonest notebooks" in text
    assert f"{sum(map(len, bank.values()))} of its other assignments" in text
    assert f"{55 + len(measured)} of the {len(cheats)} were" in " ".join(text.split())
    assert f"The other {len(measured)}, each" in " ".join(text.split())
    assert "Seven were not measured" in text
    assert len(cheats) == 55 + len(measured) + 7


def test_the_docs_stay_short() -> None:
    """Have all pages together no more than so many words, without tables of what stands elsewhere?

    A bar between two cells of a table, or a dash before an item, is no word.
    """
    made = re.compile(r"(?s)<!-- (\w+) -->.*?<!-- /\1 -->")
    files = [file for file in (*PAGES, *OF_THE_TOOL) if file.stem not in TABLES]
    texts = [made.sub("", file.read_text("utf-8")) for file in files]
    words = [word for text in texts for word in text.split() if re.search(r"\w", word)]
    assert len(words) <= MOST_WORDS


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    """Does the build see a missing page, a missing anchor, and nothing wrong with good links?"""
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#there">b</a><a href="#top">up</a>'
        '<a href="b.html#gone">b</a><img src="gone.png"><a href="https://example.org/x">x</a>'
    )
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1><a href="c.html">c</a>')
    assert sorted(build.broken_links(tmp_path)) == [
        "a.html: b.html#gone",
        "a.html: gone.png",
        "b.html: c.html",
    ]


# --- what the guides tell to type ------------------------------------------------------------


def test_a_guide_names_commands_that_exist() -> None:
    """Does each `referee` and `make` command that a guide tells to type exist?"""
    text = "".join(file.read_text("utf-8") for file in PAGES)
    said = set(re.findall(r"(?m)(?:`|^    (?:\.venv/bin/)?)referee ([a-z]+)", text))
    known = set(get_command(app).commands)  # type: ignore[attr-defined]
    assert {"grade", "collect", "report"} <= said <= known
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


def test_the_settings_of_the_browser_are_in_step() -> None:
    """Are the wheels for the browser those that the notebooks are tested with here?"""
    wheels = (DOCS / "lite" / "wheels.txt").read_text("utf-8")
    pinned = dict(re.findall(r"(?m)^([\w-]+)==(\S+) --hash=sha256:[0-9a-f]{64}$", wheels))
    assert len(pinned) == sum("==" in line for line in wheels.splitlines() if line[:1] != "#")
    for name in ("pytest", "pluggy", "ipywidgets", "jupyterlab-widgets"):
        assert pinned[name] == metadata.version(name)
