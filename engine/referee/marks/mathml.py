"""Write the formulas of a page as MathML, which browsers show by themselves.

A formula that cannot be read stays as it was typed. What comes from a student is made safe before;
of the MathML only elements and their sizes are kept, no links and no colours.
"""

import re
from html import unescape
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element

LONGEST = 2_000  # characters of a formula
# No formula begins within another one: so what follows a beginning is looked through once.
INSIDE = r"(?:[^\\]|\\(?![][()]).)++"
FORMULA = re.compile(
    rf"\$\$(?P<dollars>[^$]+)\$\$|(?<!\\)\\\[(?P<brackets>{INSIDE})\\\]"
    rf"|(?<!\\)\\\((?P<round>{INSIDE})\\\)"
    r"|(?<![\\\w$])\$(?P<inline>[^$\s](?:[^$]*[^$\s\\])?)\$(?![\d$])",
    re.DOTALL,
)
TAG = re.compile(r"(<[^>]*(?:>|\Z))")
AS_TYPED = ("pre", "code")
ATTRIBUTES = {
    "accent", "columnalign", "columnspacing", "depth", "display", "displaystyle", "fence", "form",
    "height", "largeop", "linethickness", "lspace", "mathvariant", "maxsize", "minsize",
    "movablelimits", "rowspacing", "rspace", "scriptlevel", "separator", "stretchy", "voffset",
    "width",
}  # fmt: skip


def in_html(html: str) -> str:
    """Return HTML with the formulas in its texts as MathML, but for what is code."""
    parts, within = TAG.split(html), 0
    for i, part in enumerate(parts):
        if i % 2:
            name = part.strip("</>").partition(" ")[0].lower()
            within += (name in AS_TYPED) * (-1 if part.startswith("</") else 1)
        elif within <= 0:
            parts[i] = FORMULA.sub(_mathml, part)
    return "".join(parts)


def _mathml(match: re.Match[str]) -> str:
    kind, text = next((k, t) for k, t in match.groupdict().items() if t is not None)
    latex = unescape(text)
    display = "block" if kind in ("dollars", "brackets") else "inline"
    try:
        if len(latex) > LONGEST:
            return match[0]
        element = convert_to_element(latex, display=display)
    except Exception:  # what it cannot read it tells in many ways
        return match[0]
    for node in element.iter():
        node.text = unescape(node.text or "")  # it writes signs as entities
        for name in node.attrib.keys() - ATTRIBUTES:
            del node.attrib[name]
    element.set("alttext", latex.strip())
    return ElementTree.tostring(element, encoding="unicode")
