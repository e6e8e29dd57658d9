"""Open what a hostile notebook becomes in a real browser: the feedback, and formgrader's page."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import axe
import pytest
from browsing import PATIENCE
from course_copies import make_course
from formgrading import formgrader, get, run
from nbconvert.exporters import HTMLExporter
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[1]

NAME = "tic-tac-toe"
DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNg"
    "+M/wHwAEAQH/7yMK/gAAAABJRU5ErkJggg=="
)
pytestmark = pytest.mark.pages
EVIL = "http://evil.example"
SCRIPT = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload='stolen(1)'/>").decode()

# Each calls `stolen`, asks for something elsewhere, or takes over the page, if it is left as it is.
ATTACKS = f"""\
<script>stolen('script')</script>
<img src=x onerror="stolen('onerror')">
<svg onload="stolen('svg')"><script>stolen('svg script')</script></svg>
<svg><animate attributeName=x onbegin="stolen('animate')" dur=1s></svg>
<svg><use href="data:image/svg+xml;base64,{SCRIPT}#x"/></svg>
<svg><style><img src=x onerror="stolen('style in svg')"></style></svg>
<math><mtext><table><mglyph><style><!--</style>
<img title="--&gt;&lt;img src=x onerror=stolen('mxss')&gt;">
<noscript><p title="</noscript><img src=x onerror=stolen('noscript')>"></noscript>
<details open ontoggle="stolen('toggle')">x</details>
<input autofocus onfocus="stolen('focus')"><video src=x onerror="stolen('video')"></video>
<iframe srcdoc="<script>parent.stolen('srcdoc')</script>"></iframe>
<iframe src="{EVIL}/iframe"></iframe>
<object data="{EVIL}/object"></object><embed src="{EVIL}/embed"><base href="{EVIL}/base/">
<meta http-equiv="refresh" content="0;url={EVIL}/meta"><link rel=stylesheet href="{EVIL}/link">
<style>@import url({EVIL}/import);
body{{background:url({EVIL}/style)}}</style>
<p style="background:url({EVIL}/a);background-color:u\\72l({EVIL}/b);position:fixed;top:0">over</p>
<img src="{EVIL}/img"><img srcset="{EVIL}/srcset 1x">
<picture><source srcset="{EVIL}/source"></picture>
<table background="{EVIL}/table"><tr><td background="{EVIL}/td">x</td></tr></table>
<img src="data:image/svg+xml;base64,{SCRIPT}"><audio src="{EVIL}/audio" autoplay></audio>
<form action="{EVIL}/form"><button>Log in again</button></form><div id="notebook">twice</div>
<a href="javascript:stolen('link')">a</a><a href=" &#1;java&#10;script:stolen('link')">b</a>
<a href="data:text/html,<script>stolen()</script>">c</a><a href="evil.html">d</a>
<a href="//evil.example/">e</a>
</div></div></div></td></table><plaintext>
"""
MARKDOWN = f"""\
[one](javascript:stolen('md')) [two](<java\tscript:stolen()>) ![three]({EVIL}/md.png)
![four](attachment:gone.png) ![dot](attachment:dot.png) <javascript:stolen()>

\\[five\\](javascript:stolen('again')) `<script>stolen('code')</script>` $x < y$
$\\href{{javascript:stolen()}}{{x}}$

[six]: javascript:stolen()
[six] ![seven](data:image/svg+xml;base64,{SCRIPT})

<pre>

[eight](javascript:stolen())
</pre>

"""
CODE = [
    "from IPython.display import *",
    "ATTACKS = {attacks!r}",
    "HTML(ATTACKS)",
    "display(SVG('<svg xmlns=\"http://www.w3.org/2000/svg\">' + ATTACKS + '</svg>'))",
    "display(Markdown(MARKDOWN + ATTACKS))",
    "Javascript('stolen(\"Javascript\")')",
    "display(Latex('$\\\\href{{javascript:stolen()}}{{x}}$' + ATTACKS))",
    "display({{'application/vnd.jupyter.widget-view+json': {{'model_id': ATTACKS}}, "
    "'text/vnd.mermaid': ATTACKS, 'text/plain': ATTACKS}}, raw=True)",
    "display({{'text/html': ATTACKS}}, raw=True, metadata={{'text/html': {{'isolated': True}}}})",
    "display({{'image/png': '\"><script>stolen(1)</script>', 'text/plain': ''}}, raw=True)",
    "print(ATTACKS, '\\x1b[31m' + ATTACKS, '\\x1b]8;;javascript:stolen()\\x07link')",
    "import sys; print(ATTACKS, file=sys.stderr)",
    "raise type(ATTACKS, (Exception,), {{}})(ATTACKS + '\\x1b[1m' + ATTACKS)",
    "raise ValueError('<b>' + '$\\\\href{{javascript:stolen()}}{{x}}$')",
    "class TicTacToe:\n    def __init__(self, *_): raise KeyError(ATTACKS)\n    m = MARKDOWN",
]


def hostile() -> dict[str, Any]:
    """Return the released notebook with attacks in every place that is a student's."""
    notebook = json.loads((ROOT / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8"))
    filled = {"attacks": ATTACKS, "markdown": MARKDOWN}
    sources = [source.format(**filled) for source in CODE]
    sources[1] += f"\nMARKDOWN = {MARKDOWN!r}"
    metadata = {"tags": [ATTACKS], "raw_mimetype": "text/html", "name": ATTACKS}
    extra = [("code", source) for source in sources]
    extra += [("markdown", MARKDOWN + ATTACKS), ("markdown", ATTACKS), ("raw", ATTACKS)]
    extra += [("markdown", "x" * 20_001 + ATTACKS), ("markdown", "> - " + ATTACKS)]
    for kind, source in extra:
        cell: dict[str, Any] = {"cell_type": kind, "metadata": metadata, "source": source}
        if kind == "code":
            cell |= {"execution_count": 1, "outputs": [
                {"output_type": "display_data", "data": {"text/html": ATTACKS}, "metadata": {}}
            ]}  # fmt: skip
        elif kind == "markdown":
            cell["attachments"] = {"dot.png": {"image/png": DOT}, ATTACKS: {"text/html": ATTACKS}}
        notebook["cells"].append(cell)
    for cell in notebook["cells"]:
        if cell.get("id") == "evaluation-b-answer":
            cell["source"] = MARKDOWN + ATTACKS
        if cell.get("id") == "playing":  # the page shows answers, and no other cells of code
            shown = "display(HTML(ATTACKS))\ndisplay(Javascript('stolen(1)'))"
            cell["source"] = "\n".join([*sources[:2], shown, *sources[3:5], *sources[6:13]])
        if cell.get("id") in ("test_MiniMax", "conventions"):
            cell["metadata"]["nbgrader"]["grade_id"] = ATTACKS
    notebook["metadata"] |= {
        "title": ATTACKS,
        "widgets": {"application/vnd.jupyter.widget-state+json": {"x": ATTACKS}},
        "language_info": {"name": ATTACKS, "pygments_lexer": ATTACKS},
        "kernelspec": {"name": ATTACKS, "display_name": ATTACKS, "language": ATTACKS},
    }
    return notebook  # type: ignore[no-any-return]


# In the page: wait until its scripts have changed nothing for a second.
SETTLED = """async () => {
    for (let before = '', same = 0; same < 4; same++) {
        await new Promise(done => setTimeout(done, 250));
        const now = document.documentElement.outerHTML;
        if (now !== before) same = 0;
        before = now;
    }
}"""


Seen = SimpleNamespace  # what happened when a page was opened


def opened(browser: Browser, address: str) -> Seen:
    """Open a page, let nothing but the page and its own server answer, and look at what it did."""
    dialogs, requests = [], set()
    origin = address[: address.index("/", 8)]
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script("window.owned = []; window.stolen = where => owned.push(String(where))")
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))

    def answer(route: Any) -> None:
        requests.add(route.request.url)
        mine = route.request.url.startswith(origin) and "evil" not in route.request.url
        route.continue_() if mine else route.abort()

    page.route("**/*", answer)
    page.goto(address, wait_until="networkidle")
    page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
    page.evaluate(SETTLED)
    found = page.evaluate(
        """() => {
            const tags = {}, styles = [], all = [...document.querySelectorAll('*')];
            for (const e of all) {
                tags[e.localName] = (tags[e.localName] || 0) + 1;
                if (getComputedStyle(e).position === 'fixed') styles.push(e.outerHTML);
                for (const a of e.attributes) if (a.name.startsWith('on')) styles.push(e.outerHTML);
            }
            const links = all.filter(e => e.localName === 'a').map(e => e.getAttribute('href'));
            return {stolen: owned, tags, styles, links, text: document.body.innerText};
        }"""
    )
    page.close()
    links = {link for link in found.pop("links") if link}
    return Seen(**found, dialogs=dialogs, requests=requests, links=links)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a hostile and a harmless submission, graded by nbgrader's own commands."""
    root = make_course(tmp_path_factory.mktemp("course"), NAME)
    for student, content in (
        ("hostile", json.dumps(hostile())),
        ("harmless", (ROOT / "release" / NAME / f"{NAME}.ipynb").read_text("utf-8")),
    ):
        folder = root / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(content, "utf-8")
    (root / "submitted" / "hostile" / NAME / "evil.html").write_text(ATTACKS)
    run(root, "nbgrader", "autograde", NAME)
    run(root, "nbgrader", "generate_feedback", NAME)
    return root


@pytest.fixture(scope="module")
def addresses(graded: Path) -> Iterator[dict[str, str]]:
    """The addresses on which an instructor marks both students by hand."""
    with formgrader(graded) as address:
        entries = json.loads(get(f"{address}/api/submitted_notebooks/{NAME}/{NAME}"))
        yield {entry["student"]: f"{address}/submissions/{entry['id']}/" for entry in entries}


STUDENTS = ("hostile", "harmless")


@pytest.fixture(scope="module", params=["feedback", "marking"])
def seen(
    request: pytest.FixtureRequest, graded: Path, addresses: dict[str, str], browser: Browser
) -> dict[str, Seen]:
    """What both students' pages do: their feedback, and those on which they are marked by hand."""
    pages = {name: graded / "feedback" / name / NAME / f"{NAME}.html" for name in STUDENTS}
    feedback = {name: page.as_uri() for name, page in pages.items()}
    places = feedback if request.param == "feedback" else addresses
    return {name: opened(browser, place) for name, place in places.items()}


def test_this_browser_would_see_an_attack(browser: Browser, tmp_path: Path) -> None:
    """When the attacks are not made harmless, do scripts run and requests leave?"""
    page = tmp_path / "raw.html"
    page.write_text("<body>" + ATTACKS.replace("http-equiv", "name"))  # it would be gone at once
    seen = opened(browser, page.as_uri())
    assert {"script", "onerror", "svg", "toggle"} <= set(seen.stolen)
    assert any(url.startswith(f"{EVIL}/img") for url in seen.requests)
    assert seen.styles


KEPT = (
    "script", "style", "link", "meta", "base", "iframe", "object", "form", "input", "button",
)  # fmt: skip


def test_nothing_of_a_students_is_carried_out_and_the_rest_is_shown(
    request: pytest.FixtureRequest, seen: dict[str, Seen]
) -> None:
    """Does no script run and no request leave, and are there no more frames and fields than on a
    harmless page?

    Does a page of feedback load nothing but itself, formulas and all? Can one still read the text,
    the formulas and the code, and see the picture?
    """
    evil, good = (seen[name] for name in STUDENTS)
    assert (evil.stolen, evil.dialogs) == ([], [])
    asked, usual = ({url for url in one.requests if "data:image/png" not in url}
                    for one in (evil, good))  # fmt: skip
    assert not any("evil" in url for url in asked)
    assert len(asked) == len(usual)
    assert {url for url in asked if "cdn" in url} == {url for url in usual if "cdn" in url}
    assert [evil.tags.get(tag, 0) for tag in KEPT] == [good.tags.get(tag, 0) for tag in KEPT]
    assert len(evil.styles) == len(good.styles)
    links = evil.links - good.links
    assert [link for link in links if "stolen" in link or "evil" in link] == []
    for one in seen.values():
        files = [url for url in one.requests if url.startswith("file:")]
        assert len(files) == ("feedback" in request.node.callspec.id)
        assert not files or {url.partition(":")[0] for url in one.requests} <= {"file", "data"}
    assert not files or evil.tags.get("math", 0) > 0
    for words in ("five", "six", "over", "$x < y$", "<script>stolen('code')</script>"):
        assert words in evil.text
    assert evil.tags.get("img", 0) > good.tags.get("img", 0)


def shut_out(browser: Browser, address: str, *parts: str) -> list[str]:
    """Return whom a page shuts out, by day on a wide screen, and by night on a phone."""
    found: list[str] = []
    for scheme, width in ("light", 1200), ("dark", 320):
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.goto(address, wait_until="networkidle")
        found += [f"{scheme}, {width}: {what}" for what in axe.violations(page, *parts)]
        if not parts and page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{scheme}, {width}: wider than the window")
        context.close()
    return found


def test_the_pages_of_a_class_shut_nobody_out(
    graded: Path, addresses: dict[str, str], browser: Browser
) -> None:
    """Does axe-core find nothing in a student's page and that of a class?

    Nor in what formgrader shows of our checks and mark schemes?
    """
    for address in addresses.values():
        assert shut_out(browser, address, ".referee", ".folded", ".items", ".by-hand") == []
    run(graded, "referee", "report", NAME)
    for page in (f"feedback/harmless/{NAME}/{NAME}.html", f"report-{NAME}.html"):
        assert shut_out(browser, (graded / page).as_uri()) == []


@pytest.mark.parametrize("name", ["game-trees", NAME, "connect-four"])
def test_a_released_notebook_shuts_nobody_out(browser: Browser, tmp_path: Path, name: str) -> None:
    """Does axe-core find nothing in what we have written in a notebook, exported as HTML?"""
    page = tmp_path / f"{name}.html"
    html, _ = HTMLExporter().from_filename(str(ROOT / "release" / name / f"{name}.ipynb"))
    page.write_text(html, "utf-8")
    context = browser.new_context(offline=True)
    opened = context.new_page()
    opened.goto(page.as_uri(), wait_until="domcontentloaded")
    frame = ".jp-InputPrompt", ".jp-InputArea-editor"  # nbconvert's prompts and colours of code
    assert axe.violations(opened, "main", without=frame) == []
    context.close()
