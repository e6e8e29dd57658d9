"""A minimax without recursion, on a record."""

from typing import Any


def labels(record: Any) -> dict[Any, float]:
    """Return what stands at the moves of a drawing."""
    order = [record.root]
    for node in order:
        order += node.children
    worth: dict[int, float] = {}
    for node in reversed(order):
        below = [worth[id(child)] for child in node.children]
        pick = max if node.mover == "MAX" else min
        worth[id(node)] = pick(below) if below else node.utility
    return {child.move: worth[id(child)] for child in record.root.children}
