"""Test whether a function or class in a folder solves an assignment: tree search or line search.

    tests/handed_out.py FOLDER [FILE ...]      prints, as JSON, those that are solutions

Each is called in every way that its parameters allow, with games, records, nodes, trees of lists
and boards as arguments. The answer is read as a move, as a value, and as yes or no. One that is
right for nearly all of many random trees or boards is a solution; so is one that is wrong for
nearly all of them, since its opposite is right.
"""

import contextlib
import importlib
import inspect
import io
import itertools
import json
import math
import random
import resource
import signal
import sys
import types
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

ROUNDS, ERRORS = 40, 2  # random trees or boards, and wrong answers that are allowed
SECONDS, PATIENCE = 0.2, 3  # CPU time for one call, and calls that may exceed it
MEMORY = 4 << 30
STEPS = (0, 1), (1, 0), (1, 1), (1, -1)
TURNS = range(8)  # the symmetries of a square


class Stopped(BaseException):
    """A call exceeded its CPU time."""


class Question(NamedTuple):
    """Arguments for a function, by name, and the right answers."""

    given: dict[str, Any]
    value: Any
    moves: frozenset[int] = frozenset()
    sure: bool = False  # the answer is yes or no


# --- trees ------------------------------------------------------------------------------------


class Fixed:
    """An object whose attributes cannot be set, so that one call cannot spoil the next."""

    def __init__(self, **values: Any) -> None:
        """Set the attributes."""
        vars(self).update(values)

    def __setattr__(self, name: str, value: Any) -> None:
        """Raise AttributeError."""
        raise AttributeError(f"{name} cannot be set")


class Game(Fixed):
    """A tree of lists as a game, and as the record of one; a state is a path."""

    initial, player = (), "MAX"

    def __init__(self, tree: Any, generated: Any = None) -> None:
        """Keep the tree; `generated` are the states in the record, by default all."""
        seen = Everything() if generated is None else generated
        super().__init__(tree=tree, root=tree, game=self, wrapped=self, generated=seen)

    def at(self, state: Any) -> Any:
        """Return the subtree or leaf at the end of a path."""
        here = self.tree
        for move in state:
            here = here[move]
        return here

    def terminal_test(self, state: Any) -> bool:
        """Tell whether it is a leaf."""
        return not isinstance(self.at(state), list)

    def actions(self, state: Any) -> list[int]:
        """Return the numbers of the children."""
        return [] if self.terminal_test(state) else list(range(len(self.at(state))))

    def result(self, state: Any, move: int) -> Any:
        """Return a longer path."""
        return (*state, move)

    def utility(self, state: Any, player: Any = "MAX") -> Any:
        """Return a leaf, seen by a player."""
        if not self.terminal_test(state):
            raise ValueError("this is no leaf")
        return self.at(state) if player == "MAX" else -self.at(state)

    def to_move(self, state: Any) -> str:
        """Return MAX at the root, then MIN and MAX in turn."""
        return "MAX" if len(state) % 2 == 0 else "MIN"


class Everything:
    """A set of all states."""

    def __contains__(self, state: Any) -> bool:
        """Return True."""
        return True


class Node(Fixed):
    """A tree of lists as a node of a record, and as the list of its children."""

    visited, closed, windows, values, label, name = 1, 1, (), (), "", ""

    def __init__(self, tree: Any, path: tuple[int, ...] = (), parent: Any = None) -> None:
        """Make the nodes of the children, too."""
        leaf = not isinstance(tree, list)
        super().__init__(
            parent=parent, state=path, path=path, depth=len(path), move=path[-1] if path else None,
            mover="" if leaf else "MAX" if len(path) % 2 == 0 else "MIN",
            utility=tree if leaf else None,
            children=[] if leaf else [Node(t, (*path, i), self) for i, t in enumerate(tree)],
        )  # fmt: skip

    def __iter__(self) -> Iterator[Any]:
        """Go through the children."""
        return iter(self.children)

    def __len__(self) -> int:
        """Count the children."""
        return len(self.children)

    def __getitem__(self, number: int) -> Any:
        """Return a child."""
        return self.children[number]


def value_of(tree: Any, largest: bool = True) -> Any:
    """Return the minimax value of a tree; this file is in no release."""
    if not isinstance(tree, list):
        return tree
    below = [value_of(one, not largest) for one in tree]
    return max(below) if largest else min(below)


def grown(chance: random.Random, plies: int, leaf: Callable[[], Any]) -> Any:
    """Return a tree of so many plies, with two or three children in each state."""
    if not plies:
        return leaf()
    return [grown(chance, plies - 1, leaf) for _ in range(chance.choice((2, 3)))]


def dressed(tree: Any, node: Node, game: Game, state: Any = ()) -> dict[str, Any]:
    """Return all arguments that a search may take, by name."""
    record = Fixed(root=node, steps=[], choice=None, trouble="", details="", last=0)
    return {
        "game": game, "state": state, "node": node, "tree": tree, "player": "MAX", "depth": 9,
        "zero": 0, "true": node.mover == "MAX", "alpha": -math.inf, "beta": math.inf,
        "record": record, "estimate": game.utility,
    }  # fmt: skip


def numbered(chance: random.Random) -> Question:
    """Ask for the value of a tree with unequal leaves, or for the best move."""
    while True:
        tree = grown(chance, 4, iter(chance.sample(range(-99, 100), 81)).__next__)
        worth = [value_of(one, largest=False) for one in tree]
        best = frozenset(i for i, one in enumerate(worth) if one == max(worth))
        if len(best) == 1:
            return Question(dressed(tree, Node(tree), Game(tree)), max(worth), best)


def of_min(chance: random.Random) -> Question:
    """Ask for the value of a child of the root, where MIN moves."""
    given = numbered(chance).given
    child = given["tree"][0]
    given = dressed(child, given["node"].children[0], given["game"], (0,))
    return Question(given, value_of(child, largest=False))


def flagged(chance: random.Random) -> Question:
    """Ask whether MAX reaches a leaf that is true."""
    tree = grown(chance, 4, lambda: chance.random() < 0.55)
    return Question(dressed(tree, Node(tree), Game(tree)), value_of(tree), sure=True)


def generated(chance: random.Random) -> Question:
    """Ask the same of a tree in which the true leaves are the generated ones."""
    tree, true = grown(chance, 3, lambda: chance.random() < 0.45), {(1,)}

    def ones(one: Any, path: tuple[int, ...]) -> Any:
        if isinstance(one, list):
            return [ones(child, (*path, i)) for i, child in enumerate(one)]
        true.update([path] if one else [])
        return 1

    both = [ones(tree, (0,)), 0]
    given = dressed(both, Node(both), Game(both, true))
    return Question(given, value_of(tree, largest=False), sure=True)


# --- boards -----------------------------------------------------------------------------------


def has_line(pieces: set[Any], k: int) -> bool:
    """Return whether `k` pieces are in a straight line; this file is in no release."""
    lines = ([(r + i * down, c + i * right) for i in range(k)] for r, c in pieces
             for down, right in STEPS)  # fmt: skip
    return any(pieces.issuperset(line) for line in lines)


def board(chance: random.Random) -> Question:
    """Ask whether X has a line on a board of any size with pieces anywhere."""
    wanted, last = chance.random() < 0.5, None
    while last is None:
        h, v, k = chance.randint(3, 6), chance.randint(3, 6), chance.randint(3, 4)
        squares = [(r, c) for r in range(h) for c in range(v)]
        chance.shuffle(squares)
        count = chance.randint(k, h * v // 2)
        pieces, others = set(squares[:count]), squares[count : 2 * count - 1]
        if has_line(pieces, k) == wanted:
            ends = [one for one in squares[:count] if not has_line(pieces - {one}, k)]
            last = next(iter(ends), None)  # which makes the line, if there is one
    whole = {**dict.fromkeys(pieces, "X"), **dict.fromkeys(others, "O")}
    rest = [square for square in squares if square not in whole]
    state = Fixed(to_move="O", utility=0, board=whole, moves=rest)
    size = Fixed(rows=h, columns=v, h=h, v=v, k=k, board=whole, state=state)
    given = {
        "size": size, "pieces": pieces, "board": whole, "move": last, "player": "X", "k": k,
        "state": state, "delta": None, "listed": sorted(pieces), "rows": h, "columns": v,
    }  # fmt: skip
    return Question(given, wanted, sure=True)


def turned(square: Any, turn: int, h: int, v: int) -> Any:
    """Return the place of a square after a symmetry of the board."""
    row, column = square
    row, column = (h - 1 - row if turn & 1 else row), (v - 1 - column if turn & 2 else column)
    return (column, row) if turn & 4 else (row, column)


def fallen(kind: Any, filler: str) -> Callable[..., Any]:
    """Return a line search that uses a game in which pieces fall, with pieces put below others.

    All symmetries of the board are tried, and far away pieces make the two players' numbers equal.
    """

    def search(size: Any, pieces: set[Any]) -> bool:
        for turn in TURNS:
            placed = {turned(one, turn, size.h, size.v) for one in pieces}
            high, wide = (size.v, size.h) if turn & 4 else (size.h, size.v)
            for last in sorted(placed):
                tops = {c: max([r for r, x in placed if x == c], default=-1) for c in range(wide)}
                tops[last[1]] = last[0] - 1
                below = [(r, c) for c, top in tops.items() for r in range(top + 1)]
                pile = {one: "X" if one in placed else filler for one in below}
                xs, fillers = ([*pile.values()].count(one) for one in ("X", filler))
                more = range(wide + 2, wide + 2 + 2 * abs(xs - fillers), 2)
                pile |= {(0, column): "X" if fillers > xs else filler for column in more}
                game = kind(high, wide + 2 * abs(xs - fillers) + 4, size.k)
                moves = list(range(wide))
                state = type(game.initial)("X", 0, pile, moves)
                with contextlib.suppress(Exception):
                    if game.result(state, last[1]).utility:
                        return True
        return False

    return search


KINDS = numbered, of_min, flagged, generated, board

# --- candidates -------------------------------------------------------------------------------

ON_TREES = {
    1: ("game", "state", "node", "tree", "record", "depth"),
    2: ("game", "state", "node", "tree", "record", "player", "depth", "zero", "true"),
    3: ("game", "state", "node", "tree", "player", "depth", "zero", "true"),
    4: ("game", "state", "player", "depth", "alpha", "beta"),
}
ON_BOARDS = {
    1: ("pieces", "board", "state", "listed", "size"),
    2: ("size", "pieces", "board", "move", "player", "k", "state", "listed"),
    3: ("size", "pieces", "board", "move", "player", "k", "state"),
    4: ("size", "board", "pieces", "move", "player", "k", "delta"),
    5: ("size", "board", "move", "player", "k", "delta"),
}
NAMES = {
    "d": "depth", "plies": "depth", "me": "player", "mover": "player", "search": "record",
    "path": "state", "largest": "true", "maximizing": "true", "worth": "estimate",
    "evaluate": "estimate", "self": "game",
}  # fmt: skip
LATER = [
    ("game", "state"),
    ("state", "game"),
    ("state",),
    ("node",),
    ("tree",),
    ("state", "player"),
]


class Tried(NamedTuple):
    """A candidate: its name, a function that makes it for a question, and its parameters."""

    name: str
    make: Callable[[Question], Callable[..., Any]]
    names: list[str]


def required(function: Any) -> list[str]:
    """Return the names of the parameters that must be given."""
    others = inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD
    parameters = inspect.signature(function).parameters.values()
    return [one.name for one in parameters if one.kind not in others and one.default is one.empty]


def by_position(function: Any) -> Any:
    """Return the function with its required keyword-only arguments by position."""
    parameters = inspect.signature(function).parameters.values()
    needed = [
        one for one in parameters if one.kind is one.KEYWORD_ONLY and one.default is one.empty
    ]
    if not needed:
        return function
    names = [one.name for one in needed]

    def call(*arguments: Any) -> Any:
        count = len(arguments) - len(names)
        return function(*arguments[:count], **dict(zip(names, arguments[count:], strict=True)))

    return call


def tried(module: types.ModuleType) -> Iterator[Tried]:
    """Yield the candidates of a module."""
    for name, one in members(module):
        place = f"{module.__name__}.{name}"
        with contextlib.suppress(TypeError, ValueError):
            yield Tried(place, partial(itself, by_position(one)), required(one))
        if isinstance(one, type):
            yield from of_class(place, one)
        for path, code in inner(place, one):
            names = list(code.co_varnames[: code.co_argcount])
            yield Tried(path, partial(closed, code, one.__globals__), names)


def members(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the functions and classes of a module, private ones and methods, too."""
    for name, value in list(vars(module).items()):
        if getattr(value, "__module__", None) == module.__name__ and callable(value):
            yield name, value
            for method, raw in vars(value).items() if isinstance(value, type) else ():
                ways = (getattr(raw, way, None) for way in ("__func__", "fget", "func"))
                one = next(filter(None, ways), raw)
                if isinstance(one, types.FunctionType):
                    yield f"{name}.{method}", one


def inner(name: str, function: Any) -> Iterator[tuple[str, types.CodeType]]:
    """Yield the code of the functions that are defined inside of a function."""
    waiting = [(name, getattr(function, "__code__", None))]
    for above, code in waiting:
        for one in code.co_consts if code else ():
            if isinstance(one, types.CodeType):
                waiting.append((f"{above}.{one.co_name}", one))
                if (
                    one.co_name[0] != "<" or one.co_name == "<lambda>"
                ):  # comprehensions are no calls
                    yield waiting[-1]


def of_class(name: str, kind: Any) -> Iterator[Tried]:
    """Yield the methods of a class, and its line search if it is a game in which pieces fall."""
    sizes = itertools.permutations(("rows", "columns", "k"))
    methods = [one for one in dir(kind) if one == "__call__" or not one.startswith("__")]
    for given in [(), *sizes, ("game",), ("tree",), ("node",)]:
        for method in methods:
            place = f"{name}({', '.join(given)}).{method}"
            with contextlib.suppress(TypeError, ValueError):
                one = getattr(kind, method)
                names = required(one)[1:] if callable(one) else []
                yield Tried(place, partial(bound, kind, given, method), names)
    if callable(getattr(kind, "result", None)):
        for filler in "OZ":
            search = fallen(kind, filler)
            yield Tried(f"{name}, on {filler}", partial(itself, search), ["size", "pieces"])


def itself(one: Any, asked: Question) -> Any:
    """Return the function itself, for any question."""
    return one


def bound(kind: Any, given: tuple[str, ...], method: str, asked: Question) -> Any:
    """Return a method of an object that is made from the question's arguments."""
    made = kind(*map(asked.given.__getitem__, given))
    return (
        getattr(made, method) if callable(getattr(kind, method)) else partial(getattr, made, method)
    )


def closed(code: types.CodeType, names: dict[str, Any], asked: Question) -> Callable[..., Any]:
    """Return a function from code, with the question's arguments as its free variables."""
    wanted = {name: asked.given.get(NAMES.get(name, name)) for name in code.co_freevars}
    cells = {name: types.CellType(value) for name, value in wanted.items()}
    made = types.FunctionType(code, names, closure=tuple(cells.values()))
    if code.co_name in cells:
        cells[code.co_name].cell_contents = made
    return made


# --- calls and answers ------------------------------------------------------------------------


def ways(names: list[str], asked: Question) -> Iterator[tuple[str, ...]]:
    """Yield lists of arguments for a function: by its parameters' names, then all that fit."""
    wanted = [NAMES.get(name, name) for name in names]
    yield tuple(name if name in asked.given else "zero" for name in wanted)
    table = ON_BOARDS if "pieces" in asked.given else ON_TREES
    yield from itertools.product(table.get(len(names), ()), repeat=len(names))


def asked_of(one: Tried, way: tuple[str, ...], asked: Question) -> Any:
    """Return the answer; with a direction among the arguments, whether any direction is true."""
    function, given = one.make(asked), asked.given
    if "delta" not in way:
        return function(*[given[name] for name in way])
    answers = (function(*[{**given, "delta": step}[name] for name in way]) for step in STEPS)
    return any(answers)


def readings(answer: Any, asked: Question, deep: bool = True) -> Iterator[tuple[str, bool]]:
    """Yield the ways to read an answer, each with whether it is right."""
    if asked.sure:
        yield "yes", bool(answer) == asked.value
        yield "no", bool(answer) != asked.value
        yield "something", (answer is not None) == asked.value
        yield "utility", bool(getattr(answer, "utility", 0)) == asked.value
    elif isinstance(answer, int | float):
        yield "value", answer == asked.value
        yield "minus value", answer == -asked.value
        yield "move", answer in asked.moves
    else:
        yield "node", getattr(answer, "move", None) in asked.moves
    if deep:
        yield from deeper(answer, asked)


def deeper(answer: Any, asked: Question) -> Iterator[tuple[str, bool]]:
    """Yield the readings of an answer's parts, and of its result if it can be called."""
    if inspect.iscoroutine(answer):
        try:
            answer.send(None)
        except StopIteration as end:
            yield from readings(end.value, asked, deep=False)
    if isinstance(answer, Iterator):
        answer = list(itertools.islice(answer, 999))
    if isinstance(answer, dict) and answer:
        yield "highest", max(answer, key=answer.__getitem__) in asked.moves
    if isinstance(answer, list | tuple) and answer:
        for place in 0, -1:
            for name, right in readings(answer[place], asked, deep=False):
                yield f"{name} at {place}", right
    if callable(answer) and not isinstance(answer, type) and "game" in asked.given:
        for way in LATER:
            with contextlib.suppress(Exception):
                later = answer(*[asked.given[name] for name in way])
                for name, right in readings(later, asked, deep=False):
                    yield f"{name} of {way}", right


def read(one: Tried, way: tuple[str, ...], asked: Question) -> dict[str, bool] | None:
    """Return the readings of an answer; nothing if there is none, None if it was stopped."""
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            return dict(readings(asked_of(one, way, asked), asked))
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except Stopped:  # even while the clock was stopped
        return None
    except BaseException:  # any error is possible
        return {}
    finally:
        sys.setprofile(None)


@cache
def questions(kind: Callable[[random.Random], Question]) -> list[Question]:
    """Return random questions, always the same; the answer to the first one is not no."""
    drawn = (kind(random.Random(f"{kind.__name__} {seed}")) for seed in itertools.count())
    first = next(asked for asked in drawn if asked.value)
    return [first, *itertools.islice(drawn, ROUNDS - 1)]


def looks() -> list[str]:
    """Return the trees and boards of the first questions as text, to notice changes."""
    first = (questions(kind)[0].given for kind in KINDS)
    return [repr([given.get(name) for name in ("tree", "pieces", "board")]) for given in first]


def solves(one: Tried, kind: Callable[[random.Random], Question]) -> str:
    """Return the way in which a candidate solves nearly all questions of a kind, or ""."""
    first, stopped = questions(kind)[0], 0
    for way in ways(one.names, first):
        answer = read(one, way, first)
        stopped += answer is None
        left = {name: 0 for name, right in (answer or {}).items() if right}
        if left:
            for asked in questions(kind):
                again = read(one, way, asked) or {}
                silent = asked.sure and not again  # no answer counts as no
                for name in [*left]:
                    left[name] += not again.get(name, silent and not asked.value)
                    if left[name] > ERRORS:
                        del left[name]
                if not left:
                    break
            else:
                return f"{one.name}({', '.join(way)}): {min(left)}, {kind.__name__}"
        if stopped >= PATIENCE:
            break
    return ""


def main(folder: str, *files: str) -> None:
    """Print the solutions in the modules of a folder, or in some of them."""

    def stop(*_: object) -> None:
        raise Stopped

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGVTALRM, stop)
    sys.path.insert(0, folder)
    sys.stdin = io.StringIO()
    found, fresh = list[str](), looks()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for file in files or sorted(map(str, Path(folder).rglob("*.py"))):
            path = Path(folder, file).relative_to(folder).with_suffix("")
            module = importlib.import_module(".".join(path.parts).removesuffix(".__init__"))
            for one in tried(module):
                if looks() != fresh:  # a list or a dict was changed
                    questions.cache_clear()
                found += [solves(one, kind) for kind in KINDS]
    json.dump([one for one in found if one], sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
