"""Show sheets, and their answers apart, on pages of HTML to print that load and run nothing."""

from collections.abc import Sequence
from pathlib import Path

import jinja2
from markupsafe import Markup

from referee.course import Assignment
from referee.proof.viva.questions import called
from referee.proof.viva.sheet import COUNT, Sheet

TEMPLATE = "viva.html"
LONGEST = 400  # characters of a line of code that are shown


def page(assignment: Assignment, sheets: Sequence[Sheet], *, answers: bool = False) -> str:
    """Return the page of some sheets, each on paper of its own, or of their answers."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"html": Markup, "called": called, "cut": _cut}  # which was escaped
    return environment.get_template(TEMPLATE).render(
        assignment=assignment.key,
        sheets=sheets,
        answers=answers,
        most=COUNT,
    )


def _cut(line: str) -> str:
    return line[:LONGEST] + "…" * (len(line) > LONGEST)
