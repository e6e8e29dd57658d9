"""What a search or function has returned is said first, if it is not what was asked for."""

import pytest
from solution import sources

from adversarial.diagnosis import explain
from adversarial.subject import SUBJECT
from referee.model import Cell, Limits
from referee.sandbox.outside.submission import Submission
from referee.sandbox.outside.zygote import Zygote

RETURN = "returned None: asked is a"
MOVE = "def minmax_decision(state, game):\n    value, move = 3, 'a1'\n    {}"
PAIR = "def alphabeta(game, state, depth, estimate, *window):\n    value, move = 1, 'a1'\n    {}"
BEST = "def find_best_move(game, state, depth):\n    {}"
NUMBER = "def evaluate(state, player):\n    {}"


@pytest.mark.parametrize(
    ("cell", "source", "said"),
    [
        ("minmax_decision", MOVE.format("return move"), ""),
        ("minmax_decision", MOVE.format("print(move)"), "ended in `minmax_decision`, line 3: `pri"),
        (
            "minmax_decision",
            MOVE.format("return value, move"),
            "the pair (3, 'a1'): asked is the",
        ),
        ("minmax_decision", MOVE.format("return [move]"), "the list ['a1']: asked is the move alo"),
        ("minmax_decision", MOVE.format("return value"), "3: asked is the move, and this is a num"),
        ("minmax_decision", MOVE.format("return 'B'"), "the text 'B': asked is the move, and thi"),
        (
            "minmax_decision",
            MOVE.format("return {move: value}"),
            "a dict {'a1': 3}: asked is a",
        ),
        ("minmax_decision", MOVE.format("return str(game)"), "the text: asked is a move, such"),
        (
            "minmax_decision",
            MOVE.format("return (move, {value})"),
            "the pair: asked is the move",
        ),
        ("minmax_decision", MOVE.format("return object()"), "an object of a class: asked is a mo"),
        ("minmax_decision", MOVE.format("return float('nan')"), "nan: asked is the move"),
        ("alphabeta", PAIR.format("return value, move"), ""),
        ("alphabeta", PAIR.format("return move, value"), "the pair ('a1', 1): asked is a pair, th"),
        ("alphabeta", PAIR.format("return value"), "1: asked is a pair"),
        ("alphabeta", PAIR.format("return None"), RETURN),
        ("alphabeta", PAIR.format("return value, move, 0"), "a tuple (1, 'a1', 0): asked is a pai"),
        ("alphabeta", PAIR.format("return value, state"), "the pair (1, 'A'): asked is a pair"),
        ("find_best_move", BEST.format("return 3"), ""),
        ("find_best_move", BEST.format("return 0.5, 3"), "the pair (0.5, 3): asked is the move"),
        ("find_best_move", BEST.format("return 7"), "7: asked is the move, and this is a number"),
        ("find_best_move", BEST.format("pass"), "None: asked is a move, such as 0"),
        ("evaluate", NUMBER.format("return 7"), ""),
        ("evaluate", NUMBER.format("print(7)"), RETURN),
        ("evaluate", NUMBER.format("return '7'"), "`evaluate` returned the text '7': asked is a "),
    ],
)
def test_what_came_back_is_told(zygote: Zygote, cell: str, source: str, said: str) -> None:
    """Is the kind of the answer named with what was asked, and nothing where it is right?"""
    with (
        Submission(zygote, [Cell(source, "cell 1")], {}, Limits()) as one,
        one.student() as student,
    ):
        example = explain.kind_of_answer(student, cell)
    assert (example is None) == (not said)
    assert example is None or said in example.told


GLOBAL = (
    "total = 0\ndef evaluate(state, player):\n    global total\n    total += len(state.board)\n"
)


@pytest.mark.parametrize(
    ("cell", "source", "said"),
    [
        ("evaluate", GLOBAL + "    return total", "Calls change `total`, and"),
        ("evaluate", GLOBAL.replace("len(state.board)", "1") + "    return 7", ""),
        (
            "evaluate",
            "def evaluate(state, player, seen=[]):\n    seen.append(1)\n    return len(seen)",
            "`seen=...` of `evaluate`",
        ),
        (
            "evaluate",
            "def evaluate(state, player, seen=[]):\n    seen.append(1)\n    return 7",
            "",
        ),
    ],
)
def test_what_outlives_a_call_is_named(zygote: Zygote, cell: str, source: str, said: str) -> None:
    """Is a variable named that later calls find, and neither a counter nor a list of notes?"""
    with Submission(zygote, [Cell(source, "cell 1")], {}, Limits()) as one:
        example = explain.left_behind(one.student, cell)
    assert (example is None) == (not said)
    assert example is None or said in example.told


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", ""),
        ('state.utility if player == "X" else -state.utility', "state.utility", "(state, 'O')` is"),
        ('return 1 if player == "X" else -1', "return 1", "`utility` is 1; asked is -1"),
        ("[square for square in state.moves if square != move]", "state.moves", "`moves` is [("),
        ("{**state.board, move: state.to_move}", "state.board", "`board` is {}; asked is {("),
        ("or not state.moves", "", "`terminal_test(state)` is False; asked is True"),
        (
            "        board = {**",
            "        state.moves.sort(reverse=True); board = {**",
            "has changed",
        ),
    ],
)
def test_the_first_wrong_answer_of_the_rules_is_shown(
    zygote: Zygote, old: str, new: str, said: str
) -> None:
    """Is a board shown with what was answered and what is right, and nothing for right rules?"""
    source = "from games import *\n" + sources()[1].replace(old, new)
    with (
        Submission(zygote, [Cell(source, "cell 1")], {}, Limits()) as one,
        one.student() as student,
    ):
        example = explain.counterexample(student, "TicTacToe")
    assert (example is None) == (not said)
    assert example is None or said in example.told


@pytest.fixture(scope="module")
def zygote():
    """Give a zygote for this course."""
    with Zygote(Limits(unsafe=True), SUBJECT) as one:
        yield one
