"""Ask whether what was left blank has 0 where a course says so, and nothing else has."""

from pathlib import Path
from typing import Any

import pytest
import small_course as small
from formgrading import rows, run
from notebooks import Cell, cell, own

ON = "\nc.Course.blank_is_zero = True\n"
TEXT, CODE = "YOUR ANSWER HERE", "# YOUR CODE HERE\nraise NotImplementedError()"
SOLVED = "### BEGIN SOLUTION\n{}\n### END SOLUTION"


def answer(name: str, source: str, words: bool = False) -> Cell:
    """Return a question whose answer a human marks, where students have filled it."""
    return cell(name, source, 5, words, solution=True, locked=False)


BLANK = answer("why", TEXT, words=True), answer("plot", CODE)
GIVEN, OWN = (
    own(text, "markdown", id=f"text{len(text)}") for text in ("# Given", "To why: because.")
)
CLASS: dict[str, tuple[list[Cell], dict[str, float | None]]] = {  # what has 0 where blanks have
    "blank": ([*BLANK], {"why": 0.0, "plot": 0.0}),
    "cell gone": ([BLANK[1]], {"why": 0.0, "plot": 0.0}),
    "elsewhere": ([OWN, *BLANK], {"why": None, "plot": None}),
    "one": ([answer("why", "Because.", words=True), BLANK[1]], {"why": None, "plot": 0.0}),
    "unreadable": ([], {"why": None, "plot": None}),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course with a question in words and one in code, and a class."""
    root = small.make(tmp_path / "course")
    words, code = answer("why", SOLVED.format("So."), words=True), answer("plot", SOLVED.format(1))
    small.release(root, GIVEN, words, code)
    for student, (cells, _) in CLASS.items():
        small.hand_in(root, student, None if cells else b"no notebook", [GIVEN, *cells])
    return root


def found(root: Path) -> dict[str, dict[str, Any]]:
    """Return the automatic scores of the cells for a human; all are flagged that have none."""
    marks = rows(root, small.NAME)
    for cells in marks.values():
        assert all(cells[name][2] == (cells[name][0] is None) for name in ("why", "plot"))
    return {who: {name: cells[name][0] for name in ("why", "plot")} for who, cells in marks.items()}


def test_what_was_left_blank_has_nothing_where_a_course_says_so(root: Path) -> None:
    """Is it on by the setting, told by name, and off again without a trace?"""
    settings = root / "nbgrader_config.py"
    text = settings.read_text()
    settings.write_text(text + ON)
    said = run(root, "referee", "grade", small.NAME, status=1)
    assert found(root) == {who: marks for who, (_, marks) in CLASS.items()}
    assert (
        "Left blank, so 0 without a look (c.Course.blank_is_zero), plot: blank, cell gone, one."
        in said
    )
    settings.write_text(text)
    run(root, "referee", "grade", small.NAME, status=1)
    assert {score for cells in found(root).values() for score in cells.values()} == {None}
