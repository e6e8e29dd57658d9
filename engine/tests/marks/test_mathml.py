"""Ask whether formulas become MathML, and nothing else does."""

import pytest

from referee.marks import mathml


@pytest.mark.parametrize(
    ("html", "parts"),
    [
        ("a $x &lt; y$ b", ["a <math", "&lt;", "</math> b"]),
        (r"$$\frac{1}{2}$$", ['display="block"', "<mfrac>"]),
        (r"\(a\) \[b\]", ['display="inline"', 'display="block"']),
        (r"$b^{\lceil m/2\rceil}$", ["⌈", "⌉"]),
    ],
)
def test_a_formula_becomes_mathml(html, parts):
    """Is what stood between the signs a formula that browsers show by themselves?"""
    shown = mathml.in_html(html)
    assert [part for part in parts if part not in shown] == []
    assert "$" not in shown


@pytest.mark.parametrize(
    "html",
    [
        "it costs $5 and $10", "<code>$x$</code>", "<pre>a $x$ <b>$y$</b></pre>", "$ x $",
        f"${'x' * 2_001}$", r"$\frac{$", '<b title="$x$">b</b>',
    ],
)  # fmt: skip
def test_what_is_no_formula_stays(html):
    """Are amounts, code, attributes and what cannot be read left as they are?"""
    assert mathml.in_html(html) == html


@pytest.mark.parametrize(
    "latex",
    [
        r"\href{javascript:stolen()}{x}", r"\color{url(//evil.example)}{x}",
        r"\style{background:url(//evil.example)}{x}",
        r"\text{&lt;script&gt;stolen()&lt;/script&gt;}",
        r'\class{"onclick=stolen()}{x}', "&lt;img src=x onerror=stolen()&gt;",
    ],
)  # fmt: skip
def test_a_formula_links_loads_and_runs_nothing(latex):
    """Does a formula bring elements of MathML only, and no address?"""
    shown = mathml.in_html(f"${latex}$")
    shown = shown.replace(f'alttext="{latex}"', "")
    for bad in ("<script", "<img", "href=", "style=", "color=", "class="):
        assert bad not in shown
