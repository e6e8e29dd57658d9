"""Put a sequence of pictures into HTML that needs no kernel and loads nothing.

It holds the first picture and the changes from each to the next; `steps.js` shows them in turn and
makes its own buttons. Without scripts one picture is shown. Knows nothing of the pictures' content.
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
    """Return HTML that shows one of the pictures, with words for each, and steps to the others.

    `still`, also HTML, is shown until the script runs, or always if it does not.
    """
    cut = [PIECES.split(picture) for picture in pictures]
    changes = [_change(old, new) for old, new in pairwise(cut)]
    data = {"pieces": cut[0], "changes": changes, "words": words, "start": start}
    packed = _base64(zlib.compress(json.dumps(data).encode(), 9))
    script = SCRIPT.read_text("utf-8")
    return f'<div data-steps="{packed}">{still}<script>\n{script}</script></div>'


def _change(old: list[str], new: list[str]) -> list[list[Any]]:
    """Return changes as (index, number of pieces to remove, new pieces), the last index first."""
    same = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        [first, last - first, *new[start:end]]
        for kind, first, last, start, end in reversed(same)
        if kind != "equal"
    ]


def _base64(data: bytes) -> str:
    return b64encode(data).decode("ascii")
