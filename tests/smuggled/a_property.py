"""A minimax that is looked up like a value."""

from typing import Any


class Box:
    """A box around a node."""

    def __init__(self, node: Any) -> None:
        """Take the node."""
        self.node = node

    @property
    def height(self) -> float:
        """Return how high it is."""
        if not self.node.children:
            height: float = self.node.utility
            return height
        heights = [Box(child).height for child in self.node.children]
        return max(heights) if self.node.mover == "MAX" else min(heights)
