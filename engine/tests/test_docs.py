"""Hold the pages of the tool to its code: its rooms, names, commands and fixtures."""

import re
from pathlib import Path

import pages
import pytest

from referee.commands import COMMANDS
from referee.judging import plugin
from referee.sandbox.wire.values import CODECS, PLAIN

ENGINE = Path(__file__).parents[1]
DOCS = ENGINE / "docs"
PAGES = [ENGINE / "README.md", *sorted(DOCS.rglob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_link_leads_to_a_file_of_the_engine(page: Path) -> None:
    """Could the engine be copied alone, with all that its pages link to?"""
    made = DOCS / "reference" / "commands.md"  # when the site is built
    for target in pages.links(page):
        assert target.exists() or target == made, target
        assert ENGINE in target.parents, target


def test_what_the_page_on_checks_names_can_be_imported() -> None:
    """Is each dotted name there?"""
    assert pages.unknown(DOCS / "checks.md", "referee") == []


def test_a_guide_names_commands_that_exist() -> None:
    """Does each command of `referee` exist that a page tells to type?"""
    text = "".join(page.read_text("utf-8") for page in PAGES)
    said = set(re.findall(r"(?m)(?:`|^    )referee ([a-z]+)", text))
    assert {"grade", "audit", "doctor"} <= said <= COMMANDS.keys()


def test_each_promise_is_held_by_tests() -> None:
    """Has each a number in the list of tests, and are the tests there?"""
    text = (DOCS / "promises.md").read_text("utf-8")
    rows = re.findall(r"(?m)^(\d+)\. (`.+`)$", text)
    assert [number for number, _ in rows] == re.findall(r"(?m)^(\d+)\. \*\*", text)
    for file, name in re.findall(r"`(.+?)::(.+?)`", "".join(tests for _, tests in rows)):
        assert f"def {name}(" in (ENGINE / "tests" / file).read_text("utf-8"), f"{file}::{name}"


def test_what_a_check_can_ask_is_all_in_the_reference() -> None:
    """Does the page name each fixture, each plain type and each value that crosses as itself?"""
    page = (DOCS / "reference" / "values.md").read_text("utf-8")
    kind = type(plugin.student)
    fixtures = [name for name, value in vars(plugin).items() if isinstance(value, kind)]
    assert [name for name in fixtures if name != "environment" and f"| `{name}" not in page] == []
    words = {*(kind.__name__ for kind in PLAIN if kind is not type(None)), *CODECS}
    assert [word for word in words if word not in page.lower()] == []
