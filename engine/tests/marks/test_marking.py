"""Ask whether the items of a mark scheme are found, and nothing else is made of a notebook."""

from typing import Any

import nbformat
import nim_course
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from referee.marks import marking

SCHEME = """\
How fast does it grow?

=== BEGIN MARK SCHEME ===

**Growth, 3 points.** (2) The factor is `b`, or <about> 7.
It is said. (1) A reason.

- (0.5) Plain words, as in f(1) and (0, 1).
- (99) More than there is.

Nothing here. **Model answer.** By seven.

=== END MARK SCHEME ===
"""
PAGE: Any = {"resources": {}}  # of no course


def task(source: str = SCHEME, points: float = 4) -> nbformat.NotebookNode:
    """Return a question that a human marks."""
    data = {"grade_id": "essay", "task": True, "locked": True, "points": points}
    return new_markdown_cell(source, metadata={"nbgrader": data})


def test_items_stand_under_their_headings():
    """Are points and sentence of each found, and what is worth more than the cell left out?"""
    assert marking.items(SCHEME, 4) == [
        (
            "Growth, 3 points",
            [
                (2, "The factor is `b`, or <about> 7. It is said."),
                (1, "A reason."),
                (0.5, "Plain words, as in f(1) and (0, 1)."),
            ],
        )
    ]


def test_what_was_written_below_a_task_stands_with_it():
    """Does a run end where the course's next cell begins?"""
    given = new_markdown_cell("On.", metadata={"nbgrader": {"locked": True, "task": False}})
    own, code = new_markdown_cell("By seven."), new_code_cell("7")
    runs = marking.questions(PAGE, [own, task(), own, code, given, own])
    assert [len(run) for run in runs] == [1, 3, 1, 1]
    assert runs[1][1:] == [own, code]


def test_the_scheme_is_folded_and_its_items_are_buttons():
    """Is nothing in a sentence taken for HTML, and the notebook left as it was?"""
    cell = task()
    ((shown,),) = marking.questions(PAGE, [cell])
    folded, _, listed = shown.source.rpartition("</details>")
    assert folded.count("<details") == 2 and "open" not in folded
    assert "Model answer" in folded and "MARK SCHEME" not in folded
    assert listed.count("<button") == 3 and "&lt;about&gt;" in listed and "<about>" not in listed
    assert 'data-line="- 0.5 points: Plain words' in listed
    assert "\n\n" not in listed.strip()  # else Markdown would begin again
    assert cell.source == SCHEME


def test_a_question_without_items_is_open():
    """Can one read it when there is nothing to press, and has a scheme of a student's no items?"""
    own = new_markdown_cell(SCHEME)
    ((shown, below),) = marking.questions(PAGE, [task("How fast?"), own])
    assert shown.source.startswith('<details class="folded" open>')
    assert "How fast?" in shown.source and "items" not in shown.source
    assert below == own


def test_formgraders_pages_have_the_items_of_the_source_now(monkeypatch):
    """Has a notebook that was graded before the scheme was changed the buttons of today?

    And no page that is not formgrader's, but has its configuration.
    """
    monkeypatch.chdir(nim_course.ROOT)
    exporter = HTMLExporter(template_file=marking.TEMPLATE, filters=marking.FILTERS)
    own, told = new_notebook(cells=[task()]), {"submission_id": "1"}
    nim = nim_course.RELEASE, told | {"assignment_id": "nim", "notebook_id": "nim"}
    pages = [
        exporter.from_notebook_node(notebook, resources=resources)[0]
        for notebook, resources in ((own, {}), (own, told), nim)  # whose release has no scheme
    ]
    assert ['class="items"' in page for page in pages] == [False, True, True]
    assert pages[2].count("data-item=") == 3 and "makes both piles equal" in pages[2]
