"""Show pictures in a notebook: as HTML where there is a kernel, else as SVG and as text."""

import sys
from abc import ABC, abstractmethod
from html import escape
from typing import Any

from .drawing import Picture, svg
from .steps import image


def has_kernel() -> bool:
    """Return whether somebody may be looking."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
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
        """Return the picture as HTML that needs no kernel and no script."""
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
