"""Draw a searched game tree as it was at a step of the search, and say in words what happened.

A triangle that points up is a state in which the searching player moves, and the larger value
counts; one that points down is the opponent's; a square is a leaf. Pruned branches are dashed,
and what was never visited is grey. Imports `drawing` and `search_tree`; anyone may import it.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from drawing import (
    BLUE,
    FAINT,
    GREEN,
    INK,
    ORANGE,
    PANEL,
    QUIET,
    YELLOW,
    Line,
    Picture,
    Polygon,
    Shape,
    Words,
)  # fmt: skip
from search_tree import Node, Search

LEFT, TOP, LEVEL = 52, 30, 84  # room for the names of the players; height of a ply
LARGEST, SMALLEST = 19, 1.2  # half the width of a node
LETTER = 8  # the width of a letter, at most
FOR_WINDOW = 4.5 * LETTER  # the room that alpha and beta take
READABLE = 10.5  # half the width of a node that has room for a number
ROOM = 260  # characters of values that are listed in words


class View(NamedTuple):
    """What part of a search to draw, and when."""

    search: Search
    step: int
    root: Node
    depth: int  # plies below `root`
    windows: bool  # alpha and beta, too


class Place(NamedTuple):
    """Where a node lies, half its width, and the room it has."""

    x: float
    y: float
    radius: float
    gap: float  # to the closest neighbour


def tree_picture(view: View, width: float) -> Picture:
    """Draw the part of a tree that `view` says, in the given width."""
    places = layout(view, width)
    edges: list[Shape] = []
    nodes: list[Shape] = []
    for node, place in places.items():
        if node is not view.root and node.parent in places:
            edges.append(_edge(view, node, places[node.parent], place))
        nodes += _node(view, node, place)
    deepest = max(place.y for place in places.values())
    height = deepest + 52 if width_of_slot(places) > 2 * READABLE else deepest + 30
    return Picture(width, height, [*_players(places), *edges, *nodes], tree_text(view))


def shown(view: View) -> list[Node]:
    """Return the nodes that are drawn, parents before children."""
    found = [view.root]
    for node in found:
        if node.depth - view.root.depth < view.depth:
            found += node.children or []
    return found


def layout(view: View, width: float) -> dict[Node, Place]:
    """Give each node that is drawn its place: leaves side by side, parents above their children."""
    nodes = shown(view)
    drawn = set(nodes)
    below = {node: [c for c in node.children or () if c in drawn] for node in nodes}
    ends = [node for node in _from_left(view.root, below) if not below[node]]
    slot = (width - LEFT - 12) / len(ends)
    x = {node: LEFT + (number + 0.5) * slot for number, node in enumerate(ends)}
    for node in reversed(nodes):
        if below[node]:
            x[node] = (x[below[node][0]] + x[below[node][-1]]) / 2
    closest = _closest(nodes, x)
    return {
        node: Place(
            x[node],
            TOP + LEVEL * (node.depth - view.root.depth),
            max(SMALLEST, min(LARGEST, 0.44 * closest[node.depth])),
            closest[node.depth],
        )
        for node in nodes
    }


def node_at(places: dict[Node, Place], x: float, y: float) -> Node | None:
    """Return the node at a point of the picture, or None."""
    for node, place in places.items():
        reach = max(place.radius, 4)
        if abs(place.x - x) <= reach and abs(place.y - y) <= reach:
            return node
    return None


def width_of_slot(places: dict[Node, Place]) -> float:
    """Return the width of the narrowest node."""
    return 2 * min(place.radius for place in places.values())


def _from_left(node: Node, below: dict[Node, list[Node]]) -> Iterator[Node]:
    yield node
    for child in below[node]:
        yield from _from_left(child, below)


def _closest(nodes: list[Node], x: dict[Node, float]) -> dict[int, float]:
    """Return the least distance between neighbours at each depth."""
    least: dict[int, float] = {}
    before: dict[int, float] = {}
    for node in nodes:  # at each depth from left to right
        gap = x[node] - before.get(node.depth, -math.inf)
        least[node.depth] = min(gap, least.get(node.depth, math.inf))
        before[node.depth] = x[node]
    return least


# --- shapes ----------------------------------------------------------------------------------


def _players(places: dict[Node, Place]) -> list[Shape]:
    """Name the player to move beside each ply."""
    names = {place.y: node.mover for node, place in reversed(places.items()) if node.mover}
    return [
        Words(8, y + 5, name, 12, QUIET, bold=True, anchor="start") for y, name in names.items()
    ]


def _edge(view: View, node: Node, above: Place, place: Place) -> Line:
    ends = above.x, above.y + 0.8 * above.radius, place.x, place.y - place.radius
    if view.step >= view.search.last and node is view.search.choice:
        return Line(*ends, GREEN, 4)
    if view.search.pruned(node, view.step):
        return Line(*ends, QUIET, 1.2, dashed=True)
    if node.seen_at(view.step):
        return Line(*ends, INK, 1.5 if place.radius > 4 else 0.5)
    return Line(*ends, FAINT, 1 if place.radius > 4 else 0.5)


def _node(view: View, node: Node, place: Place) -> list[Shape]:
    x, y, radius, _ = place
    seen = node.seen_at(view.step)
    current = view.step > 0 and view.search.steps[view.step - 1][0] is node
    colour = _colour(view.search, node) if seen else FAINT
    thin = 2 if radius > 6 else 1
    dashed = view.search.pruned(node, view.step) and radius > 6
    fill = YELLOW if current else PANEL if radius > 3 or not seen else colour
    shapes: list[Shape] = [Polygon(_outline(view, node, place), fill, colour, thin, dashed)]
    if radius < READABLE:
        return shapes
    value = node.utility if node.utility is not None else node.value_at(view.step)
    if value is not None:
        low = 5 if node.utility is not None else 9 if node.mover == view.search.root.mover else 1
        size = min(13, 2.9 * radius / max(2, len(number(value))))
        ink = INK if seen else QUIET
        shapes.append(Words(x, y + low, number(value), size, ink, bold=seen))
    shapes += _names(view, node, place)
    window = node.window_at(view.step) if view.windows and seen and node.mover else None
    if window and place.gap > _room(node, place) + FOR_WINDOW:
        for symbol, bound, down in ("α", window[0], -4), ("β", window[1], 10):
            if bound is not None:
                said = f"{symbol} {number(bound)}"
                shapes.append(Words(x + radius + 4, y + down, said, 11, INK, anchor="start"))
    return shapes


def _names(view: View, node: Node, place: Place) -> list[Shape]:
    """Write the name of a state, or the move to it, and how many states there are below."""
    x, y, radius, _ = place
    small = min(12, 3.4 * radius / max(2, len(node.label)))
    ink = QUIET if node.seen_at(view.step) else "#9aa3ad"
    if not node.mover or (view.root is not node and node.depth - view.root.depth == view.depth):
        shapes: list[Shape] = [Words(x, y + radius + 15, node.label, small, ink)]
        if more := visited_below(node, view.step):
            shapes.append(Words(x, y + radius + 29, f"+{more:,}", min(11, small), QUIET))
        return shapes
    if place.gap < _room(node, place):
        return []
    return [
        Words(x - 1.15 * radius - 4, y - radius + 9, node.label, min(12, small), ink, False, "end")
    ]


def _room(node: Node, place: Place) -> float:
    """Return the width of a node with its name."""
    return 2.3 * place.radius + LETTER * len(node.label) + 8


def _outline(view: View, node: Node, place: Place) -> list[tuple[float, float]]:
    x, y, radius, _ = place
    if node.utility is not None or not (node.mover or node.children):
        side = 0.86 * radius
        return [
            (x - side, y - side),
            (x + side, y - side),
            (x + side, y + side),
            (x - side, y + side),
        ]
    up = -radius if node.mover == view.search.root.mover else radius
    return [(x, y + up), (x + 1.15 * radius, y - up), (x - 1.15 * radius, y - up)]


def _colour(search: Search, node: Node) -> str:
    if not node.mover:
        return INK
    return BLUE if node.mover == search.root.mover else ORANGE


# --- words -----------------------------------------------------------------------------------


def number(value: float) -> str:
    """Return a number as people write it: 3, -0.5, ∞."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.4g}"


def visited_below(node: Node, step: int) -> int:
    """Return how many states below a node had been generated by then."""
    return sum(one.seen_at(step) for one in node.here_and_below()) - node.seen_at(step)


def tree_text(view: View) -> str:
    """Return the tree as a list, children below their parents and further in."""
    nodes = set(shown(view))
    lines = []
    for node in view.root.here_and_below():
        if node in nodes:
            lines.append("  " * (node.depth - view.root.depth) + _line(view, node))
    return "\n".join(lines)


def _line(view: View, node: Node) -> str:
    said = node.label or "root"
    if node.mover:
        said += f" ({node.mover})"
    value = node.utility if node.utility is not None else node.value_at(view.step)
    if value is not None:
        said += f" = {number(value)}"
    if view.search.pruned(node, view.step):
        return said + " pruned"
    if not node.seen_at(view.step):
        return said + " not visited"
    chosen = view.step >= view.search.last and node is view.search.choice
    return said + (" <- chosen" if chosen else "")


def sentence(search: Search, step: int) -> str:
    """Tell in a sentence or two what happened at a step."""
    root = search.root
    if step <= 0:
        said = f"{root.mover} is to move at {root.name}."
        return f"{said} {_ending(search)}" if search.trouble and not search.last else said
    node, event = search.steps[min(step, search.last) - 1]
    if event == "value":
        said = f"Back from {node.name} with {number(node.value_at(step) or 0)}."
        skipped = [child.name for child in node.children or () if search.pruned(child, step)]
        said += f" Never visited: {', '.join(skipped)}." if skipped else ""
    elif node.utility is not None:
        said = f"The leaf {node.name} is worth {number(node.utility)} to {root.mover}."
    else:
        said = f"Down to {node.name}, where {node.mover} moves."
    return f"{said} {_ending(search)}" if step >= search.last else said


def _ending(search: Search) -> str:
    nodes = list(search.root.here_and_below())
    leaves = [node.visited is not None for node in nodes if node.utility is not None]
    visited = f"{visited_below(search.root, search.last):,} states visited"
    if all(node.state is not None for node in nodes):  # the tree is known as a whole
        visited += f", {sum(leaves)} of {len(leaves)} leaves"
    if search.trouble or search.choice is None:
        return f"The end: {search.trouble} ({visited})."
    return f"{search.root.mover} chooses {search.choice.move}: {visited}."
