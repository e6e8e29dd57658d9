"""Ask whether copies are found among the solutions of the bank, and own styles are left alone."""

from pathlib import Path

from referee.course import Assignment, Course
from referee.proof import bank
from referee.report import similar

TIC_TAC_TOE = Assignment("tic-tac-toe", Course(Path(__file__).parents[1]))
RIGHT = [solution for solution in bank.read_all(TIC_TAC_TOE) if solution.kind == "right"]


def test_independent_solutions_are_left_alone():
    """Is nobody asked about independent solutions but a few pairs that are in fact alike?"""
    whole = [one for one in RIGHT if one.file.suffix == ".py"]  # others are edits of these
    assert len(whole) > 30
    found = similar.pairs({one.name: [text for _, text in one.sections] for one in whole}, {})
    assert len(found) <= 5
