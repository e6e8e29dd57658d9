"""Ask whether docs/sentences.md names a check for each sentence that allows no exception."""

import re
from pathlib import Path

import nbformat
import pytest

from referee import course
from referee.judging import session

ROOT = Path(__file__).parents[1]
NAMES = course.assignments(ROOT)
PAGE = (ROOT / "docs" / "sentences.md").read_text("utf-8")
STRICT = re.compile(r"(?i)\b(never|always|any|whatever)\b")
ROW = re.compile(r"(?m)^\| (\d+) \| (.+) \| (.+) \|$")
NOT_ASKED = "not asked: "


def sentences(text: str) -> list[str]:
    """Return the strict sentences of a text, each on one line, without the bars of a table."""
    parts = re.split(r"(?<=[.!?])\)?\s+|\n\s*\n|\n\s*[*|#-] |\s*\"{3}|\n\s*#+", text)
    plain = (" ".join(part.replace("|", " ").split()).lstrip("*# ") for part in parts)
    return [part for part in plain if STRICT.search(part)]


def promised(name: str) -> list[str]:
    """Return the strict sentences of a released notebook: of texts, and comments in code."""
    notebook = nbformat.read(ROOT / "release" / name / f"{name}.ipynb", as_version=4)
    found = []
    for cell in notebook.cells:
        text = cell.source
        if cell.cell_type == "code":
            text = "\n\n".join(re.findall(r'(?s)"{3}.*?"{3}|#[^\n]*', text))
        found += sentences(text)
    return found


def rows(name: str) -> list[tuple[str, str, str]]:
    """Return the number, the sentence and what asks it, of each row of an assignment's table."""
    section = PAGE.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
    return ROW.findall(section)


@pytest.mark.parametrize("name", NAMES)
def test_every_strict_sentence_has_a_row(name: str) -> None:
    """Is the table just what the notebook says, in its order, and numbered?"""
    assert [sentence for _, sentence, _ in rows(name)] == promised(name)
    assert [int(number) for number, _, _ in rows(name)] == [*range(1, len(rows(name)) + 1)]


@pytest.mark.parametrize("name", NAMES)
def test_every_row_names_a_check_or_says_why_there_is_none(name: str) -> None:
    """Is each check named as its file has it, and each reason a few words at least?"""
    told = session.markers(course.find_assignment(ROOT, name))
    checks = {check.partition("::")[2] for check in told}
    for _, sentence, asked in rows(name):
        if asked.startswith(NOT_ASKED):
            assert len(asked.split()) > 3, sentence
        else:
            named = re.findall(r"`(\w+)`", asked)
            assert named and set(named) <= checks, (sentence, asked)
