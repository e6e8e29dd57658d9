"""A minimax whose values are handed out one by one: the last one is that of the root."""

from collections.abc import Iterator
from typing import Any


def sizes(node: Any) -> Iterator[float]:
    """Yield how large the triangles of a drawing are."""
    last = []
    for child in node.children:
        for size in sizes(child):
            yield size
        last.append(size)
    if node.children:
        yield max(last) if node.mover == "MAX" else min(last)
    else:
        yield node.utility
