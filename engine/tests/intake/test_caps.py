"""Ask whether each cap on a notebook is told, and what is below all caps is read in time."""

import json
import time
from typing import Any

import nbformat
import pytest
from notebooks import cell, notebook, own

from referee.intake import repair
from referee.intake.file import CAPS

NAMES = "def one(): ...\ndef two(): ...\n"
RELEASE = nbformat.from_dict(notebook(cell("first", NAMES), cell("second", NAMES)))
VALUES = f"[{'[[]],' * 4_000_000}0]"  # almost 20 MB of the smallest values
PICTURED = f"See.\n\n[a.png]: <data:image/png;base64,{'A' * 500_000}>\n"


def written(*cells: dict[str, Any], **more: Any) -> bytes:
    """Return a notebook file; `VALUES` stands wherever "VALUES" does."""
    return json.dumps(notebook(*cells) | more).replace('"VALUES"', VALUES).encode()


PICTURES = {str(number): {"image/png": ""} for number in range(501)}
TOO_MUCH = {
    "bytes": lambda: b" " * (20 * 1024**2 + 1),
    "cells": lambda: written(*[{}] * 2001),
    "characters in its cells": lambda: written(own("a" * 200_000), own("a\n" * 50_001, "markdown")),
    "characters in its cells and in the pictures of its text": lambda: written(
        *[own(PICTURED, "markdown")] * 8
    ),
    "pictures": lambda: written(*[own("a", "markdown", attachments=PICTURES)] * 2),
}
MUCH = {
    "a notebook's data": lambda: written(own("x = 1"), metadata={"a": "VALUES"}),
    "a cell's data": lambda: written(own("x = 1", metadata={"a": "VALUES"})),
    "outputs": lambda: written(own("x = 1", outputs="VALUES")),
    "code": lambda: written(own(NAMES + "a," * 149_000)),
    "text like code": lambda: written(*[own(f"{NAMES}x = {'a,' * 9000}", "markdown")] * 200),
    "split code": lambda: written(own(NAMES), *[own(f" x = 1; {'a,' * 50})")] * 1900),
}


@pytest.mark.parametrize("what", CAPS)
def test_more_than_a_cap_is_refused_with_a_sentence(what: str) -> None:
    """Does it say what there is too much of, how much there may be, and what to do?"""
    refused = repair.read(TOO_MUCH[what](), RELEASE).refused or ""
    most, remedy = CAPS[what]
    assert f" {what}, more than the {most:,} that it may have; {remedy}, save it, and" in refused
    assert refused.endswith("hand it in again")


@pytest.mark.parametrize("what", MUCH)
def test_what_is_below_all_caps_is_read_in_time(what: str) -> None:
    """Does the worst that a file can hold take a few CPU seconds, and is its work taken?"""
    data = MUCH[what]()
    before = time.process_time()
    accepted = repair.read(data, RELEASE)
    assert time.process_time() - before < 15
    assert accepted.refused is None
    assert len(accepted.notebook.cells) >= len(RELEASE.cells)
