"""A minimax of yes and no, by any and all."""

from typing import Any


def is_marked(tree: Any, odd: bool = False) -> bool:
    """Return whether a tree is marked."""
    if not isinstance(tree, list):
        return bool(tree)
    below = (is_marked(one, not odd) for one in tree)
    return all(below) if odd else any(below)
