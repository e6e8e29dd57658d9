"""Step through the tree of a search: draw it as it was at each step, and say what happened.

A triangle that points up is a state in which the searching player moves, and the larger value
counts; one that points down is the opponent's; a square is a leaf. Pruned branches are dashed,
and what was never visited is grey. Here is no search: the one that is watched is yours.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from games import Game, State, TreeGame

from . import drawing
from .drawing import Picture, Visit, number, svg
from .page import Shown, steps
from .search import WatchedNode, WatchedSearch, last, watch

Player: TypeAlias = Callable[..., Any]

MOST = 40  # nodes of a tree that can still be read
MOST_STEPS = 300  # that a notebook has room for


def sentence(search: WatchedSearch, step: int) -> str:
    """Tell in a sentence or two what happened at a step."""
    root = search.root
    node, event = search.steps[step - 1] if step else (root, "start")
    if event == "start":
        return f"{root.mover} is to move at {root.name or 'the root'}."
    if event == "visit" and node.mover:
        return f"Down to {node.name}, where {node.mover} moves."
    if event == "visit":
        return f"The leaf {node.name} is worth {number(node.utility or 0)} to {root.mover}."
    if event == "value":
        skipped = [child.name for child in node.children if search.pruned(child, step)]
        never = f" Never looked at: {', '.join(skipped)}." if skipped else ""
        return f"Back from {node.name} with {number(node.value_at(step) or 0)}.{never}"
    nodes = list(root.here_and_below())[1:]
    visited = f"{sum(one.visited is not None for one in nodes):,} states looked at"
    if all(one.children or not one.mover for one in nodes):  # the tree is known as a whole
        leaves = [one.visited is not None for one in nodes if not one.mover]
        visited += f", {sum(leaves)} of {len(leaves)} leaves"
    end = f"{root.mover} chooses {search.choice.move}" if search.choice else search.trouble
    return f"{end}: {visited}."


class Canvas_min_max(Shown):  # noqa: N801 - as its readers know it from the textbook's code
    """Step through a small tree, or the top of a large one, as your search walked through it.

    `Canvas_alpha_beta` and `Canvas_search` are other names for it: alpha and beta are drawn where a
    search has them.
    """

    def __init__(
        self, name: str, leaves: Iterable[float] | Game, search: Player, state: State = None
    ) -> None:
        """Show `search` in the tree with these leaves, three children each, or in a game.

        `search` is a player, or a function of (game, state) or (state, game). It chooses a move in
        `state`, or in the initial one. As many plies are drawn as one can read.
        """
        super().__init__(name)
        self.search = watch(leaves if isinstance(leaves, Game) else TreeGame(leaves), search, state)
        self.trouble = self.search.details
        depths = sorted(node.depth for node in self.search.root.here_and_below())
        self.depth = max(1, depths[-1] if len(depths) <= MOST else depths[MOST] - 1)
        self.slot = drawing.slot_for(self.tree(self.search.last))
        seen = enumerate(self.search.steps, 1)
        self.stops = [0, *(step for step, (node, _) in seen if node.depth <= self.depth)]

    def tree(self, step: int, root: WatchedNode | None = None) -> drawing.Node:
        """Return the tree to draw below a node, by default all, as it was at a step."""
        search, node = self.search, root or self.search.root
        seen = node.seen_at(step)
        value = node.value_at(step) if node.utility is None else node.utility
        window = last(node.windows, step)[1] if seen else None
        bounds = zip("αβ", window or (), strict=False)
        unseen = Visit.PRUNED if search.pruned(node, step) else Visit.AHEAD
        return drawing.Node(
            node.name.rpartition(" ")[2],
            node.mover,
            "" if value is None else f"{search.bound(node, step)} {number(value)}".lstrip(),
            [self.tree(step, one) for one in node.children if one.depth <= self.depth],
            Visit.VISITED if seen else unseen,
            chosen=step == search.last and node is search.choice,
            current=step > 0 and search.steps[step - 1][0] is node,
            notes=[f"{name} {number(bound)}" for name, bound in bounds if bound is not None],
        )

    def picture(self, step: int = -1) -> Picture:
        """Draw the tree as it was at a step, or at the end of the search."""
        return drawing.tree_picture(self.tree(self.search.last if step < 0 else step), self.slot)

    def status(self) -> str:
        """Tell how the search ended."""
        return sentence(self.search, self.search.last)

    def html(self) -> str:
        """Return the picture of the end, and a script that walks through the steps to it."""
        still = super().html()
        if len(self.stops) > MOST_STEPS:
            count = f"{len(self.stops):,} steps are too many to keep here"
            return f"{still}<p>{count}: this is the end.</p>"
        pictures = [svg(self.picture(step), self.title) for step in self.stops]
        return steps(still, pictures, [sentence(self.search, step) for step in self.stops])


Canvas_alpha_beta = Canvas_search = Canvas_min_max
