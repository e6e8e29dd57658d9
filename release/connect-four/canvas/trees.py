"""Step through the tree of a search: draw it as it was at each step, and say what happened.

A triangle that points up is a state in which the searching player moves, and the larger value
counts; one that points down is the opponent's; a square is a leaf. Pruned branches are dashed,
and what was never visited is grey. Here is no search: the one that is watched is yours.
"""

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from canvas.drawing import (
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
)
from canvas.page import Shown
from canvas.search import Node, Search, watch
from games import Game, Move, State, TreeGame

Chooser: TypeAlias = Callable[[Game, Any], Move]

NARROWEST, WIDEST = 460, 846  # a tree, in pixels
MOST_ON_PAPER = 200  # nodes of a tree that is not on a screen
LEFT, TOP, LEVEL = 52, 30, 84  # room for the names of the players; height of a ply
LARGEST, SMALLEST = 17, 1.2  # half the width of a node
LETTER = 8  # the width of a letter, at most
FOR_WINDOW = 34  # the room that alpha and beta take
READABLE = 10.5  # half the width of a node that has room for a number
ROOM = 260  # characters of values that are listed in words


class View(NamedTuple):
    """What part of a search to draw, and when."""

    search: Search
    step: int
    root: Node
    depth: int  # plies below `root`
    windows: bool  # alpha and beta, too
    counts: bool = False  # how many states were visited below each


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
        size = min(13, 2.2 * radius / max(2, len(number(value))))
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
    more = visited_below(node, view.step) if view.counts and node.mover else 0
    last = not node.mover or (view.root is not node and node.depth - view.root.depth == view.depth)
    if last:
        at, anchor = (x, y + radius + 15), "middle"
    elif place.gap > _room(node, place):
        at, anchor = (x - 1.15 * radius - 4, y - radius + 9), "end"
    else:
        return []
    shapes: list[Shape] = [Words(*at, node.label, small, ink, anchor=anchor)]
    if more and (last or place.gap > 2.3 * radius + LETTER * len(f"{more:,}")):
        shapes.append(Words(at[0], at[1] + 14, f"+{more:,}", min(11, small), QUIET, anchor=anchor))
    return shapes


def _room(node: Node, place: Place) -> float:
    """Return the width of a node with its name."""
    return 2.3 * place.radius + LETTER * len(node.label) + 4


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
    """Return a number as people write it: 3, -0.5, 0.3333, ∞."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{round(value, 4):.12g}"


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


# --- in a notebook ---------------------------------------------------------------------------


class TreeShow(Shown):
    """A tree that can be walked through, step by step, as a search did."""

    windows = True
    zoom = False

    def __init__(
        self, name: str, game: Game, player: Chooser, state: State, depth: int, live: bool | None
    ) -> None:
        """Let the player search, keep the record, and show its end, or in a page its start."""
        super().__init__(name, live)
        self.search = watch(game, player, state)
        self.root, self.depth = self.search.root, depth
        self.trouble = self.search.details
        nodes = shown(self._view(0))
        self.plies = max(node.depth for node in nodes)
        ends = sum(not node.children or node.depth == depth for node in nodes)
        self.width = min(WIDEST, max(NARROWEST, LEFT + 12 + 29 * ends))
        self._find_stops()
        self.stop = len(self.stops) - 1
        if self.live:
            self.build(self.width, self.picture().height, *self._controls())
            self.go(self.stop if self.zoom else 0)

    def go(self, stop: int) -> None:
        """Show one of the steps at which something changes in the picture, counted from 0."""
        self.stop = max(0, min(stop, len(self.stops) - 1))
        if self.box is not None and self._position.value != self.stop:
            self._position.value = self.stop  # which comes back here
        else:
            self.redraw()

    @property
    def step(self) -> int:
        """Return the step of the search that is shown."""
        return self.stops[self.stop]

    def picture(self) -> Picture:
        """Draw the tree as it was at this step."""
        return tree_picture(self._view(self.step), self.width)

    def status(self) -> str:
        """Tell what happened at this step."""
        return f"Step {self.stop} of {len(self.stops) - 1}: {sentence(self.search, self.step)}"

    def still(self) -> tuple[Picture, str]:
        """Return the tree at the end of the search, with no more plies than one can read."""
        depth = self.depth
        while len(shown(self._view(0)._replace(depth=depth))) > MOST_ON_PAPER and depth > 1:
            depth = min(depth, self.plies) - 1
        view = self._view(self.search.last)._replace(depth=depth)
        return tree_picture(view, self.width), sentence(self.search, self.search.last)

    def _view(self, step: int) -> View:
        return View(self.search, step, self.root, self.depth, self.windows, self.zoom)

    def _find_stops(self) -> None:
        """List the steps at which something is to be seen in the part of the tree that is shown."""
        nodes = set(shown(self._view(self.search.last)))
        steps = enumerate(self.search.steps, start=1)
        seen = [step for step, (node, _) in steps if node in nodes]
        self.stops = sorted({0, *seen, self.search.last})

    def clicked(self, x: float, y: float) -> None:
        """Look closer at the part of the tree below the node that is clicked; at the root, back."""
        if not self.zoom:
            return
        node = node_at(layout(self._view(self.step), self.width), x, y)
        if node is self.root:
            self._look_at(self.search.root)
        elif node is not None and node.children:
            self._look_at(node)

    def _look_at(self, node: Node) -> None:
        self.root = node
        self._find_stops()
        if self.box is not None:
            self._position.max = len(self.stops) - 1
        self.go(len(self.stops) - 1)

    def _controls(self) -> list[Any]:
        """Make the buttons, and the slider for the speed."""
        from ipywidgets import Button, IntSlider, Play

        last = len(self.stops) - 1
        self._position = Play(value=0, min=0, max=last, interval=700, show_repeat=False)
        self._position.observe(self.safely(lambda change: self.go(change["new"])), "value")
        speed = IntSlider(value=3, min=1, max=10, description="Speed", readout=False)
        speed.observe(self.safely(self._set_speed), "value")
        controls = [self._position]
        for label, icon, move in (
            ("Back", "step-backward", lambda: self.stop - 1),
            ("Step", "step-forward", lambda: self.stop + 1),
            ("End", "fast-forward", lambda: len(self.stops) - 1),
        ):
            button = Button(description=label, icon=icon, layout={"width": "auto"})
            button.on_click(self.safely(lambda _, move=move: self.go(move())))
            controls.append(button)
        return [*controls, speed]

    def _set_speed(self, change: Any) -> None:
        self._position.interval = round(2100 / change["new"])


class Canvas_min_max(TreeShow):  # noqa: N801
    """Step through a small tree as your minimax walked through it."""

    windows = False

    def __init__(
        self, name: str, leaves: Iterable[float] | Game, search: Chooser, live: bool | None = None
    ) -> None:
        """Show `search` in the tree with these leaves, three children each, or in a small game.

        `search` is a player, or a function of (game, state) or (state, game).
        """
        game = leaves if isinstance(leaves, Game) else TreeGame(leaves)
        super().__init__(name, game, search, None, sys.maxsize, live)


class Canvas_alpha_beta(Canvas_min_max):  # noqa: N801
    """Step through a small tree as your alpha-beta search did, with alpha, beta and what it cut."""

    windows = True


class Canvas_search(TreeShow):  # noqa: N801
    """See the top of the tree that a player searches; click a node to look closer."""

    zoom = True

    def __init__(
        self, name: str, game: Game, player: Chooser, state: State = None, depth: int = 3,
        live: bool | None = None,
    ) -> None:  # fmt: skip
        """Let `player` choose a move in `state`, or in the initial one; draw `depth` plies."""
        super().__init__(name, game, player, state, depth, live)
