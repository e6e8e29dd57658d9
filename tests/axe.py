"""Ask axe-core what shuts people out of a page: https://github.com/dequelabs/axe-core."""

import functools
import tarfile
from collections.abc import Sequence

import lite
from playwright.sync_api import Page

PACKAGE = "axe-core@4.11.0"
SHA256 = "39bed7d72308f6d620789c169d699bfd7e8da80f65b545821a6b2215c3e83107"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
RUN = """async ([parts, without, rules]) => {
    document.querySelectorAll('details').forEach(one => one.open = true);
    const found = await axe.run({include: parts, exclude: without}, {runOnly: rules});
    const asked = [...found.passes, ...found.violations, ...found.inapplicable];
    if (!asked.some(rule => rule.id === 'color-contrast')) throw Error('contrast was not asked');
    return found.violations.flatMap(rule => rule.nodes.map(
        node => `${rule.id}: ${node.target.join(' ')}: ${node.html.slice(0, 120)}`));
}"""


def violations(page: Page, *parts: str, without: Sequence[str] = ()) -> list[str]:
    """Return what breaks a rule in a page or in parts of it, with all that is folded unfolded."""
    assert all(page.locator(part).count() for part in parts)
    page.evaluate(_script())
    return list(page.evaluate(RUN, [parts or ["html"], without, RULES]))


@functools.cache
def _script() -> str:
    with tarfile.open(lite.packed_by_npm(PACKAGE, SHA256)) as packed:
        file = packed.extractfile("package/axe.min.js")
        assert file is not None
        return file.read().decode("utf-8")
