"""Call cells whose names nobody has chosen as the heading above them says: for people only."""

import re
from collections import Counter

from nbformat import NotebookNode

from referee.intake.repair import identity

ANONYMOUS = re.compile(r"(test_)?cell-[0-9a-f]{8,}")  # as nbgrader's toolbar names a cell
FENCED = re.compile(r"(?ms)^ {0,3}(```|~~~).*?^ {0,3}\1")
HEADING = re.compile(
    r"(?m)^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$|<h[1-6][^>]*>(.*?)</h[1-6]>"
    r"|^ {0,3}[*_]{1,3}(?![\s*_])([^\n*_]*\d[^\n*_]*)[*_]{1,3}[ \t]*$"  # **Exercise 1**
)
MARKUP = re.compile(r"<[^>]*>|!?\[([^\]]*)\]\([^)]*\)|[*`]+|(?<!\w)_+|_+(?!\w)")


def headings(notebook: NotebookNode) -> dict[str, str]:
    """Return the heading above each graded cell that has a name by chance, where there is one.

    Several below one heading are numbered.
    """
    by_cell: dict[str, str] = {}
    last, counts = "", Counter[str]()
    for cell in notebook.cells:
        name, graded = identity(cell), cell.metadata.get("nbgrader", {}).get("grade")
        if cell.cell_type == "markdown" and not graded:
            texts = HEADING.findall(FENCED.sub("", cell.source))
            plain = [MARKUP.sub(r"\1", "".join(text)).strip() for text in texts]
            last = next((text for text in reversed(plain) if text), last)
        elif graded and last and name and ANONYMOUS.fullmatch(name):
            counts[last] += 1
            by_cell[name] = last if counts[last] == 1 else f"{last} ({counts[last]})"
    return by_cell


def called(name: str, headings: dict[str, str]) -> str:
    """Return how a person reads a cell: its heading with the name behind it, or the name."""
    return f"{headings[name]} ({name})" if name in headings else name
