"""Name the misconception behind a failed function of Connect Four that is no search.

`evaluate`, `top_pieces` and `tree_size` are written here with options: a student's function that
answers all questions as a version with one or two changes does has these mistakes. Segments are
compared directly. Names, texts and changes are in `functions.toml`. A student's process gets only
questions, none of which a hidden check asks.
"""

import contextlib
import itertools
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from adversarial.checks.connect_four import USUAL, Square, listed, played, segments, won
from adversarial.diagnosis import slips
from adversarial.diagnosis.slips import KnownMistake, Slip
from adversarial.diagnosis.symptoms import Fresh
from adversarial.games import rules, sent_boards
from games import ConnectFour, Fig52Game, Game, GameState, NestedTree, State, after, infinity
from referee.model import Verdict
from referee.sandbox.outside.conversation import Stopped
from referee.sandbox.outside.student import (
    Proxy,
    Student,
    StudentError,
    ask_each,
    call_and_look,
    load,
)

NUMBERS = int, float, Fraction
TEXTS = Path(__file__).with_name("functions.toml")
ERRORS = {  # by misconception: what the message of its error matches
    "returns_nothing": r"NoneType",
    "never_ends": r"recursion",
    "largest_of_nothing": r"empty (sequence|list|iterable)|argument is empty",
    "reads_empty_squares": r"^\(-?\d+, -?\d+\)$",
    "looks_inside_states": r"'(tuple|str|GameState)' object has no attribute|indices must be",
}

BOARDS = (7, 6, 4), (5, 4, 3), (4, 5, 3), (4, 4, 2), (6, 3, 4), (3, 5, 4), (9, 8, 5), (2, 3, 4)
SCORES: dict[int, float] = {2: 1, 3: 100, 4: 1_000_000}

Found = dict[tuple[int, int, int], list[frozenset[Square]]]  # segments, by board


class Function(NamedTuple):
    """A function with options, the options of a right one, and the questions to ask."""

    does: Callable[..., float]
    right: Slip
    questions: Callable[[], Sequence[tuple[Any, ...]]]


def named(fresh: Fresh, cell: str) -> list[KnownMistake]:
    """Return the likely misconceptions behind a function that fails; [] if none is likely.

    `fresh` starts the student's notebook anew.
    """
    try:
        with fresh() as student:
            if cell == "generate_segments":
                names = _of_segments(student.generate_segments)
            else:
                names = _of_numbers(student, cell)
        if names not in ([], ["keeps_on_counting"]) and _keeps_something(fresh, cell):
            names = ["keeps_something"]
    except StudentError as error:
        names = [next((one for one, words in ERRORS.items() if re.search(words, str(error))), "")]
    except Stopped as stop:
        names = ["never_ends" if stop.verdict in (Verdict.TIMEOUT, Verdict.WORK_LIMIT) else ""]
    return [slips.known(TEXTS)[name] for name in names if name]


def _keeps_something(fresh: Fresh, cell: str) -> bool:
    """Return whether a function's wrong answers are right when asked first: it keeps something."""
    if cell == "generate_segments":
        questions: Sequence[tuple[Any, ...]] = BOARDS
    else:
        questions = FUNCTIONS[cell].questions()

    def is_right(asks: tuple[Any, ...], answer: Any) -> bool:
        if cell != "generate_segments":
            does, right, _ = FUNCTIONS[cell]
            return isinstance(answer, NUMBERS) and does(right, *asks) == answer
        found = listed(answer)
        return set(found) == segments(*asks) and len(found) == len(set(found))

    with fresh() as student, contextlib.suppress(AssertionError):
        asked = getattr(student, cell)
        wrong = [one for one in questions if not is_right(one, asked(*one))]
        if not wrong or wrong[0] is questions[0]:
            return False
        for one in wrong[:3]:
            with fresh() as another:
                if not is_right(one, getattr(another, cell)(*one)):
                    return False
        return True
    return False


# --- segments ----------------------------------------------------------------------------------


def _of_segments(asked: Proxy) -> list[str]:
    answers = ask_each(asked, BOARDS)
    if any(answer is None for answer in answers):
        return ["returns_nothing"]
    try:
        found = {board: listed(answer) for board, answer in zip(BOARDS, answers, strict=True)}
    except AssertionError:
        return ["segments_of_another_form"]
    same = (name for name, change in SEGMENTS.items() if all(
        set(some) == change(*board) for board, some in found.items()
    ))  # fmt: skip
    one_for_all = len({frozenset(some) for some in found.values()}) == 1
    return [next(same, "") or ("" if one_for_all else _in_segments(found))]


def _in_segments(found: Found) -> str:
    """Return the name of the mistake that wrong segments show; "" if none is known."""
    extra, missing, there = set[str](), list[tuple[str, bool]](), set[str]()
    for (columns, rows, length), some in found.items():
        wanted = segments(columns, rows, length)
        there |= {_direction(one) for one in some if one}
        for one in set(some) - wanted:
            within = all(0 <= column < columns and 0 <= row < rows for column, row in one)
            extra.add("off" if not within else "bent" if len(one) == length else "short")
        for one in wanted - set(some):
            end = any(column == columns - 1 or row in (0, rows - 1) for column, row in one)
            missing.append((_direction(one), end))
    if extra:
        return next(name for kind, name in EXTRA.items() if kind in extra)
    if not missing:
        twice = any(len(set(some)) < len(some) for some in found.values())
        return "segments_twice" if twice else ""
    short = [board for board, some in found.items() if not some and segments(*board)]
    whole = [set(some) == segments(*board) for board, some in found.items() if some]
    if short and whole and all(whole):
        return "segments_none_where_one_way_is_short"
    if not {direction for direction, _ in missing} & there:
        return "segments_lack_a_direction"
    if all(end for _, end in missing):
        return "segments_miss_the_edge"
    diagonal = all(direction in ("rising", "falling") for direction, _ in missing)
    return "segments_lack_diagonals" if diagonal else ""


def _direction(segment: frozenset[Square]) -> str:
    (left, low), (right, high) = min(segment), max(segment)
    if left == right or low == high:
        return "up" if left == right else "across"
    return "rising" if high > low else "falling"


EXTRA = {
    "off": "segments_off_the_board",
    "bent": "segments_not_in_line",
    "short": "segments_of_other_lengths",
}
SEGMENTS: Mapping[str, Callable[[int, int, int], set[frozenset[Square]]]] = {
    "segments_row_first": lambda c, r, n: segments(r, c, n),
    "segments_usual_board": lambda c, r, n: segments(7, 6, n),
    "segments_usual_board_and_length": lambda c, r, n: USUAL,
    "segments_of_four": lambda c, r, n: segments(c, r, 4),
    "segments_one_longer": lambda c, r, n: segments(c, r, n + 1),
    "segments_one_shorter": lambda c, r, n: segments(c, r, n - 1),
    "segments_from_one": lambda c, r, n: {
        frozenset((column + 1, row + 1) for column, row in one) for one in segments(c, r, n)
    },
}


# --- numbers -----------------------------------------------------------------------------------


def _of_numbers(student: Student, cell: str) -> list[str]:
    asked: Proxy = getattr(student, cell)
    function = FUNCTIONS[cell]
    questions = function.questions()
    answers = ask_each(asked, questions)
    if any(answer is None for answer in answers):
        return ["returns_nothing"]
    if not all(isinstance(answer, NUMBERS) for answer in answers):
        return ["returns_no_number"]
    if len(set(answers)) == 1:  # which says nothing of how it would count
        return [""]

    def fits(changes: Slip) -> bool:
        how = {**function.right, **changes}
        return all(
            function.does(how, *question) == answer
            for question, answer in zip(questions, answers, strict=True)
        )

    if fits({}):
        return _needs_a_list(student, cell) or _changes_it(asked, questions)
    known = [
        (name, slip)
        for name, one in slips.known(TEXTS).items()
        if one.words.get("cell") == cell
        for slip in one.slips
    ]
    if cell == "evaluate":
        mine, theirs = _scores(asked, "X"), _scores(asked, "O")
        known.append(("evaluate_other_scores", {"scores": mine, "their_scores": theirs}))
    for name, slip in known:
        if fits(slip):
            return [name]
    for (name, slip), (other, more) in itertools.combinations(known, 2):
        if name != other and not slip.keys() & more.keys() and fits({**slip, **more}):
            return [name, other]
    return _in_numbers(cell, questions, answers)


def _changes_it(asked: Proxy, questions: Sequence[tuple[Any, ...]]) -> list[str]:
    """Look whether the function changes the state that it is given."""
    states = [asks for asks in questions if isinstance(asks[0], GameState)]
    changed = any(call_and_look(asked, *asks)[1][0] != asks[0] for asks in states)
    return ["changes_the_state_given"] if changed else []


def _in_numbers(cell: str, questions: Sequence[Any], answers: Sequence[float]) -> list[str]:
    """Return the names of mistakes that show in wrong numbers, where no change explains them."""
    does, right, _ = FUNCTIONS[cell]
    expected = [does(right, *question) for question in questions]
    if list(itertools.accumulate(expected)) == list(answers):
        return ["keeps_on_counting"]
    wrong = [
        question[0]
        for question, answer, one in zip(questions, answers, expected, strict=True)
        if answer != one
    ]
    if cell != "tree_size" and all(state.utility for state in wrong):
        return [f"{cell}_of_won_boards"]
    if cell == "tree_size" and all(isinstance(game, ConnectFour) for game in wrong):
        return ["tree_size_in_trees_only"]
    return [""]


def _needs_a_list(student: Student, cell: str) -> list[str]:
    """Look whether `tree_size` fails when `actions` returns a generator."""
    if cell != "tree_size":
        return []
    game = load(student, sent_boards).LazySentBoard(*rules.tables(2, 2, 2))
    board = rules.TicTacToe(2, 2, 2)
    size = _tree_size(FUNCTIONS[cell].right, board, board.initial)
    try:
        answer = student.tree_size(game, board.initial)
    except StudentError:
        answer = None
    right = isinstance(answer, NUMBERS) and answer == size
    return [] if right else ["tree_size_needs_a_list"]


def _scores(asked: Proxy, player: str) -> dict[int, float]:
    """Return the score of a segment by its number of X's, as the student's `evaluate` has it.

    Seen by `player`; a score for O is taken with the sign changed.
    """
    scores: dict[int, float] = {}
    sign = 1 if player == "X" else -1
    for count in 1, 2, 3, 4:
        board = {(0, column): "X" for column in range(count)}
        held = Counter(sum((row, column) in board for column, row in one) for one in USUAL)
        rest = sum(worth * held[number] for number, worth in scores.items())
        answer = asked(GameState("O", 0, board, [*range(7)]), player)
        if not isinstance(answer, int | float):
            return SCORES
        scores[count] = (sign * answer - rest) / held[count]
    return {count: worth for count, worth in scores.items() if worth}


def _evaluate(how: Slip, state: GameState, player: str) -> float:
    """Return the sum of the scores of all segments, with the options `how`."""
    if how["for"] == "mover only" and player != state.to_move:
        return 0.0
    seen_by = {"X": "X", "mover": state.to_move}.get(how["for"], player)
    if state.utility and how["won"] != "scores":
        mine = state.utility > 0 if seen_by == "X" else state.utility < 0
        return float(how["won"] if mine else -how["won"])
    found = []
    for segment in LINES:
        if _direction(frozenset(segment)) in how["without"]:
            continue
        keys = (square if how["squares"] == "column first" else square[::-1] for square in segment)
        pieces = "".join(state.board.get(key, ".") for key in keys)
        found.append(_score(how, pieces if seen_by == "X" else pieces.translate(OTHERS)))
    return float(TAKES[how["takes"]](found))


def _score(how: Slip, pieces: str) -> float:
    """Return the score of a segment for the player with the X, with the options `how`."""
    mine = how["scores"].get(pieces.count("X"), 0)
    theirs = how["their_scores"].get(pieces.count("O"), 0)
    if "X" in pieces and "O" in pieces and how["blocked"] != "counts":
        return float({"for me": mine, "for them": how["theirs"] * theirs}.get(how["blocked"], 0))
    if not how["gaps"] and "." in pieces.strip("."):
        return 0
    return float(mine + how["theirs"] * theirs)


def _top_pieces(how: Slip, state: GameState) -> float:
    """Return X's topmost pieces minus O's, with the options `how`."""
    signs = {"X": 1, "mover": 1 if state.to_move == "X" else -1}
    winner = won(state.board) if how["winner"] == "four" else state.utility
    if not winner and not state.moves and how["draw"]:
        return float(how["draw"])
    if winner and how["won"] != "nothing" and how["sees_win_of"] in (None, winner):
        worth = {"infinity": winner * infinity, "any": infinity, "utility": winner}[how["won"]]
        return float(worth * signs[how["won_for"]])
    pieces = state.board.items() if how["top"] == "stored last" else sorted(state.board.items())
    columns: dict[int, list[str]] = {column: [] for column in range(how["columns"] or 0)}
    if how["keys"] == "column first":
        pieces = sorted(((column, row), piece) for (row, column), piece in pieces)
    for (row, column), piece in pieces:
        seen_full = how["full"] == "counts" or (how["full"] == "forgotten" and not state.moves)
        if not seen_full and column not in state.moves:
            continue
        if row < how["rows"] and (column in columns or how["columns"] is None):
            columns.setdefault(column, []).append(piece)
    seen = list[str]()
    for column, held in columns.items():
        some = {"lowest": held[:1], "all": held, "row 5": [state.board.get((5, column), "")]}
        seen += some.get(how["top"], held[-1:]) or [how["empty"]]
    return float(signs[how["for"]] * (how["x"] * seen.count("X") + how["o"] * seen.count("O")))


def _tree_size(how: Slip, game: Game, state: State, seen: set[Any] | None = None) -> float:
    """Return the number of states in a tree, with the options `how`."""
    seen = set() if seen is None else seen
    if how["different"]:
        key = frozenset(state.board.items()) if isinstance(state, GameState) else state
        if key in seen:
            return 0
        seen.add(key)
    if game.terminal_test(state):
        return float(how["leaf"])
    if how["children"]:
        return float(how["root"] + len(list(game.actions(state))))
    below = [
        _tree_size(
            {**how, "root": how["inner"], "leaf": how["end"]}, game, game.result(state, move), seen
        )
        for move in game.actions(state)
    ]
    return float(how["root"] + TAKES[how["takes"]](below))


def _boards() -> list[GameState]:
    """Return boards of all kinds: begun, full, won, small and large."""
    chance = random.Random(1974)
    return [
        *(played(chance, moves) for moves in (1, 3, 6, 9, 12, 16, 20, 25, 30, 36, 42, 42, 42)),
        *(played(chance, 99, *size) for size in [(4, 5, 3)] * 3 + [(6, 7, 4)] * 2),
        *(played(chance, 24, *size, over=False) for size in [(6, 7, 5), (9, 5, 6), (8, 9, 6)]),
        *(played(chance, 45, 8, 9, 6, over=False) for _ in range(3)),
        *(played(chance, 16, 4, 4, 5) for _ in range(2)),
    ]


def _stored_anyhow() -> list[tuple[GameState]]:
    chance = random.Random(1988)
    return [
        (state._replace(board=dict(chance.sample(sorted(state.board.items()), len(state.board)))),)
        for state in _boards()
    ]


def _trees() -> list[tuple[Game, State]]:
    """Return trees of all shapes, each with the state to count from."""
    figure, uneven = Fig52Game(), NestedTree([[1, [2, 3]], 4, [[5], [[6, 7], 8, 9]]])
    small = ConnectFour(2, 3, 2)
    return [
        *((figure, state) for state in ("A", "B", "D3")),
        *((uneven, state) for state in ((), (0,), (2,), (1,))),
        *((small, state) for state in (small.initial, after(small, [0]))),
    ]


TAKES: Mapping[str, Callable[[list[float]], float]] = {
    "sum": sum, "best": max, "first": lambda found: found[0], "last": lambda found: found[-1],
    "times": lambda found: len(found) * found[0],
}  # fmt: skip
OTHERS = str.maketrans("XO", "OX")
LINES = [sorted(segment) for segment in sorted(map(sorted, USUAL))]
FUNCTIONS = {
    "evaluate": Function(
        _evaluate,
        {"for": "player", "won": "scores", "without": (), "squares": "row first", "takes": "sum",
         "scores": SCORES, "their_scores": SCORES, "blocked": "nothing",
         "gaps": True, "theirs": -1},
        lambda: [(state, player) for state in _boards()[:13] for player in "XO"],
    ),
    "top_pieces": Function(
        _top_pieces,
        {"winner": "told", "for": "X", "won_for": "X", "won": "infinity", "top": "highest",
         "full": "counts", "draw": None, "sees_win_of": None, "keys": "row first",
         "columns": None, "rows": 99, "empty": "", "x": 1, "o": -1},
        _stored_anyhow,
    ),
    "tree_size": Function(
        _tree_size,
        {"different": False, "children": False, "takes": "sum", "root": 1, "leaf": 1, "inner": 1,
         "end": 1},
        _trees,
    ),
}  # fmt: skip
CELLS = {"generate_segments", *FUNCTIONS}
