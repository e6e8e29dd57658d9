"""Make what students wrote safe to look at: HTML, SVG and Markdown that run and load nothing.

What is left of a student's page is text, tables, drawings, links that are followed when somebody
clicks, and pictures that are part of the page. Everything not listed here is taken out. Formulas
stay.
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Mapping
from html import escape
from typing import Any
from xml.etree import ElementTree

import nh3
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

LONGEST = 20_000  # characters of a cell; some texts take a time that grows with their square
MOST = 200_000  # characters of all cells of a notebook
DEEPEST = 100  # elements in each other: a parser walks up through all of them, for each tag
PLACES = 200  # in a text from which the parser of Markdown looks through the rest
PICTURES = ("image/png", "image/jpeg", "image/gif")
LAID_OUT = ("text/html", "text/markdown", "text/latex", "image/svg+xml")


def _words(text: str) -> set[str]:
    return set(text.split())


SVG_TAGS = _words("svg g path rect circle ellipse line polyline polygon text tspan")
TAGS = SVG_TAGS | _words(
    "a abbr b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img "
    "ins kbd li ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead "
    "tr tt u ul var"
)
SINGLE = _words(  # these have no end, or need none: none of them stands in another of its kind
    "br col dd dt hr img input li option p tbody td tfoot th thead tr wbr"
)
DROPPED_WHOLE = _words("script style title desc template noscript iframe object embed math")
DRAWING = _words(
    "x y x1 y1 x2 y2 dx dy cx cy r rx ry d points width height transform viewBox xmlns fill "
    "fill-opacity fill-rule opacity stroke stroke-width stroke-dasharray stroke-linecap "
    "stroke-linejoin stroke-opacity font-family font-size font-style font-weight text-anchor"
)
ATTRIBUTES = dict.fromkeys(SVG_TAGS, DRAWING) | {
    "*": {"style", "title"},
    "a": {"href"},
    "div": {"class"},
    "img": {"src", "alt", "width", "height"},
    "ol": {"start", "type"},
    "span": {"class"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align"},
}
STYLES = _words(
    "background-color border border-collapse color font-family font-style font-weight padding "
    "text-align text-decoration vertical-align white-space"
)
LINK = re.compile(r"(https?://|mailto:|#)", re.IGNORECASE)
PICTURE = re.compile(rf"data:({'|'.join(PICTURES)});base64,[A-Za-z0-9+/]+={{0,2}}")
LOADS = re.compile(r"url|image|import|expression|\\|/\*", re.IGNORECASE)
COLOURED_CODE = re.compile(r"highlight|[a-z][a-z0-9]?")  # the classes of Pygments
MORE_THAN_A_FORMULA = (
    "href|style|class|cssId|require|data|mmlToken|bbox|texttip|mathtip|toggle|includegraphics|unicode|"
    "csname|def|let|newcommand|renewcommand|newenvironment|renewenvironment|Rule|Space"
)
# All backslashes: one would leave one. A long row of them is looked at once.
TEX = re.compile(rf"(?<!\\)\\++(?=(?:{MORE_THAN_A_FORMULA})(?![A-Za-z]))")
COLOUR = re.compile(r"#[0-9a-f]{3,8}\b|(?:rgb|hsl)a?\([^()]*\)", re.IGNORECASE)
NUMBER = re.compile(r"(\d*\.?\d+(?:e[+-]?\d+)?)([a-z%]*)", re.IGNORECASE)
LARGEST = {"px": 20.0, "pt": 15.0, "em": 2.0, "rem": 2.0, "ex": 4.0}  # of a padding or a border
FORMULA = re.compile(r"\\begin\{|\\\\[\[(]")  # of nbconvert's Markdown, where it begins
TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)[^<>]*>", re.IGNORECASE)
EMPTY_LINE = re.compile(r"\n(?=[^\S\n]*\n)")
LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029\u2424]")


def html(text: str) -> str:
    """Return HTML without anything that runs, loads, asks or covers.

    It is shown as it was typed if too many of its elements stand in each other.
    """
    text = LINE_ENDS.sub("\n", text)
    clean = nh3.clean(
        escape(text) if _is_deep(text) else text,
        tags=TAGS,
        clean_content_tags=DROPPED_WHOLE,
        attributes=ATTRIBUTES,
        attribute_filter=_attribute,
        filter_style_properties=STYLES,
        url_schemes={"http", "https", "mailto", "data"},
    )
    return latex(clean)


def svg(text: str) -> str | None:
    """Return a drawing of the allowed shapes only, or None if it is not one drawing."""
    clean = html(text[text.find("<svg") :]).strip().replace("&nbsp;", "&#160;")
    if " xmlns=" not in clean.partition(">")[0]:
        clean = clean.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    try:
        root = ElementTree.fromstring(clean)
    except ElementTree.ParseError:
        return None
    return clean if root.tag == "{http://www.w3.org/2000/svg}svg" else None


def latex(text: str) -> str:
    """Return text whose formulas are formulas: no links, styles or packages in them."""
    return TEX.sub("", text)


def cell(kind: str, text: str, attachments: Mapping[str, Mapping[str, str]], *, typed: bool) -> str:
    """Return a cell of Markdown, or of raw text, which nbgrader shows as HTML, made safe.

    A text that is very long, or one that is to be shown as it was `typed`, is not laid out; nor is
    one with so many backslashes in a row, or beginnings of formulas, that the parser takes seconds.
    """
    slow = "\\" * PLACES in text or len(FORMULA.findall(text)) > PLACES
    if typed or slow or len(text) > LONGEST:
        return block(f"<pre>{escape(text)}</pre>")
    return html(text) if kind == "raw" else markdown(text, attachments)


def markdown(text: str, attachments: Mapping[str, Mapping[str, str]] | None = None) -> str:
    """Return Markdown that shows what `text` does: one block of safe HTML."""
    return block(html(_rendered(text, attachments or {})))


def block(clean: str) -> str:
    """Return HTML that is safe as Markdown that is the same HTML."""
    # An empty line would end the block, and what follows would be Markdown again. From each bracket
    # nbconvert's templates look for a link in all of the rest.
    lines = LINE_ENDS.sub("\n", clean.strip()).replace("[", "&#91;")
    return "<div>" + EMPTY_LINE.sub("&#10;", lines) + "</div>"


def bundle(data: Mapping[str, str], *, typed: bool = False) -> dict[str, str]:
    """Return the representations of a displayed value that are safe to show.

    What would be laid out can be shown as it was `typed`, the beginning of it.
    """
    found = {"text/plain": data.get("text/plain", "")}
    for kind in ("image/png", "image/jpeg"):
        if kind in data and is_base64(data[kind]):
            found[kind] = "".join(data[kind].split())
    if typed:
        texts = [data[kind] for kind in LAID_OUT if kind in data]
        return found | {"text/plain": (texts or [found["text/plain"]])[0][:LONGEST]}
    if "text/html" in data:
        found["text/html"] = html(data["text/html"])
    elif "text/markdown" in data:
        found["text/html"] = cell("markdown", data["text/markdown"], {}, typed=False)
    if drawing := svg(data.get("image/svg+xml", "")):
        found["image/svg+xml"] = drawing
    if "text/latex" in data:
        found["text/latex"] = latex(data["text/latex"])
    return found


def is_base64(text: Any) -> bool:
    """Return whether something is the base64 text of a file."""
    try:
        return bool(b64decode("".join(text.split()), validate=True))
    except (AttributeError, ValueError, binascii.Error):
        return False


def _rendered(text: str, attachments: Mapping[str, Mapping[str, str]]) -> str:
    renderer = _Renderer(escape=False, exclude_anchor_links=True)
    renderer.attachments = {
        name: {kind: "".join(body.split()) for kind, body in kinds.items()}
        for name, kinds in attachments.items()
        if kinds
    }
    try:
        return str(MarkdownWithMath(renderer=renderer).render(LINE_ENDS.sub("\n", text)))
    except Exception:  # a text that breaks the renderer is still an answer to read
        return f"<pre>{escape(text)}</pre>"


class _Renderer(IPythonRenderer):
    """Shows a picture that is missing by its words."""

    def image(self, text: str, url: str, title: str | None = None) -> str:
        if (
            url.startswith("attachment:")
            and url.removeprefix("attachment:") not in self.attachments
        ):
            return escape(text)
        return str(super().image(text, url, title))


def _is_deep(text: str) -> bool:
    """Return whether more elements stand in each other than in any page, as its tags tell it."""
    open_: list[str] = []
    for tag in TAG.finditer(text):
        name = tag[2].lower()
        if tag[1]:
            if open_[-1:] == [name]:
                open_.pop()
        elif name not in SINGLE and not (tag[0].endswith("/>") and "svg" in open_):
            open_.append(name)
            if len(open_) > DEEPEST:
                return True
    return False


def _attribute(tag: str, name: str, value: str) -> str | None:
    """Return the value that an attribute may have, or None to drop it."""
    if name == "href":
        return value if LINK.match(value) else None
    if name == "src":
        return value if PICTURE.fullmatch(value) else None
    if name == "class":
        return " ".join(filter(COLOURED_CODE.fullmatch, value.split())) or None
    if name in ("alt", "title", "xmlns"):
        return value
    if name == "style":
        value = ";".join(filter(_is_small, value.split(";")))
    return value if value and not LOADS.search(value) else None


def _is_small(declaration: str) -> bool:
    """Return whether a declaration of a style asks for no size that could cover what is beside."""
    name, _, value = declaration.partition(":")
    rest = COLOUR.sub("", value)
    if "(" in rest:
        return False
    largest = LARGEST | {"": 1000.0 if name.strip().lower() == "font-weight" else 0.0}
    return all(float(size) <= largest.get(unit.lower(), 0) for size, unit in NUMBER.findall(rest))
