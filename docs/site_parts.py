"""Give Sphinx what the site needs besides its own: pictures, formulas, and plain docstrings.

The directive `picture` puts what a function of `pictures` draws into the page itself, and `try`
makes one that reacts out of it (`_static/tree.js`). Formulas become MathML, which browsers show
without any script. Read by `conf.py` only.
"""

from html import escape
from typing import Any, ClassVar

import pictures
from docutils import nodes
from docutils.parsers.rst import Directive, directives
from latex2mathml.converter import convert
from sphinx.application import Sphinx


class Picture(Directive):
    """Draw `pictures.NAME()`, with the content of the directive as its caption."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return a figure that holds the drawing."""
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


def mathml(translator: Any, node: nodes.Element) -> None:
    """Write a formula as MathML; the formula itself is its text for whoever cannot see it."""
    mode = "block" if isinstance(node, nodes.math_block) else "inline"
    text = node.astext()
    formula = convert(text, display=mode).replace("<math ", f'<math alttext="{escape(text)}" ', 1)
    translator.body.append(f'<div class="formula">{formula}</div>' if mode == "block" else formula)
    raise nodes.SkipNode


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
    app.add_html_math_renderer("mathml", (mathml, None), (mathml, None))
    app.connect("autodoc-skip-member", leave_out)
    app.connect("autodoc-process-docstring", keep_examples)
