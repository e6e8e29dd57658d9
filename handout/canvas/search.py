"""Record a search of a game tree: which states were visited, and which values were returned.

`watch(game, search)` lets your function or player choose a move, and looks at the calls that are
made on the way. What `game.result` returns has been visited; any other call with a state among its
arguments is about that state, the arguments `alpha` and `beta` are its window, and a number that
comes back, alone or with a move, is its value. There is no search in here; `stepper` draws what was
recorded.
"""

import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from itertools import islice
from numbers import Integral, Real
from pathlib import Path
from types import FrameType
from typing import Any, Optional, TypeAlias, TypeVar

import games
from games import Game, Move, NestedTree, State, name_of

T = TypeVar("T")

SMALL = 200  # a tree with no more nodes is drawn as a whole, what was not visited included
MOST = 20_000  # states that may be generated before the record ends


class TooLongError(BaseException):
    """Ends a search; not an Exception, so that no `except` of the search catches it."""


class WatchedNode:
    """A state in the tree, and what a search has told of it up to now."""

    seen: bool
    value: float | None
    is_cut: bool  # the value came back when some children had been seen, and not all
    window: tuple[float | None, float | None]  # alpha and beta

    def __init__(
        self, game: Game, state: State, parent: Optional["WatchedNode"] = None, move: Move = None
    ) -> None:
        """Start with nothing told; `move` leads to the state from its parent."""
        self.game, self.state, self.parent, self.move = game, state, parent, move
        self.depth: int = parent.depth + 1 if parent else 0
        self.player: str = parent.player if parent else game.to_move(state)  # who searches
        over = parent and game.terminal_test(state)
        self.mover = "" if over else game.to_move(state)
        self.utility = game.utility(state, self.player) if over else None
        self.children: list[WatchedNode] = []  # as far as they are known
        self.is_reached = False  # now or later
        self.forget()

    def forget(self) -> None:
        """Go back to where nothing has been told."""
        self.seen, self.value, self.is_cut, self.window = False, None, False, (None, None)

    @property
    def name(self) -> str:
        """Return a state that is a text, or else the moves that lead to it, "" for the root."""
        if isinstance(self.game, NestedTree):
            return "".join(map(str, self.state))
        if isinstance(self.state, str) or self.parent is None:
            return self.state if isinstance(self.state, str) else ""
        move = "".join(char for char in str(self.move) if char not in " ()'")
        return f"{self.parent.name} {move}".lstrip()

    def grow(self) -> list["WatchedNode"]:
        """Return the children, which are made once."""
        if not self.children and not self.game.terminal_test(self.state):
            for move in self.game.actions(self.state):
                state = self.game.result(self.state, move)
                self.children.append(WatchedNode(self.game, state, self, move))
        return self.children

    def here_and_below(self) -> "Iterator[WatchedNode]":
        """Yield the node and all below it, parents before children, from left to right."""
        yield self
        for child in self.children:
            yield from child.here_and_below()

    def child_by(self, answer: object) -> Optional["WatchedNode"]:
        """Return the child that an answer leads to, None if that is no move here.

        numpy writes moves in its own way; neither True nor 1.0 is the move 1.
        """
        for child in self.children:
            kind = type(child.move), Integral
            if isinstance(answer, kind) and not isinstance(answer, bool) and answer == child.move:
                return child
        return None


# Something is told of a node: that it is "seen", its "value", or its "window".
Event: TypeAlias = tuple[WatchedNode, str, Any]


class WatchedSearch:
    """The record of a search: the tree, what happened one after the other, and how it ended."""

    def __init__(self, game: Game, state: State) -> None:
        """Start at `state`, with nothing else seen."""
        self.root = WatchedNode(game, state)
        self.events: list[Event] = []
        self.place = 0  # of the value in a pair of a value and a move
        # Are values for the player to move, as in negamax? If more fit so.
        self.is_for_mover = False
        self.choice: WatchedNode | None = None  # the child that was chosen
        self.answer: Any = None  # as the search returned it
        self.told: Any = None  # the value that is part of it, if there is one
        self.trouble = self.details = ""  # what went wrong, in words, and where
        self._nodes = {id(state): self.root}
        self._states = [state]  # so that no other object gets the id of a state
        self._calls: list[tuple[FrameType, WatchedNode]] = []
        self._query: FrameType | None = None  # a call of the game, and what it was asked
        self._arguments: list[Any] = []
        self._reach(self.root)
        nodes = [self.root]
        for node in nodes:
            nodes += node.grow()
            if len(nodes) > SMALL:  # so only what is visited will be known
                self.root.children = []
                break

    # while the search runs

    def look(self, frame: FrameType, event: str, arg: Any) -> None:
        """Record a call or a return, as `sys.setprofile` reports it."""
        code, calls = frame.f_code, self._calls
        if self._query is not None:  # calls that the game makes are no search
            if event == "return" and frame is self._query:
                self._query = None
                if code.co_name == "result" and code.co_argcount > 2 and arg is not None:
                    self._visit(arg, *self._arguments)
        elif event == "call":
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            if frame.f_locals.get("self") is self.root.game:
                self._query, self._arguments = frame, [frame.f_locals.get(name) for name in names]
                return
            values = map(frame.f_locals.get, sorted(names, key=lambda name: name != "state"))
            node = next(filter(None, (self._nodes.get(id(value)) for value in values)), None)
            if node is None:
                return
            calls.append((frame, node))
            for call, its_node in calls[-2:]:  # what called it may have another window by now
                window = _number(call.f_locals.get("alpha")), _number(call.f_locals.get("beta"))
                if window not in ((None, None), its_node.window):
                    its_node.window = window
                    self.events.append((its_node, "window", window))
        elif event == "return" and calls and calls[-1][0] is frame:
            node = calls.pop()[1]
            helped = calls and calls[-1][1] is node  # help for a call about the state
            if node.parent and not helped and any(_number(one) is not None for one in _pair(arg)):
                self.events.append((node, "value", arg))

    def _visit(self, new: State, _: Game, state: State, move: Move, *more: Any) -> None:
        """Record that a move was made; TooLongError after `MOST` of them."""
        latest = islice(reversed(self._nodes.values()), SMALL)
        node = self._nodes.get(id(state)) or next((n for n in latest if n.state == state), None)
        children = node.grow() if node else []
        child = next((child for child in children if child.move == move), None)
        if child is None:
            return
        if len(self._states) > MOST:
            raise TooLongError
        self._nodes[id(new)] = child
        self._states.append(new)
        if not child.is_reached:
            self._reach(child)

    def _reach(self, node: WatchedNode) -> None:
        node.is_reached = True
        self.events.append((node, "seen", True))

    def replay(self) -> Iterator[Event]:
        """Go through what happened: after each event the nodes are as they were by then."""
        for node in self.root.here_and_below():
            node.forget()
        for event in self.events:
            node, name, what = event
            if name == "value":
                what = _number(_pair(what)[self.place])
                flags = [child.seen for child in node.children]
                node.is_cut = what is not None and any(flags) and not all(flags)
            if name != "window":
                self.now = event
            setattr(node, name, what)
            yield event

    # when it has ended

    def finish(self, name: str) -> None:
        """Tell values from moves, and record the choice and the root's value.

        That is the value that was returned, or else that of the choice.
        """
        root, answer = self.root, self.answer
        root.grow()
        returns = [(node, what) for node, event, what in self.events if event == "value"]
        returns += [] if root.child_by(answer) else [(root, answer)]
        pairs = [(node, what) for node, what in returns if _pair(what) is what]
        is_moves = [all(p[i] is None or node.child_by(p[i]) for node, p in pairs) for i in (0, 1)]
        self.place = int(is_moves == [True, False])
        fits = 0
        list(self.replay())
        for node in root.here_and_below():
            children = [child for child in node.children if child.seen]
            values = [child.utility if child.value is None else child.value for child in children]
            if node.value is not None:
                fits += (node.value in values) - (-node.value in values)
        self.is_for_mover = fits < 0
        self.choice = root.child_by(answer) or root.child_by(_pair(answer)[1 - self.place])
        value = None
        if self.choice is None:
            self.trouble = self.trouble or f"{name} returned {answer!r}, which is no move"
        elif answer != self.choice.move:
            value = self.told = answer[self.place]
        elif not self.is_for_mover:
            value = self.choice.value
        self.events.append((root, "value", value))
        list(self.replay())

    def is_pruned(self, node: WatchedNode) -> bool:
        """Return whether by now a child has been skipped for good, and a sibling has not."""
        parent = node.parent
        if parent is None or node.is_reached:
            return False
        done = parent.value is not None or self.now is self.events[-1]
        return done and any(child.seen for child in parent.children)

    def drawn(self, make: Callable[..., T], depth: int = 99, node: WatchedNode | None = None) -> T:
        """Return the tree of so many plies as it is known by now; `make` makes a node to be drawn.

        Before a value stands ≤ or ≥ if it came back before all children were seen.
        """
        node = node or self.root
        value = number(node.value if node.utility is None else node.utility)
        if node.is_cut:
            at_least = self.is_for_mover or node.mover == node.player
            value = f"{'≥' if at_least else '≤'} {value}"
        unseen = "" if node.seen else "pruned" if self.is_pruned(node) else "not looked at"
        nodes = [self.drawn(make, depth, one) for one in node.children if one.depth <= depth]
        chosen = node is self.choice and self.now is self.events[-1]
        bounds = zip("αβ", node.window, strict=True)
        notes = [f"{name} {number(bound)}" for name, bound in bounds if bound is not None]
        label = node.name.rpartition(" ")[2]
        return make(label, node.mover, value, nodes, unseen, "", chosen, node is self.now[0], notes)


def watch(game: Game, search: Callable[..., Any], state: State = None) -> WatchedSearch:
    """Let `search` choose a move in `state`, or else in the initial one, and return the record.

    A function whose first parameter is called `state` is called with (state, game), any other with
    (game, state). Errors of the search end the record and stand in `trouble`. TypeError if
    `search` is a class.
    """
    if isinstance(search, type):
        raise TypeError(f"{search.__name__} is a class: give a player, such as {search.__name__}()")
    game_and_state = [game, game.initial if state is None else state]
    record = WatchedSearch(*game_and_state)
    if list(inspect.signature(search).parameters)[:1] == ["state"]:
        game_and_state.reverse()
    profiler, name = sys.getprofile(), name_of(search)
    sys.setprofile(record.look)
    try:
        record.answer = search(*game_and_state)
    except TooLongError:
        record.trouble = f"{name} was stopped after {MOST:,} states"
    except Exception as error:
        record.trouble = f"{name} raised {type(error).__name__}: {error}"
        record.details = details(error)
    finally:
        sys.setprofile(profiler)
    record.finish(name)
    return record


def details(error: BaseException) -> str:
    """Return the traceback of an error, from the first call on that is not made by us."""
    trace, library = error.__traceback__, {Path(__file__).parent, Path(games.__file__)}
    while trace and trace.tb_next:
        file = Path(trace.tb_frame.f_code.co_filename)
        if library.isdisjoint((file, file.parent)):
            break
        trace = trace.tb_next
    return "".join(traceback.format_exception(error.with_traceback(trace)))


def _pair(answer: Any) -> Any:
    """Return what came back if it is a pair, such as a value and a move, else twice the same."""
    pair = isinstance(answer, tuple) and len(answer) == 2
    return answer if pair else (answer, answer)


def _number(value: Any) -> float | None:
    """Return a value if it is a number, else None."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    return float(value) + 0 if is_number else None  # and not -0


def number(value: float | None) -> str:
    """Return a number as people write it: 3, -0.5, 0.3333, ∞; "" for None."""
    return "" if value is None else f"{round(value, 4):.12g}".replace("inf", "∞")
