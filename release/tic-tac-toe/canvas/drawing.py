"""Draw trees and plain shapes as SVG, and as text, and show them in a notebook.

A `Picture` is a list of shapes with words for those who cannot see it. Notebooks, feedback and
lessons draw with this. No rules of a game and no search are in here. It needs only Python itself.
Where there is a kernel a picture is HTML, which loads nothing and needs none later: `steps.js`
shows pictures in turn, with buttons that it makes, and without scripts one picture is shown.

Sizes are pixels; x grows to the right and y downwards. Nothing is told by colour alone, and the
colours are those of Okabe and Ito, which colour-blind people can tell apart. A picture brings a
light panel of its own, so that it looks the same on a dark page.
"""

import json
import sys
import zlib
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, Literal, NamedTuple

INK, QUIET, FAINT, PANEL = "#22262b", "#6b7480", "#c9d0d8", "#fbfaf7"
BLUE, ORANGE, GREEN, YELLOW = "#0072b2", "#d55e00", "#009e73", "#f0e442"
FONT = "system-ui, 'DejaVu Sans', Arial, sans-serif"
LINE = 34  # the height of the title above a picture, and of the words below it
SCRIPT = Path(__file__).with_name("steps.js")


class Picture(NamedTuple):
    """Shapes as SVG, from the lowest to the topmost, and the same as text."""

    width: float
    height: float
    shapes: Sequence[str]
    text: str


def svg(picture: Picture, title: str, caption: str = "") -> str:
    """Return a picture as SVG, below its title and above a caption, with words for screen readers.

    Words that a reader hears are the title and, as the description, the picture as text.
    """
    width = max(picture.width, 8 * len(caption) + 24, 9 * len(title) + 24)
    height = picture.height + (2 * LINE if caption else LINE)
    size = f'width="{width:g}" height="{height:g}"'
    words = label(width / 2, 23, title, 15, bold=True)
    if caption:
        words += label(width / 2, height - 13, caption)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}" text-anchor="middle">'
        f"<title>{escape(title)}</title><desc>{escape(picture.text)}\n{escape(caption)}</desc>"
        f'<rect {size} rx="8" fill="{PANEL}"/>'
        f'<g transform="translate({(width - picture.width) / 2:g} {LINE})">'
        f"{''.join(picture.shapes)}</g>{words}</svg>"
    )


def shape(kind: str, words: str = "", /, **looks: str | float) -> str:
    """Return an SVG element, such as shape("line", x1=0, y1=0, x2=9, y2=9, stroke=INK)."""
    attributes = "".join(
        f' {name.replace("_", "-")}="{look if isinstance(look, str) else f"{round(look, 1):g}"}"'
        for name, look in looks.items()
    )
    return f"<{kind}{attributes}>{escape(words)}</{kind}>" if words else f"<{kind}{attributes}/>"


def label(
    x: float, y: float, words: str, size: float = 13, fill: str = INK, bold: bool = False,
    anchor: str = "middle",
) -> str:  # fmt: skip
    """Return a line of words on the base line y; x is its "start", its "middle" or its "end".

    Return "" if there are no words.
    """
    if not words:
        return ""
    looks = {"font_weight": "bold"} if bold else {}
    if anchor != "middle":
        looks["text_anchor"] = anchor
    return shape("text", words, x=x, y=y, font_size=size, fill=fill, **looks)


# --- trees -----------------------------------------------------------------------------------
#
# A triangle that points up is a state in which the player moves for whom the values are, one that
# points down is the opponent's, a square is a leaf. What is not visited is dashed or grey.

LEFT, TOP, LEVEL = 52, 30, 84  # room for the names of the players; height of a ply
HIGH = 15  # half the height of a node
DIGIT, LETTER = 7.8, 7  # the width of a character of a value, and of other words
BOUNDS = ("≤", "≥")  # before a value that is not exact


Unseen = Literal["", "pruned", "not looked at"]  # skipped for good, or up to now


class Node(NamedTuple):
    """A state in a tree, as it is drawn; what is empty is left out."""

    name: str = ""
    mover: str = ""  # who is to move, or "" if the game is over
    value: str = ""
    children: Sequence["Node"] = ()
    unseen: Unseen = ""
    move: str = ""  # beside the line that leads here
    chosen: bool = False
    current: bool = False
    notes: Sequence[str] = ()  # at its side, if children are drawn: alpha and beta

    @property
    def ends(self) -> int:
        """Return how many leaves are drawn below it, or 1 for a leaf."""
        return sum(child.ends for child in self.children) or 1

    @property
    def wide(self) -> float:
        """Return half the width of the triangle or the square, in pixels."""
        number = DIGIT * len(self.value)
        return max(17, 0.8 * number) if self.mover else max(15, number / 2 + 3)

    @property
    def room(self) -> float:
        """Return the width that it needs with all its words, in pixels."""
        if self.children:
            return 2 * (self.wide + 4 + LETTER * max(map(len, [self.name, *self.notes])))
        return max(2 * self.wide, LETTER * len(self.name)) + 6


def tree_picture(root: Node, slot: float = 0) -> Picture:
    """Draw a tree as the player sees it who moves at the root.

    `slot` is the width for a leaf; by default what is needed for all words.
    """
    slot = slot or slot_for(root)
    shapes, level, y = _tree(root, slot, LEFT, TOP, root.mover), [root], TOP
    while level:
        mover = next((node.mover for node in level if node.mover), "")
        shapes.append(label(8, y + 5, mover, 12, QUIET, bold=True, anchor="start"))
        level, y = [child for node in level for child in node.children], y + LEVEL
    size = LEFT + slot * root.ends + 12, y - LEVEL + 52
    return Picture(*size, shapes, tree_text(root))


def slot_for(root: Node) -> float:
    """Return the width for a leaf with which no two words of a tree meet."""
    return max([root.room / root.ends, *map(slot_for, root.children)])


def tree_text(root: Node, depth: int = 0) -> str:
    """Return a tree as a list, children below their parents and further in."""
    value = root.value if root.value.startswith(BOUNDS) else root.value and f"= {root.value}"
    parts = [
        root.move and f"{root.move}:", root.name, root.mover and f"({root.mover})", value,
        root.unseen, "<- chosen" if root.chosen else "",
    ]  # fmt: skip
    children = (tree_text(child, depth + 1) for child in root.children)
    return "\n".join(["  " * depth + (" ".join(filter(None, parts)) or "root"), *children])


def _tree(
    node: Node, slot: float, left: float, y: float, player: str, above: float | None = None
) -> list[str]:
    """Draw a tree from `left` on, where leaves stand side by side and parents in the middle above.

    Triangles of `player` point up. `above` is the x of the parent, from which a line leads here.
    """
    x, wide, seen = left + slot * node.ends / 2, node.wide, not node.unseen
    dashes = {"stroke_dasharray": "5 4"} if node.unseen == "pruned" else {}
    shapes = []
    if above is not None:
        colour, width = (GREEN, 4) if node.chosen else (INK if seen else QUIET, 1.5)
        ends = {"x1": above, "y1": y - LEVEL + HIGH, "x2": x, "y2": y - HIGH}
        shapes.append(shape("line", **ends, stroke=colour, stroke_width=width, **dashes))
        at, anchor = ((above + x) / 2 - 8, "end") if x < above else ((above + x) / 2 + 8, "start")
        shapes.append(label(at, y - LEVEL / 2, node.move, 13, QUIET, anchor=anchor))
    if node.mover:
        tip = -HIGH if node.mover == player else HIGH
        corners = [(x, y + tip), (x + wide, y - tip), (x - wide, y - tip)]
        colour, low = (BLUE, 9) if node.mover == player else (ORANGE, 1)
    else:
        corners = [(x + i * wide, y + j * HIGH) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        colour, low = INK, 5
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    fill, edge = YELLOW if node.current else PANEL, colour if seen else FAINT
    shapes.append(shape("polygon", points=points, fill=fill, stroke=edge, stroke_width=2, **dashes))
    shapes.append(label(x, y + low, node.value, 13, INK if seen else QUIET, bold=seen))
    if node.children:
        shapes.append(label(x - wide - 4, y - 6, node.name, 11, QUIET, anchor="end"))
        for down, note in enumerate(node.notes):
            shapes.append(label(x + wide + 4, y - 4 + 14 * down, note, 11, anchor="start"))
    else:
        shapes.append(label(x, y + HIGH + 15, node.name, 11, QUIET))
    for child in node.children:
        shapes += _tree(child, slot, left, y + LEVEL, player, x)
        left += slot * child.ends
    return shapes


# --- in a notebook ---------------------------------------------------------------------------


def steps(still: str, pictures: Sequence[str], words: Sequence[str]) -> str:
    """Return HTML that shows the first of the pictures, with words for each, and steps to others.

    `still`, also HTML, is shown until the script runs, or always if it does not. Pictures below 32
    KiB cost little each if they are much like the one before.
    """
    data = json.dumps({"pictures": pictures, "words": words}, ensure_ascii=False)
    archive = b64encode(zlib.compress(data.encode(), 9)).decode()
    script = SCRIPT.read_text("utf-8")
    return f'<div data-steps="{archive}">{still}<script>\n{script}</script></div>'


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
        """Return the picture as an image, which pages show that do not trust a notebook."""
        data = b64encode(self.svg().encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(str(self))}">'

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
