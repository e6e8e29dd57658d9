"""Put pictures that follow each other into HTML that needs no kernel and asks for nothing.

What is kept is the first picture and what changes from each to the next; `steps.js` walks through
them and makes its own buttons. Where no script runs, one picture stands alone. Here is nothing
about what the pictures show.
"""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("steps.js")
PIECES = re.compile(r"(?<=/>)|(?<=</text>)|(?<=\n)")  # where a drawing is cut: after each shape


def image(svg: str, words: str) -> str:
    """Return a drawing as an image, which pages show that do not trust a notebook."""
    return f'<img src="data:image/svg+xml;base64,{_base64(svg.encode())}" alt="{escape(words)}">'


def html(still: str, pictures: Sequence[str], words: Sequence[str], start: int) -> str:
    """Return HTML that shows one of the pictures, with words for each, and walks to the others.

    `still`, HTML too, stands there until the script runs, and for good if it does not.
    """
    cut = [PIECES.split(picture) for picture in pictures]
    changes = [_change(old, new) for old, new in pairwise(cut)]
    data = {"pieces": cut[0], "changes": changes, "words": words, "start": start}
    packed = _base64(zlib.compress(json.dumps(data).encode(), 9))
    script = SCRIPT.read_text("utf-8")
    return f'<div data-steps="{packed}">{still}<script>\n{script}</script></div>'


def _change(old: list[str], new: list[str]) -> list[list[Any]]:
    """Return where pieces are taken out, how many, and what comes there; the last place first."""
    same = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        [first, last - first, *new[start:end]]
        for kind, first, last, start, end in reversed(same)
        if kind != "equal"
    ]


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")
