"""A failed function of Connect Four gets the name of its misconception, and a right one none."""

import re
from pathlib import Path

import pytest

from adversarial.diagnosis import explain, functions, slips
from referee import course
from referee.model import Limits
from referee.proof import audit, bank

ROOT = Path(__file__).parents[2]
TASK = course.find_assignment(ROOT, "connect-four")
LIMITS = Limits(check_cpu_seconds=10, cell_cpu_seconds=10)
WORDS = {"like", "area", "rule", "try"}
KNOWN = slips.known(functions.TEXTS)


def named(cell: str, code: str) -> list[str]:
    """Return what a cell with this code is named."""
    solution = bank.read(ROOT / "bank/connect-four/right/explicit_loops.py")
    solution = solution._replace(sections=[(cell, code)])
    with audit.running(TASK, solution, LIMITS) as submission:
        return [one.name for one in explain.named(submission.student, cell)]


def test_every_misconception_is_told_and_every_slip_shows() -> None:
    """Has each all its words, and does each slip make some number another one?"""
    for name, one in KNOWN.items():
        assert set(one.words) - {"cell"} == WORDS, name
        assert all(one.words.values()), name
        assert not re.search(r"\.$", one.words["like"]), name
        if one.slips:
            does, right, questions = functions.FUNCTIONS[one.words["cell"]]
            for slip in one.slips:
                assert slip.keys() <= right.keys(), name
                how = {**right, **slip}
                assert any(does(how, *asked) != does(right, *asked) for asked in questions()), slip


def test_all_names_are_known() -> None:
    """Does every name in the code have its words, and is every name used?"""
    code = (ROOT / "adversarial/diagnosis/functions.py").read_text("utf-8")
    for name, one in KNOWN.items():
        used = f'"{name}"' in code or one.slips or re.search(r"_of_won_boards$", name)
        assert used, name
    said = {*functions.ERRORS, *functions.EXTRA.values(), *functions.SEGMENTS}
    said |= set(re.findall(r'(?:return|else) \[?"(\w+_\w+)"', code))
    said |= {f"{cell}_of_won_boards" for cell in ("evaluate", "top_pieces")}
    assert said <= KNOWN.keys()


def test_no_question_is_answered_by_two_slips_alike() -> None:
    """Is who makes a slip called by its name, or by one with the same answers?"""
    for cell, (does, right, questions) in functions.FUNCTIONS.items():
        names: dict[tuple[float, ...], str] = {}
        for name, one in KNOWN.items():
            for slip in one.slips if one.words.get("cell") == cell else ():
                answers = tuple(does({**right, **slip}, *asked) for asked in questions())
                assert names.setdefault(answers, name) == name, slip


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("wrong/segments_through_the_floor", ["segments_off_the_board"]),
        ("wrong/segments_both_ways", ["segments_twice"]),
        ("wrong/evaluate_powers_of_ten", ["evaluate_other_scores"]),
        ("wrong/evaluate_changes_the_board", ["changes_the_state_given"]),
        ("wrong/top_is_row_zero", ["top_pieces_lowest"]),
        ("wrong/tree_of_different_boards", ["tree_size_different_states"]),
        ("crash/tree_looks_into_the_state", ["looks_inside_states"]),
    ],
)
def test_a_function_is_named(file: str, found: list[str]) -> None:
    """Is it named right?"""
    solution = bank.read(ROOT / f"bank/connect-four/{file}.py")
    assert named(solution.fields["Cell"], dict(solution.sections)[solution.fields["Cell"]]) == found


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("None", ["returns_nothing"]),
        ("'3'", ["returns_no_number"]),
        ("object()", ["returns_no_number"]),
        ("float('nan')", []),
        ("state.utility * infinity if state.utility else 0", ["top_pieces_counts_nothing"]),
        ("state.board[0, 0]", ["reads_empty_squares"]),
        ("top_pieces(state)", ["never_ends"]),
        ("1 / 0", []),
    ],
)
def test_an_answer_from_elsewhere_is_told(answer: str, found: list[str]) -> None:
    """Are answers that are no numbers, and errors, told where it is known what they mean?"""
    assert named("top_pieces", f"def top_pieces(state):\n    return {answer}\n") == found


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("[[(0, row)] for row in range(rows)]", ["segments_of_other_lengths"]),
        ("[[(0, 0)]] if columns > 4 else []", ["segments_of_other_lengths"]),
        ("[[(0.0, 0)]]", ["segments_of_another_form"]),
        ("{1: 2}", ["segments_of_another_form"]),
        ("[]", []),
        ("[[(2, 0), (3, 1), (4, 2), (5, 3)]]", []),
    ],
)
def test_odd_segments_are_told(answer: str, found: list[str]) -> None:
    """Is what is no list of lines told as it is?"""
    code = f"def generate_segments(columns, rows, length):\n    return {answer}\n"
    assert named("generate_segments", code) == found


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("evaluate", "def evaluate(state, player):\n    return 0\n"),
        ("top_pieces", "def top_pieces(state):\n    return 0\n"),
        ("tree_size", "def tree_size(game, state):\n    return 22\n"),
    ],
)
def test_one_answer_to_everything_says_nothing(cell: str, code: str) -> None:
    """Is a function that does not look at its board given no name for how it counts?"""
    assert named(cell, code) == []


def test_an_estimate_of_some_boards_only_does_no_harm() -> None:
    """Is a function that answers with a word where scores are measured taken as it is?"""
    code = "def evaluate(state, player):\n    return 1 if len(state.board) != 2 else 'two'\n"
    assert named("evaluate", code) == []


def test_two_slips_at_once_are_both_told() -> None:
    """Is a function named for both?"""
    code = """def top_pieces(state):
        top = {}
        for (row, column), piece in sorted(state.board.items()):
            top.setdefault(column, piece)
        return list(top.values()).count("X") - list(top.values()).count("O")
    """
    found = named("top_pieces", code)
    assert set(found) == {"top_pieces_a_win_is_no_matter", "top_pieces_lowest"}
