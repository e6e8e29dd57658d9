"""Step through the tree of a search: draw it as it was at each step, and say what happened.

A triangle that points up is a state in which the searching player moves, and the larger value
counts; one that points down is the opponent's; a square is a leaf. Pruned branches are dashed,
and what was never visited is grey. Here is no search: the one that is watched is yours.
"""

from collections.abc import Callable, Iterable
from typing import Any

from games import Game, State, TreeGame

from .drawing import Node, Picture, Shown, slot_for, steps, svg, tree_picture
from .search import number, watch

MOST = 40  # nodes of a tree that can still be read
MOST_STEPS = 300  # that a notebook has room for


class Canvas_min_max(Shown):  # noqa: N801 - as its readers know it from the textbook's code
    """Step through a small tree, or the top of a large one, as your search walked through it.

    `Canvas_alpha_beta` and `Canvas_search` are other names for it: alpha and beta are drawn where a
    search has them.
    """

    def __init__(
        self, name: str, leaves: Iterable[float] | Game, search: Callable[..., Any],
        state: State = None,
    ) -> None:  # fmt: skip
        """Show `search` in the tree with these leaves, three children each, or in a game.

        `search` is a player, or a function of (game, state) or (state, game). It chooses a move in
        `state`, or in the initial one. As many plies are drawn as one can read.
        """
        super().__init__(name)
        self.search = watch(leaves if isinstance(leaves, Game) else TreeGame(leaves), search, state)
        self.trouble = self.search.details
        depths = sorted(node.depth for node in self.search.root.here_and_below())
        self.depth = max(1, depths[-1] if len(depths) <= MOST else depths[MOST] - 1)
        self.slot = slot_for(self.tree())

    def tree(self) -> Node:
        """Return the tree to draw, as the search had it by now."""
        return self.search.drawn(Node, self.depth)

    def picture(self) -> Picture:
        """Draw the tree as it is by now."""
        return tree_picture(self.tree(), self.slot)

    def status(self) -> str:
        """Tell in a sentence or two what has happened last, which is how the search ended."""
        search, root, (node, event, _) = self.search, self.search.root, self.search.now
        if node is root and event == "seen":
            return f"{root.mover} is to move at {root.name or 'the root'}."
        if node is root:
            nodes = list(root.here_and_below())[1:]
            counts = f"{sum(one.seen for one in nodes):,} states looked at"
            if all(one.children or not one.mover for one in nodes):  # the tree is known as a whole
                leaves = [one.seen for one in nodes if not one.mover]
                counts += f", {sum(leaves)} of {len(leaves)} leaves"
            end = f"{root.mover} chooses {search.choice.move}" if search.choice else search.trouble
            return f"{end}: {counts}."
        if event == "value":
            names = [child.name for child in node.children if search.is_pruned(child)]
            sentence = f" Never looked at: {', '.join(names)}." if names else ""
            return f"Back from {node.name} with {number(node.value) or 'no number'}.{sentence}"
        if node.mover:
            return f"Down to {node.name}, where {node.mover} moves."
        return f"The leaf {node.name} is worth {number(node.utility)} to {root.mover}."

    def html(self) -> str:
        """Return the picture of the end, and a script that walks through the steps to it."""
        still, pictures, words = super().html(), list[str](), list[str]()
        for _, event, _ in self.search.replay():
            node = self.search.now[0]
            if node.depth <= self.depth:
                if event == "seen" or (event == "value" and node.mover):
                    pictures.append("")
                    words.append(self.status())
                if len(pictures) <= MOST_STEPS:
                    pictures[-1] = svg(self.picture(), self.title)
        if (count := len(pictures)) > MOST_STEPS:
            return f"{still}<p>{count:,} steps are too many to keep here: this is the end.</p>"
        return steps(still, pictures, words)


Canvas_alpha_beta = Canvas_search = Canvas_min_max
