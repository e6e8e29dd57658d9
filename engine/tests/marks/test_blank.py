"""Ask whether what was left blank has 0 where a course says so, and nothing else has."""

import json
from pathlib import Path
from typing import Any

import pytest
import small_course as small
from formgrading import rows, run
from nbformat.v4 import new_markdown_cell
from notebooks import cell

ON = "\nc.Course.blank_is_zero = True\n"
BY_HAND = {"solution": True, "locked": False}  # a human marks what students fill
TEXT, CODE = "YOUR ANSWER HERE", "# YOUR CODE HERE\nraise NotImplementedError()"


def notebook(why: str = TEXT, plot: str = CODE, own: str = "", kept: bool = True) -> bytes:
    """Return a solved notebook with these answers, and a text of the student's own in front."""
    made = small.notebook(**small.SOLVED)
    made["cells"].insert(0, json.loads(json.dumps(new_markdown_cell("# Given"))))
    if own:
        made["cells"].insert(0, json.loads(json.dumps(new_markdown_cell(own))))
    made["cells"] += [cell("why", why, 5, words=True, **BY_HAND)] if kept else []
    made["cells"].append(cell("plot", plot, 5, **BY_HAND))
    return json.dumps(made).encode()


CLASS: dict[str, tuple[bytes, dict[str, float | None]]] = {  # what has 0 where blanks have
    "blank": (notebook(), {"why": 0.0, "plot": 0.0}),
    "cell gone": (notebook(kept=False), {"why": 0.0, "plot": 0.0}),
    "elsewhere": (notebook(own="To why: because."), {"why": None, "plot": None}),
    "one": (notebook("Because."), {"why": None, "plot": 0.0}),
    "unreadable": (b"no notebook", {"why": None, "plot": None}),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course with a question in words and one in code, and a class."""
    root = small.make(tmp_path / "course")
    source = root / "source" / small.NAME / f"{small.NAME}.ipynb"
    made = json.loads(notebook("### BEGIN SOLUTION\nSo.\n### END SOLUTION", "1"))
    made["cells"][-1]["source"] = "### BEGIN SOLUTION\ndraw = 1\n### END SOLUTION"
    for one, solved in zip(made["cells"][1:5:2], small.notebook()["cells"][::2], strict=True):
        one["source"] = solved["source"]
    source.write_text(json.dumps(made))
    run(root, "nbgrader", "generate_assignment", small.NAME, "--force")
    for student, (content, _) in CLASS.items():
        small.hand_in(root, student, content)
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
