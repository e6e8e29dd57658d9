"""Ask whether whatever takes a text of a student's needs no time that grows with its square.

Each way through the rooms that read, mark and show what students wrote is in `WAYS`.
"""

import json
import random
import time
from collections.abc import Callable, Iterable
from typing import Any

import nbformat
import notebooks
import pytest
import reports
from nbformat.v4 import new_code_cell, new_notebook, new_raw_cell
from traitlets.config import Config

from referee import intake
from referee.intake import HandedIn, Intake, folder
from referee.intake.file import PICTURES
from referee.marks import autograded, feedback, marking, mathml
from referee.marks.feedback_page import FeedbackExporter
from referee.model import (
    CellMark,
    CellRun,
    CheckResult,
    Example,
    Explanation,
    Judged,
    Misconception,
    Output,
    Report,
    Verdict,
)
from referee.report import similar
from referee.sandbox.inside.shell import TEXTS

LONG, SHORT = 64 * 1024, 8 * 1024
MOST, NOISE = 4, 0.2  # CPU seconds, for a long text
PAIRS = 40
SLOW_ONCE = {
    "handed in": ["<<<<<<< a\n"],
    "written": ["\n", "\u2028", "\\begin{a}", "\\\\[", "[", ">", "](```"],
    "code": ["\n ", "*", "x."],
    "alike": ["\n "],
    "formulas": ["\\[", "\\(", "<"],
    "shown: text/html": ["\\", "<div>", "<g></x>"],
    "shown: text/latex": ["\\"],
}
TOKENS = [
    "\\", "\\\\[", "\\[", "\\(", "$", "$$", "$a$", "`", "```", "```a\n", "~", "~~~\n", "<", ">",
    "<a ", "<a>", "</a>", "<b>", "<b>a</b>", "<p>", "<svg>", "<g ", "<g/>", "<div>", "<div/>",
    "<table>", "<ul><li>", "<tr><td>", "<!--", "-->", "<![CDATA[", "<?", "<!", "&", "&amp;", "&#",
    "[", "![", "](", "]", "[a](", "[a]: b\n", "[^a]", "[^a]: b\n", "*", "**", "*a", "_", "|", "|-",
    "a|b\n-|-\n", "- ", "> ", "# a\n", "1. ", "\n ", "\n\n", "\n", "\r\n", "\r", " ", "\t", '"',
    "'", "'''", '"""', "(", ")", "[[", "{", "}", "{{", "\\begin{", "\\end{", "\\begin{a}", "\0",
    "e\u0301", "\u0301", "\U0001f468\u200d", "\u2028", "\xa0", "data:", 'style="', "style=a:b;",
    "def f(", "def f():\n  a=1\n", "class A:\n ", "lambda:", "a=", "a", "A", "if x:\n ", "@",
    'f"{', "f'{x}'", "\\\n", "await ", "%", "!", "?", "not ", "-", "x[", "x.", "a,", "==", "0",
    "0.", "1e", "a if b else ", "url(", "\x1b[", "\x1b[31m", "http://a ", "a@b", "<http://", "^",
    "\\frac{", "\\left(", "\\href{", "x^", "\\sqrt", "===", "---\n", "\u00e9", "#", ";", ":",
    "<<<<<<< a\n", "<<<<<<< a\n=======\n",
]  # fmt: skip


def release() -> nbformat.NotebookNode:
    """Return a notebook with an answer in code, one in words, and a test."""
    answer = {"solution": True, "locked": False}
    cells = [notebooks.cell("f", "def f(): ..."), notebooks.cell("test_f", "f()", 1)]
    cells.append(notebooks.cell("words", "Words.", 1, words=True, **answer))
    return nbformat.from_dict(notebooks.notebook(*cells))


def handed_in(text: str) -> Any:
    """Take a notebook in which half a text stands in whole, split, changed and other cells."""
    text = text[: len(text) // 2]
    notebook = release()
    notebook.cells[0].source = f"def f():\n {text}"
    notebook.cells[1].source = text
    notebook.cells[2].source = text
    notebook.cells[2]["attachments"] = {"a": {"image/png": text}}
    half = len(text) // 2
    rest = [new_code_cell(f" {text[:half]}"), new_code_cell(f" {text[half:]}"), new_raw_cell(text)]
    notebook.cells[1:1] = rest
    notebook.cells += [notebook.cells[0], new_code_cell(f"def f():\n {text}")]
    contents = [text.encode("utf-8", "replace"), json.dumps(notebook).encode()]
    for cell in notebook.cells:
        cell.metadata = {}
    contents.insert(1, json.dumps(notebook).encode())
    files = dict(zip("cba", contents, strict=True))
    accepted = folder.choose(HandedIn(files, text, text), "a", release())
    assert accepted is not None
    return [folder.shown(text), accepted.cells, intake.parse(contents[1])]


def report(text: str) -> Report:
    """Return a report whose check, explanation and repairs say a text."""
    check = CheckResult("a.py::test_a", "f", text, Verdict.WRONG, 0, 1, text, text)
    passed = CheckResult("a.py::test_b", "f", "b", Verdict.PASS, 1, 1, "")
    idea = Misconception("a", text, text, text, text)
    explanation = Explanation("f", idea, Example(text, text, "<svg/>", text))
    mark = CellMark("test_f", "f", 0.5, 1, needs_manual_grade=False)
    return reports.report(
        cells=[mark], checks=[check, passed], repairs=[text], failures=[text],
        explanations=[explanation],
    )  # fmt: skip


OUTPUTS: dict[str, Callable[[str], list[Output]]] = {
    "streams": lambda text: [
        Output("stdout", text),
        Output("error", text, {"name": "E"}, [text]),
        Output("display_data", text),
    ],
    "pictures": lambda text: [Output("display_data", "", dict.fromkeys(PICTURES, text))],
    **{
        kind: lambda text, kind=kind: [Output("display_data", text, {kind: text})] for kind in TEXTS
    },
    "a formula": lambda text: html(f"<p>$a$ \\[{text}\\]</p>"),
    "attributes": lambda text: html(f'<p style="{text}" class="{text}">a</p>'),
    "addresses": lambda text: html(f'<img src="{text}"><a href="{text}">b</a>'),
    "a path": lambda text: [
        Output("execute_result", "", {"image/svg+xml": f'<svg><path d="{text}"/>{text}</svg>'})
    ],
}


def html(text: str) -> list[Output]:
    return [Output("display_data", "", {"text/html": text})]


def marked(outputs: list[Output], text: str = "", raw: str = "") -> Any:
    """Return the marked notebook of a cell with some outputs, and of texts in Markdown and raw."""
    notebook = release()
    notebook.cells[2].source = text
    notebook.cells[2]["attachments"] = {"a": {"image/png": text}}
    notebook.cells.append(new_raw_cell(raw))
    accepted, judged = Intake(notebook, []), Judged(runs=[CellRun(outputs, text)])
    autograded.answers(notebook)
    return autograded.make(accepted, judged, report("a"))


def exported(cells: list[Any]) -> str:
    told = {"notebook": "a", "score": 0, "max_score": 0}
    notebook = new_notebook(cells=cells)
    return str(
        FeedbackExporter(config=Config()).from_notebook_node(notebook, {"nbgrader": told})[0]
    )


def shown(make: Callable[[str], list[Output]]) -> Callable[[str], Any]:
    """Return a function that marks a notebook with outputs, and makes the page of feedback."""
    return lambda text: exported(marking.runs(marked(make(text)).cells)[0])


WAYS: dict[str, Callable[[str], Any]] = {
    "handed in": handed_in,
    "written": lambda text: exported(marked([], text).cells),
    "written raw": lambda text: exported(marked([], raw=text).cells),
    "code": lambda text: exported([new_code_cell(text[: marking.LONGEST])]),
    "much code": lambda text: exported([new_code_cell(text)]),
    "alike": lambda text: similar.pairs({"a": [text], "b": [text]}, {"c": ["x = 1"]}),
    "formulas": mathml.in_html,
    "explained": lambda text: (
        feedback.as_text(report(text), report(text).cells[0])
        + feedback.as_html(report(text), report(text).cells[0])
        + feedback.as_code(text)
    ),
    **{f"shown: {name}": shown(make) for name, make in OUTPUTS.items()},
}


def seconds(way: Callable[[str], Any], text: str) -> float:
    """Return the CPU seconds that one way takes for a text."""
    start = time.thread_time()
    way(text)
    return time.thread_time() - start


def slow(way: Callable[[str], Any], tokens: Iterable[str]) -> list[tuple[str, float, float]]:
    """Return the tokens that, repeated, take too long, with the times of a short and long text.

    They do so each time of three: a core that is shared with others is slower now and then.
    """
    way("a")  # what it loads when it is first called
    found = []
    for token in tokens:
        for _ in range(3):
            short, long = (seconds(way, (token * length)[:length]) for length in (SHORT, LONG))
            if long <= min(MOST, 3 * short * LONG / SHORT + NOISE):
                break
        else:
            found.append((token, short, long))
    return found


@pytest.mark.parametrize("name", SLOW_ONCE)
def test_no_text_takes_a_time_that_grows_with_its_square(name: str) -> None:
    """Is each way done in time with the texts for which it once was not?"""
    assert slow(WAYS[name], SLOW_ONCE[name]) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", WAYS)
def test_no_repeated_token_takes_a_time_that_grows_with_its_square(name: str) -> None:
    """Is each way done in time with each token, and with pairs that are drawn?"""
    chance = random.Random(name)
    tokens = [*TOKENS, *("".join(chance.sample(TOKENS, 2)) for _ in range(PAIRS))]
    assert slow(WAYS[name], tokens) == []
