"""Ask whether the page of feedback begins with what matters, and its formulas run nothing."""

import re

import nbformat
import pytest
from class_records import record
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from traitlets.config import Config

from referee.marks import feedback, mathml
from referee.marks.feedback_page import FeedbackExporter

P, W = "pass", "wrong"
COMMENT = "Well *argued*, $x < y$.\n- 1 point: a reason\n\n<script>alert(1)</script>"


def part(cell: str, *verdicts: str) -> list[nbformat.NotebookNode]:
    """Return the text, the answer and the test cell of a part: for each verdict a check."""
    told = record("ada", {cell: verdicts}, len(verdicts)).report
    (mark,) = told.cells
    given = {"locked": True, "grade": False, "solution": False, "task": False}
    output = new_output(
        "display_data",
        data={"text/html": feedback.as_html(told, mark), "text/plain": ""},
        metadata={"referee": feedback.outline(told, mark)},
    )
    marked = {"grade_id": mark.grade_id, "score": mark.score, "points": mark.max_score}
    answer = given | {"locked": False, "solution": True, "grade_id": cell}
    return [
        new_markdown_cell(f"## Part {cell}\n\nAdd up, $x + y$.", metadata={"nbgrader": given}),
        new_code_cell(f"{cell} = 'answered'", metadata={"nbgrader": answer}),
        new_code_cell(
            f"check({cell!r})", outputs=[output],
            metadata={"nbgrader": given | {"grade": True} | marked},
        ),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def page() -> str:
    """Return the page of a notebook in which c has lost most, then b, and a nothing."""
    cells = [*part("a", P, P, P), *part("b", P, W, P), *part("c", W, W, W, W)]
    cells += [new_markdown_cell("My own words")]
    cells[1].metadata.nbgrader["comment"] = COMMENT
    told = {"notebook": "sums", "score": 5.0, "max_score": 10.0, "late_penalty": 1.23456}
    html, _ = FeedbackExporter(config=Config()).from_notebook_node(
        new_notebook(cells=cells), resources={"nbgrader": told}
    )
    return html


def test_the_summary_comes_first(page):
    """Is it said before all else why points were lost, and where, dearest first?"""
    summary = page[page.index("<header>") : page.index("</header>")]
    assert "5 of 10 points" in summary
    assert "1.23 points were taken off because it came late" in summary
    told = re.findall(r"<li><a href=\"#[^\"]+\">(\w)</a>: ([^<]+) \((\d) point", summary)
    assert told == [
        (cell, f"Not as asked: {cell} is right in way {n}", lost)
        for cell, n, lost in (("c", 1, "4"), ("b", 2, "1"))
    ]
    assert re.findall(r">(\w)</a></th><td>([^<]+)</td><td>([^<]+)<", summary) == [
        ("a", "3 of 3", "3 of 3"), ("b", "2 of 3", "2 of 3"), ("c", "0 of 4", "0 of 4"),
    ]  # fmt: skip


def test_what_is_right_or_given_is_folded(page):
    """Is the course's text left out, and must one unfold an answer unless it has a comment?"""
    assert "Part a" not in page and "Part c" not in page
    shown = re.sub(r"(?s)<details class=\"given\">.*?</details>", "", page)
    text = re.sub("<[^>]+>", "", shown).replace("&#39;", "'")
    assert "a = 'answered'" in text and "b = 'answered'" not in text
    assert "My own words" in text
    assert "c is right in way 4" in text


def test_the_page_loads_nothing_and_every_link_leads_somewhere(page):
    """Does no element name an address elsewhere, no script run, and no link have two places?"""
    places = re.findall(r' id="([^"]+)"', page)
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(places)
    assert len(places) == len(set(places))
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert not re.search(r"(?:src|href)=\"(?!#|data:)", page)
    assert "<math" in page and 'lang="en"' in page


def test_a_comment_is_shown_as_it_was_meant(page):
    """Are its paragraphs, lists and formulas laid out, and is nothing in it run?"""
    comment = page[page.index("Comment:") :].partition("</section>")[0]
    assert "<p>Well <em>argued</em>, <math" in comment
    assert "<li>1 point: a reason</li>" in comment
    assert "&lt;p&gt;" not in comment and "alert" not in comment


# --- formulas ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "parts"),
    [
        ("a $x &lt; y$ b", ["a <math", "&lt;", "</math> b"]),
        (r"$$\frac{1}{2}$$", ['display="block"', "<mfrac>"]),
        (r"\(a\) \[b\]", ['display="inline"', 'display="block"']),
        (r"$b^{\lceil m/2\rceil}$", ["⌈", "⌉"]),
    ],
)
def test_a_formula_becomes_mathml(html, parts):
    """Is what stood between the signs a formula that browsers show by themselves?"""
    shown = mathml.in_html(html)
    assert [part for part in parts if part not in shown] == []
    assert "$" not in shown


@pytest.mark.parametrize(
    "html",
    [
        "it costs $5 and $10", "<code>$x$</code>", "<pre>a $x$ <b>$y$</b></pre>", "$ x $",
        f"${'x' * 2_001}$", r"$\frac{$", '<b title="$x$">b</b>',
    ],
)  # fmt: skip
def test_what_is_no_formula_stays(html):
    """Are amounts, code, attributes and what cannot be read left as they are?"""
    assert mathml.in_html(html) == html


@pytest.mark.parametrize(
    "latex",
    [
        r"\href{javascript:stolen()}{x}", r"\color{url(//evil.example)}{x}",
        r"\style{background:url(//evil.example)}{x}",
        r"\text{&lt;script&gt;stolen()&lt;/script&gt;}",
        r'\class{"onclick=stolen()}{x}', "&lt;img src=x onerror=stolen()&gt;",
    ],
)  # fmt: skip
def test_a_formula_links_loads_and_runs_nothing(latex):
    """Does a formula bring elements of MathML only, and no address?"""
    shown = mathml.in_html(f"${latex}$")
    shown = shown.replace(f'alttext="{latex}"', "")
    for bad in ("<script", "<img", "href=", "style=", "color=", "class="):
        assert bad not in shown
