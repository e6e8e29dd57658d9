"""Make what students wrote safe to look at: HTML, SVG and Markdown that run and load nothing.

What is left of a student's page is text, tables, drawings, links that are followed when somebody
clicks, and pictures that are part of the page. Everything not listed here is taken out. Formulas
stay.
"""

import re
from collections.abc import Mapping
from html import escape
from urllib.parse import unquote
from xml.etree import ElementTree

import nh3
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from referee.intake.file import PICTURES

LONGEST = 10_000  # characters of a cell: its Markdown takes half a second, at the worst
MOST = 400_000  # characters of HTML in a notebook: of 64,000 in half a second, at the worst
MARKDOWN = 5  # a character of Markdown takes as long as so many of HTML
MOST_OPENED = 1_000_000  # elements that are open again and again: half a second, and 200 MB
GROWTH = 20  # characters of safe HTML for each that was written


def _words(text: str) -> set[str]:
    return set(text.split())


SVG_TAGS = _words("svg g path rect circle ellipse line polyline polygon text tspan")
TAGS = SVG_TAGS | _words(
    "a abbr b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i img "
    "ins kbd li ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead "
    "tr tt u ul var"
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
STYLES = _words(  # nothing that could cover what is beside it
    "background-color border-collapse color font-family font-style font-weight text-align "
    "white-space"
)
LINK = re.compile(r"(https?://|mailto:|#)", re.IGNORECASE)
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
PICTURE = re.compile(rf"data:({'|'.join(PICTURES)});base64,{BASE64.pattern}")
LOADS = re.compile(r"url|image|import|expression|\\|/\*", re.IGNORECASE)
COLOURED_CODE = re.compile(r"highlight|[a-z][a-z0-9]?")  # the classes of Pygments
MORE_THAN_A_FORMULA = (
    "href|style|class|cssId|require|data|mmlToken|bbox|texttip|mathtip|toggle|includegraphics|unicode|"
    "csname|def|let|newcommand|renewcommand|newenvironment|renewenvironment|Rule|Space"
)
# All backslashes: one would leave one. A long row of them is looked at once.
TEX = re.compile(rf"(?<!\\)\\++(?=(?:{MORE_THAN_A_FORMULA})(?![A-Za-z]))")
# What is open when a paragraph ends is open again in the next one, each with its attributes.
OPENED_AGAIN = re.compile(
    r"<(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)[\s/]", re.IGNORECASE
)
EMPTY_LINE = re.compile(r"\n(?=[^\S\n]*\n)")
LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029\u2424]")


class Room:
    """How much of a notebook may still be laid out; what is over it is shown as it was typed."""

    def __init__(self) -> None:
        """Begin with all of it."""
        self._characters = MOST

    def holds(self, text: str, kind: str = "html") -> bool:
        """Take the room of a text; return whether there was enough."""
        self._characters -= len(text) * (MARKDOWN if kind == "markdown" else 1)
        return self._characters >= 0


def html(text: str, attachments: Mapping[str, Mapping[str, str]] = {}) -> str:
    """Return HTML without anything that runs, loads, asks or covers, with the pictures of its cell.

    It is shown as it was typed if it would grow to many times its length.
    """
    text = LINE_ENDS.sub("\n", text)
    pictures = {
        name: f"data:{kind};base64,{''.join(body.split())}"
        for name, kinds in attachments.items()
        for kind, body in [*kinds.items()][:1]
    }
    # Each one twice, on average: a text may name a large one hundreds of times.
    most = 2 * sum(map(len, pictures.values()))
    if len(OPENED_AGAIN.findall(text)) * text.count("<") <= MOST_OPENED:
        clean = _clean(text, pictures, most)
        if len(clean) <= GROWTH * len(text) + most:
            return clean
    return _clean(escape(text), pictures, most)


def _clean(text: str, pictures: Mapping[str, str], room: int) -> str:
    def safe_value(tag: str, name: str, value: str) -> str | None:
        """Return the value that an attribute may have, or None to drop it."""
        nonlocal room
        if name == "href":
            return value if LINK.match(value) else None
        if name == "src":
            path = unquote(value.removeprefix("attachment:").removeprefix("./"))
            picture = pictures.get(path, "")
            room -= len(picture)
            value = picture if picture and room >= 0 else value
            return value if PICTURE.fullmatch(value) else None
        if name == "class":
            return " ".join(filter(COLOURED_CODE.fullmatch, value.split())) or None
        if name in ("alt", "title", "xmlns"):
            return value
        return value if value and not LOADS.search(value) else None

    clean = nh3.clean(
        text,
        tags=TAGS,
        clean_content_tags=DROPPED_WHOLE,
        attributes=ATTRIBUTES,
        attribute_filter=safe_value,
        filter_style_properties=STYLES,
        url_schemes={"http", "https", "mailto", "data", "attachment"},
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


def cell(kind: str, text: str, attachments: Mapping[str, Mapping[str, str]], room: Room) -> str:
    """Return a cell of Markdown, or of raw text, which nbgrader shows as HTML, made safe.

    A text that is very long, or for which there is no `room`, is shown as it was typed.
    """
    if len(text) > LONGEST or not room.holds(text, kind):
        source = escape(text)
        return block(f"<pre>{source}</pre>")
    return html(text) if kind == "raw" else markdown(text, attachments)


def markdown(text: str, attachments: Mapping[str, Mapping[str, str]] = {}) -> str:
    """Return Markdown that shows what `text` does: one block of safe HTML."""
    renderer = _Renderer(escape=False, exclude_anchor_links=True)
    try:
        page = MarkdownWithMath(renderer=renderer).render(LINE_ENDS.sub("\n", text))
    except Exception:  # a text that breaks the renderer is still an answer to read
        page = f"<pre>{escape(text)}</pre>"
    return block(html(str(page), attachments))


def block(clean: str) -> str:
    """Return HTML that is safe as Markdown that is the same HTML."""
    # An empty line would end the block, and what follows would be Markdown again. From each bracket
    # nbconvert's templates look for a link in all of the rest.
    lines = LINE_ENDS.sub("\n", clean.strip()).replace("[", "&#91;")
    return "<div>" + EMPTY_LINE.sub("&#10;", lines) + "</div>"


def bundle(data: Mapping[str, str], room: Room) -> dict[str, str]:
    """Return the representations of a displayed value that are safe to show.

    Where there is no `room` for HTML, its text stays, or the beginning of the HTML as it was typed.
    """
    forms = {"text/plain": data.get("text/plain", "")}
    for kind in ("image/png", "image/jpeg"):
        if BASE64.fullmatch(body := "".join(data.get(kind, "").split())):
            forms[kind] = body
    if "text/html" in data:
        page = data["text/html"]
        if room.holds(page):
            forms["text/html"] = html(page)
        elif forms["text/plain"].startswith("<"):  # it says only what kind of object it is
            forms["text/plain"] = page[:LONGEST]
    elif "text/markdown" in data:
        forms["text/html"] = cell("markdown", data["text/markdown"], {}, room)
    drawing = data.get("image/svg+xml", "")
    if room.holds(drawing) and (clean := svg(drawing)):
        forms["image/svg+xml"] = clean
    if "text/latex" in data:
        forms["text/latex"] = latex(data["text/latex"])
    return forms


class _Renderer(IPythonRenderer):
    """Leaves the addresses of pictures as they are; nbconvert's would fail at a missing one."""

    def _embed_image_or_attachment(self, src: str) -> str:
        return src
