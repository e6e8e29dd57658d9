"""Ask whether nothing that a student can write runs or loads, and the rest stays to be read."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markup import Page
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from referee.marks import sanitise

DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNg"
LAW = settings(deadline=None, max_examples=300)

PIECES = """\
<script> </script> <svg> </svg> <style> </style> <img src=x onerror=stolen()> <p> </p> <a </a>
href="javascript:stolen()"> <math> <mtext> <title> </title> <textarea> <noscript> <!-- --> ]]>
<![CDATA[ <template> <table> <td> &lt;script&gt; " ' > = ` ``` $ $$ \\[ \\] [x] ![y] &#106; ~~~ |
(javascript:stolen()) <b style="background:url(http://e/)"> <iframe srcdoc="stolen()"> # *a* - 1.
<foreignObject> <xmp> <plaintext> <div id=x class=y>
"""
parts = st.lists(
    st.sampled_from([*PIECES.split(), "\n", "\n\n", " ", "    ", "\r", "\u2028", "\0", "\x0c"])
    | st.text(max_size=5),
    max_size=25,
).map("".join)


def expect_safe(html: str) -> None:
    """Assert that only known tags and attributes are left, and no address that runs or loads."""
    page = Page(html)
    assert set(page.tags) <= sanitise.TAGS
    for name, value in page.attributes:
        assert not name.startswith("on")
        assert name not in ("id", "name", "action", "srcdoc", "srcset")
        if name == "href":
            assert sanitise.LINK.match(value or "")
        elif name == "src":
            assert sanitise.PICTURE.fullmatch(value or "")
        elif name not in ("title", "alt"):
            assert "url" not in (value or "")


def shown(markdown: str) -> str:
    """Return the page that nbgrader makes of Markdown."""
    renderer = IPythonRenderer(escape=False)
    return str(MarkdownWithMath(renderer=renderer).render(markdown))


@LAW
@given(parts)
def test_no_html_is_dangerous_and_once_is_enough(text: str) -> None:
    """Is any HTML safe after one pass, and unchanged by a second?"""
    once = sanitise.html(text)
    expect_safe(once)
    assert sanitise.html(once) == once


@LAW
@given(parts)
def test_markdown_is_safe_on_nbgraders_page(text: str) -> None:
    """Is what nbgrader makes of a student's text safe, and exactly what was found safe?"""
    safe = sanitise.markdown(text)
    page = shown(safe)
    expect_safe(page)
    assert Page(page).tags == Page(safe).tags


@LAW
@given(parts)
def test_a_drawing_is_safe_and_well_formed(text: str) -> None:
    """Is an SVG one drawing that every reader of XML can read, or nothing?"""
    drawing = sanitise.svg(f"<svg>{text}</svg>")
    if drawing is not None:
        expect_safe(drawing)
        assert ElementTree.fromstring(drawing).tag == "{http://www.w3.org/2000/svg}svg"


HARMLESS = [
    '<p style="color:red;text-align:center">a</p>',
    "<table><tbody><tr><td>1</td><th>2</th></tr></tbody></table>",
    f'<img src="data:image/png;base64,{DOT}" alt="a dot">',
    '<svg viewBox="0 0 9 9"><path d="M0 0L9 9" stroke="#fff"></path></svg>',
    "<details><summary>a</summary>b</details>",
    "$x &lt; y$ and \\begin{align}a&amp;b\\end{align}",
    '<a href="#below" rel="noopener noreferrer">a</a>',
    '<a href="https://en.wikipedia.org/wiki/Minimax" rel="noopener noreferrer">a</a>',
]


@pytest.mark.parametrize(
    ("written", "left"),
    [
        *((one, one) for one in HARMLESS),
        ("<script>stolen()</script>a", "a"),
        ("<p onclick='stolen()'>a</p>", "<p>a</p>"),
        ("<a href='javascript:stolen()'>a</a>", '<a rel="noopener noreferrer">a</a>'),
        ("<a href='evil.html'>a</a>", '<a rel="noopener noreferrer">a</a>'),
        ("<img src='http://e/x.png' alt='a'>", '<img alt="a">'),
        ("<img src='data:image/svg+xml;base64,AAAA'>", "<img>"),
        ("<p style='position:fixed;color:red'>a</p>", '<p style="color:red">a</p>'),
        ("<p style='background-color:url(//e)'>a</p>", "<p>a</p>"),
        ("<p id='score' class='modal'>a</p>", "<p>a</p>"),
        ("<form><input><button>a</button></form>", "a"),
        ("</div></div>a", "a"),
        ("$\\href{javascript:stolen()}{a}$", "$href{javascript:stolen()}{a}$"),
        ("$\\\\href{javascript:stolen()}{a}$", "$href{javascript:stolen()}{a}$"),
        ("$\\\\\\style{a}{b}$", "$style{a}{b}$"),
        ("$\\let\\x=\\href \\csname href\\endcsname$", "$let\\x=href csname href\\endcsname$"),
        ("$\\bbox[2000px,border:1px]{a}$", "$bbox[2000px,border:1px]{a}$"),
        ("<p style='padding:4px;color:red'>a</p>", '<p style="color:red">a</p>'),
        ("<p style='border:9px;vertical-align:9px;text-decoration:9px'>a</p>", '<p style="">a</p>'),
        ("<p style='margin:-900px;color:#123456'>a</p>", '<p style="color:#123456">a</p>'),
    ],
)
def test_what_is_harmless_stays_and_all_else_goes(written: str, left: str) -> None:
    """Is what runs, loads, asks or covers taken out, and the words around it left as they are?"""
    assert sanitise.html(written) == left


def test_markdown_looks_as_it_did() -> None:
    """Are headings, code, tables and formulas what the Markdown made of them?"""
    text = "# One\n\n| a | b |\n|---|---|\n| 1 | $x<y$ |\n\n"
    text += "```python\na = 1\n\n\nb = 2\n```\n\n$$\na\n$$"
    page = Page(shown(sanitise.markdown(text)))
    assert {"h1", "table", "pre", "span"} <= set(page.tags)
    assert "a = 1\n\n\nb = 2" in page.text
    assert "$x<y$" in page.text
    assert "$$\na\n$$" in page.text


def test_a_picture_that_belongs_to_the_cell_is_part_of_the_text() -> None:
    """Is an attachment shown, one that is gone named, and a large one not shown again and again?"""
    text = "![there](attachment:a.png) ![gone](attachment:b.png) ![odd](attachment:c.svg)"
    attachments = {
        "a.png": {"image/png": f"{DOT[:8]}\n{DOT[8:]}"},
        "c.svg": {"image/svg+xml": "AA"},
    }
    safe = sanitise.markdown(text, attachments)
    assert f'<img src="data:image/png;base64,{DOT}" alt="there">' in safe
    assert '<img alt="gone">' in safe
    assert safe.count("src=") == 1
    many = sanitise.markdown("![a](attachment:a)\n" * 400, {"a": {"image/png": DOT * 1000}})
    assert (many.count("src="), many.count('alt="a"')) == (2, 400)


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize(
    "text",
    [
        "1. a\n" * sanitise.LONGEST,
        "<div>\n\n" * sanitise.LONGEST,
        "\\" * (sanitise.LONGEST + 1),
    ],
)
def test_a_very_long_text_is_shown_as_typed(kind: str, text: str) -> None:
    """Is a text that would take long to lay out still there to read, and at once?"""
    safe = sanitise.cell(kind, text, {}, sanitise.Room())
    assert Page(safe).text.split() == text.split()
    assert Page(safe).tags == ["div", "pre"]


@pytest.mark.parametrize("opened", ["<b a={}>", "<b a={}><!--</b>-->", "<B/a={}>"])
def test_html_that_grows_is_shown_as_typed(opened: str) -> None:
    """Is HTML that opens all again in each paragraph, however hidden, still there to read?

    But links that end in their cells are no reason to show a long table as text.
    """
    row = "<tr><td><a href='https://e.org/1'>a</a></td><td>1</td></tr>"
    assert sanitise.html(f"<table>{row * 300}</table>").count("</a></td>") == 300
    for number in (200, 3000):
        text = f"<p>{''.join(map(opened.format, range(number)))}" + "<p>a" * 8 * number
        safe = sanitise.html(text)
        assert Page(safe).text == text
        assert Page(safe).tags == []


def test_what_is_over_the_room_is_shown_as_typed() -> None:
    """Is there a text for each value and cell of a notebook with very much of them?"""
    room, table, page = sanitise.Room(), "<b>a</b>" * 4000, "<object>"
    data = {"text/plain": page, "text/html": table, "image/png": DOT}
    shown_data = [sanitise.bundle(data, room) for _ in range(14)]
    assert [one["text/html"] for one in shown_data[:12]] == [table] * 12
    assert shown_data[13] == {"text/plain": table[: sanitise.LONGEST], "image/png": DOT}
    frame = sanitise.bundle(data | {"text/plain": "  a\n0 1"}, room)
    assert frame == {"text/plain": "  a\n0 1", "image/png": DOT}
    assert sanitise.cell("markdown", "*a*", {}, room) == "<div><pre>*a*</pre></div>"


def test_a_value_is_shown_in_the_forms_that_are_safe() -> None:
    """Are unknown forms dropped, and is a broken picture not passed on?"""
    given_data = {
        "text/plain": "<b>",
        "text/html": "<b onclick=stolen()>a",
        "image/png": '"><script>stolen()</script>',
        "image/jpeg": f" {DOT}\n",
        "image/svg+xml": "<?xml version='1.0'?><!DOCTYPE svg><svg onload='stolen()'><g/></svg>",
        "text/latex": "$\\href{a}{b}$",
        "application/javascript": "stolen()",
        "application/vnd.jupyter.widget-view+json": "{}",
    }
    assert sanitise.bundle(given_data, sanitise.Room()) == {
        "text/plain": "<b>",
        "text/html": "<b>a</b>",
        "image/jpeg": DOT,
        "image/svg+xml": '<svg xmlns="http://www.w3.org/2000/svg"><g></g></svg>',
        "text/latex": "$href{a}{b}$",
    }
    shown_markdown = sanitise.bundle({"text/markdown": "*a*"}, sanitise.Room())["text/html"]
    assert shown_markdown == "<div><p><em>a</em></p></div>"
