"""Give Sphinx what the site needs besides its own: pictures, formulas, lists made from the code.

The directive `picture` puts an SVG of `pictures` into the page itself, so that it follows the
page's colours; `try` makes one that reacts out of it (`_static/tree.js`), and `walk` shows several
as steps, by the script of the notebooks.
Formulas become MathML, which browsers show without any script. The reference of the command line
is written by typer. Read by `conf.py` only.
"""

import json
import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any, ClassVar

import pictures
from docutils import nodes
from docutils.parsers.rst import Directive, directives
from latex2mathml.converter import convert
from sphinx.application import Sphinx

from handout.canvas.drawing import steps

DOCS = Path(__file__).parent
# The order in which the assignments are to be done.
ORDER = ("game-trees", "break-it", "tic-tac-toe", "connect-four")


class Picture(Directive):
    """Draw `pictures.NAME()`, with the content of the directive as its caption."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a figure that holds the SVG."""
        figure = nodes.container(classes=["picture"])
        figure += nodes.raw("", self.html(), format="html")
        self.state.nested_parse(self.content, self.content_offset, figure)
        return [figure]

    def html(self) -> str:
        """Return what stands above the caption."""
        return str(getattr(pictures, self.arguments[0])())


class Try(Picture):
    """Draw a picture of a tree, and let readers change its `leaves`."""

    option_spec: ClassVar = {
        "leaves": directives.unchanged_required,
        "goal": directives.nonnegative_int,  # with cuts: the most leaves that they can skip
        "ask": directives.flag,  # readers are MIN, and are asked before each cut
    }

    def html(self) -> str:
        """Return a box that the script takes over."""
        data = " ".join(f'data-{key}="{value}"' for key, value in sorted(self.options.items()))
        return f'<div class="try-tree" {data}>{super().html()}</div>'


class Walk(Picture):
    """Draw several pictures, for readers to step through; without a script, the last one."""

    def html(self) -> str:
        """Return a box that the script takes over."""
        drawings, words = zip(*getattr(pictures, self.arguments[0])(), strict=True)
        return steps(drawings[-1], drawings, words)


def mathml(translator: Any, node: nodes.Element) -> None:
    """Write a formula as MathML; the formula itself is its text for whoever cannot see it."""
    shown = "block" if isinstance(node, nodes.math_block) else "inline"
    text = node.astext()
    formula = convert(text, display=shown).replace("<math ", f'<math alttext="{escape(text)}" ', 1)
    translator.body.append(f'<div class="formula">{formula}</div>' if shown == "block" else formula)
    raise nodes.SkipNode


def write_commands(app: Sphinx) -> None:
    """Write the reference of the command line, from the help texts of the commands.

    Left out is typer's list of them, which cuts each text short: they follow one by one.
    """
    file = Path(app.srcdir) / "engine" / "reference" / "commands.md"
    typer = [sys.executable, "-m", "typer", "referee.commands", "utils", "docs"]
    environment = os.environ | {"PYTHONPATH": str(DOCS.parent)}
    done = subprocess.run(
        [*typer, "--name", "referee"], capture_output=True, text=True, check=True, env=environment
    )
    text = re.sub(r"(?s)\*\*Commands\*\*:.*?(?=\n##+ )", "", done.stdout)
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")


def write_trials(app: Sphinx) -> None:
    """Write the links that open each assignment in JupyterLite, by the titles of the notebooks."""
    links = []
    files = sorted((DOCS.parent / "release").glob("*/*.ipynb"))
    for file in sorted(files, key=lambda file: (*ORDER, file.parent.name).index(file.parent.name)):
        first = "".join(json.loads(file.read_text("utf-8"))["cells"][0]["source"])
        title = first.splitlines()[0].lstrip("# ")
        lab, plain = (
            f"lite/{view}/index.html?path={file.parent.name}/{file.name}"
            for view in ("lab", "notebooks")
        )
        small = f'<a href="{plain}">on a small screen</a>'
        links.append(f'<li><a href="{lab}">{escape(title)}</a> ({small})</li>')
    text = "<ul>\n" + "\n".join(links) + "\n</ul>\n"
    (Path(app.srcdir) / "_try.html").write_text(text, "utf-8")


def leave_out(app: Sphinx, what: str, name: str, obj: Any, skip: bool, _: Any) -> bool | None:
    """Leave out what says no more than a signature: fields of named tuples, and what is no JSON."""
    inner = isinstance(obj, property) and obj.fget.__module__.startswith("referee")
    return True if inner or type(obj).__name__ == "_tuplegetter" else None


def keep_examples(app: Sphinx, what: str, name: str, obj: Any, _: Any, lines: list[str]) -> None:
    """Show what is indented in a docstring as code, which is what it is.

    What `NamedTuple` writes by itself about its constructor is left out.
    """
    if lines and lines[0].startswith("Create new instance of "):
        lines.clear()
    starts = [i for i in range(1, len(lines)) if lines[i].startswith("    ") and not lines[i - 1]]
    for i in reversed(starts):
        lines[i:i] = ["::", ""]


def setup(app: Sphinx) -> None:
    """Tell Sphinx about all this."""
    app.add_directive("picture", Picture)
    app.add_directive("try", Try)
    app.add_directive("walk", Walk)
    app.add_html_math_renderer("mathml", (mathml, None), (mathml, None))
    app.connect("autodoc-skip-member", leave_out)
    app.connect("autodoc-process-docstring", keep_examples)
    app.connect("builder-inited", write_commands)
    app.connect("builder-inited", write_trials)
