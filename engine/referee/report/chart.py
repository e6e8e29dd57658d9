"""Draw the distribution of a class's marks, as SVG that fits into any page, light or dark.

Knows numbers and no students. Imports matplotlib, which takes a while to load.
"""

import io
import re
from collections.abc import Sequence
from html import escape
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure

WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
INK, BAR = "#010203", "#040506"  # stand for colours that the page knows
COLOURS = {INK: "currentColor", BAR: "var(--bar)"}
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 8,
    "text.color": INK, "axes.edgecolor": INK, "xtick.color": INK, "axes.labelcolor": INK,
    "axes.spines.left": False, "axes.spines.top": False, "axes.spines.right": False,
}  # fmt: skip
LEFT_OUT = re.compile(r'(?<=<g) id="[^"]*"|<style.*?</style>', re.DOTALL)  # would be of the page
NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))
HEADROOM = 1.15


class Bin(NamedTuple):
    """A range of marks, and how many students are in it."""

    label: str
    students: int


def bins(scores: Sequence[float], most: float, limit: int) -> list[Bin]:
    """Sort marks into at most `limit` ranges, and full marks into one of their own.

    >>> bins([0, 5, 20], 20, 2)
    [Bin(label='0–9', students=2), Bin(label='10–19', students=0), Bin(label='20', students=1)]
    """
    if most <= 0:
        return []
    width = next((w for w in WIDTHS if most <= w * limit), most / limit)
    whole = all(float(value).is_integer() for value in (*scores, width))
    ranges = []
    low = 0.0
    while low < most:
        high = min(low + width, most)
        last = high - (1 if whole else 0.1)
        label = f"{low:g}" if last <= low else f"{low:g}–{last:g}"
        ranges.append(Bin(label, sum(low <= score < high for score in scores)))
        low = high
    return [*ranges, Bin(f"{most:g}", sum(score >= most for score in scores))]


def histogram(name: str, what: str, ranges: Sequence[Bin], inches: tuple[float, float]) -> str:
    """Return bars as an SVG element; `name` sets its ids apart, `what` is its title."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=inches, layout="constrained")
        axes = figure.add_subplot()
        counts = [one.students for one in ranges]
        bars = axes.bar(range(len(ranges)), counts, color=BAR, width=0.86)
        axes.bar_label(bars, [str(count or "") for count in counts], padding=2)
        axes.set_ylim(0, HEADROOM * max(1, *counts))
        axes.set_xticks(range(len(ranges)), [one.label for one in ranges])
        axes.tick_params(length=0)
        axes.set_yticks([])
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata=NO_METADATA)
    words = ", ".join(f"{one.label} points: {one.students}" for one in ranges)
    return _for_a_page(file.getvalue(), name, what, f"Students by points. {words}.")


def _for_a_page(svg: str, name: str, title: str, description: str) -> str:
    """Return a drawing with its name and description, without what only a file of its own needs."""
    for colour, meant in COLOURS.items():
        svg = svg.replace(colour, meant)
    head, _, body = LEFT_OUT.sub("", svg[svg.index("<svg") :]).partition(">")
    ids = f"{name}-title {name}-desc"
    return (
        f'{head} role="img" aria-labelledby="{ids}">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(description)}</desc>{body}'
    )
