"""Ask whether cells that were named by chance are called as their headings say, for people."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
import small_course
from classes import Class
from formgrading import run
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from notebooks import cell, own
from small_course import NAME

from referee.intake.headings import called, headings

ANON = "cell-4aa00a9ffc1979f5"


def graded(name: str, source: str = "", **data: Any) -> NotebookNode:
    return nbformat.from_dict(cell(name, source, 1, **data))


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# Exercise 1", "Exercise 1"),
        ("Some text\n\n### `f` and **g** ###\nmore", "f and g"),
        ("## [Part](https://example.org/x_y_z) of my_file_name", "Part of my_file_name"),
        ("<h2 class='x'>Old <b>style</b></h2>", "Old style"),
        ("# Real\n```\n# no heading\n```\n", "Real"),
        ("# \n", None),
        ("# Sheet\n**Exercise 1**\n\nMake a list.", "Exercise 1"),
        ("__Question 3 (2 points)__", "Question 3 (2 points)"),
        ("# Sheet\n**Note:**", "Sheet"),
        ("# Sheet\n* 3 apples *\n**1** and **2**", "Sheet"),
    ],
)
def test_the_heading_above_names_a_cell(text: str, heading: str | None) -> None:
    """Is the nearest one taken, as people read it, and nothing that only looks like one?"""
    cells = [new_markdown_cell(text), new_code_cell("x"), graded(ANON)]
    found = headings(new_notebook(cells=cells))
    assert found == ({ANON: heading} if heading else {})


def test_names_that_somebody_has_chosen_stay() -> None:
    """Are cells below one heading told apart, and chosen names and answers no headings?"""
    names = ["cell-00000001", "squares", "cell-00000002", "test_cell-00000003", "cell-9"]
    answer = graded("cell-00000004", "# Mine", words=True, solution=True)
    cells = [new_markdown_cell("# A"), *map(graded, names), answer, graded("cell-00000005")]
    found = headings(new_notebook(cells=cells))
    assert found == {
        "cell-00000001": "A", "cell-00000002": "A (2)", "test_cell-00000003": "A (3)",
        "cell-00000004": "A (4)", "cell-00000005": "A (5)",
    }  # fmt: skip
    assert called("squares", found) == "squares"
    assert called("cell-00000002", found) == "A (2) (cell-00000002)"


def test_a_class_is_read_by_headings_and_written_by_names(tmp_path: Path) -> None:
    """Do table, reasons and report say the heading, and tables for programs the name?"""
    made = Class.made(tmp_path / "course", "ada")
    made.hidden("test_more.py").write_text(
        f"import pytest\n@pytest.mark.check(cell={ANON!r}, points=1)\n"
        "def test_it(student): assert student.double(1) == 2"
    )
    small_course.release(made.root, own("# Squares & more", "markdown"), cell(ANON, "", 1))
    (heads,) = [
        line for line in small_course.grade(made.root).splitlines() if line.startswith("student ")
    ]
    assert "Squares & more" in heads and ANON not in heads
    assert f"Squares & more ({ANON}):" in run(made.root, "referee", "why", "ada", NAME)
    run(made.root, "referee", "report", NAME, "--html", "x.html")
    assert "<strong>Squares &amp; more</strong>" in made.path("x.html").read_text()
    run(made.root, "referee", "return", "--table", "cells", "--to", "cells.csv")
    assert ANON in made.path("cells.csv").read_text().splitlines()[0]
