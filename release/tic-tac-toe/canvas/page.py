"""Show pictures in a notebook: as HTML where there is a kernel, else as SVG and as text.

HTML here needs no kernel and loads nothing: `steps.js` shows pictures in turn, with buttons that it
makes, and without scripts one picture is shown.
"""

import json
import sys
import zlib
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from .drawing import Picture, svg

SCRIPT = Path(__file__).with_name("steps.js")


def image(drawing: str, words: str) -> str:
    """Return a drawing as an image, which pages show that do not trust a notebook."""
    data = b64encode(drawing.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(words)}">'


def steps(still: str, pictures: Sequence[str], words: Sequence[str]) -> str:
    """Return HTML that shows the first of the pictures, with words for each, and steps to others.

    `still`, also HTML, is shown until the script runs, or always if it does not. Pictures below 32
    KiB cost little each if they are much like the one before.
    """
    data = json.dumps({"pictures": pictures, "words": words}, ensure_ascii=False)
    packed = b64encode(zlib.compress(data.encode(), 9)).decode()
    script = SCRIPT.read_text("utf-8")
    return f'<div data-steps="{packed}">{still}<script>\n{script}</script></div>'


def has_kernel() -> bool:
    """Return whether somebody may be looking."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


class Shown(ABC):
    """Something with a picture, a title and a line of words, that a notebook can show."""

    def __init__(self, title: str) -> None:
        """Show it as a page does if there is a kernel, else as feedback and paper do."""
        self.title, self.live = title, has_kernel()
        self.trouble = ""  # what went wrong, with details, for the reader

    @abstractmethod
    def picture(self) -> Picture:
        """Return the picture as it is now."""

    @abstractmethod
    def status(self) -> str:
        """Return the line of words for the picture as it is now."""

    def svg(self) -> str:
        """Return the picture as SVG, with title and words."""
        return svg(self.picture(), self.title, self.status())

    def html(self) -> str:
        """Return the picture as HTML."""
        return image(self.svg(), str(self))

    def __str__(self) -> str:
        """Return everything as text."""
        parts = self.title, self.picture().text, self.status(), self.trouble
        return "\n".join(filter(None, parts))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """Return it for a page if there is one, or else as a drawing; and as text."""
        if not self.live:
            return {"text/plain": str(self), "image/svg+xml": self.svg()}
        trouble = f"<pre>{escape(self.trouble)}</pre>" if self.trouble else ""
        return {"text/plain": str(self), "text/html": self.html() + trouble}
