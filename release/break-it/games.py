"""Provide the games, the players and the boards that the notebooks work with.

Here are the interface that every game keeps (`Game`), three games to search, two players that
need no search, and helpers that set up positions. Here is no search algorithm and no tic-tac-toe:
those are for you to write. Nothing but Python itself is needed; `play` plays in the console.

Conventions: a row and a column are counted from 0; an illegal move raises `IllegalMove`, a
`ValueError`; `result` never changes the state it is given.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said in words that an older Python understands
    raise ImportError(f"This needs Python 3.11 or newer, and here is {sys.version.split()[0]}.")

import ast
import hashlib
import math
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import cycle, product
from typing import Any, ClassVar, NamedTuple, TypeAlias

__all__ = [
    "OPENINGS", "ConnectFour", "Fig52Game", "Game", "GameState", "IllegalMove", "Move", "Player",
    "Square", "State", "TreeGame", "after", "human_player", "infinity", "personal_leaves",
    "query_player", "random_player", "state_from",
]  # fmt: skip

State: TypeAlias = Any  # each game says what its states are
Move: TypeAlias = Any  # and what its moves are
Square: TypeAlias = tuple[int, int]  # (row, column)
Chooser: TypeAlias = Callable[["Game", State], Move]  # what takes part in a game

infinity = math.inf


class GameState(NamedTuple):
    """Describe a position of a board game; `moves` are the legal moves in it.

    The utility is the one for 'X': positive when X has won, negative when O has, else 0.
    """

    to_move: str
    utility: float
    board: dict[Square, str]
    moves: Sequence[Move]


class IllegalMove(ValueError):  # noqa: N818 - it names what happened, as the rules of a game do
    """A move that the rules do not allow in this state."""


class Game(ABC):
    """Define what a game for players who take turns must be able to do.

    A new game writes `actions`, `result` and `utility`, and sets `initial`, the state it starts in
    (an attribute or a property). The other methods have defaults, which a game may replace.
    """

    initial: State

    @abstractmethod
    def actions(self, state: State) -> Iterable[Move]:
        """Return the legal moves in `state`: a fresh list, or a generator."""

    @abstractmethod
    def result(self, state: State, move: Move) -> State:
        """Return the state that `move` leads to, and leave `state` as it is."""

    @abstractmethod
    def utility(self, state: State, player: str) -> float:
        """Return what the terminal `state` is worth to `player`."""

    def terminal_test(self, state: State) -> bool:
        """Return True if the game is over in `state`: no move is left."""
        return not list(self.actions(state))

    def to_move(self, state: State) -> str:
        """Return the name of the player whose turn it is in `state`."""
        return state.to_move  # type: ignore[no-any-return]

    def display(self, state: State) -> None:
        """Print `state`."""
        print(state)

    def play_game(self, *players: Chooser, verbose: bool = False, initial: State = None) -> float:
        """Play a game; return the utility of its final state for the player who moved first.

        The players take turns in the order given, from `initial` or else from `game.initial`;
        with `verbose` every move and state is shown. An illegal move ends the game with an
        `IllegalMove` that names the player who made it.

        >>> Fig52Game().play_game(lambda game, state: 'a1', lambda game, state: 'b3')
        8
        """
        if not players:
            raise ValueError("a game needs players: play_game(first_player, second_player)")
        state = start = self.initial if initial is None else initial
        if verbose:
            self.display(state)
        for move, by, state in turns(self, players, start):
            if verbose:
                print(f"{move!r} {by}:")
                self.display(state)
        return self.utility(state, self.to_move(start))


class Player(ABC):
    """Define a player: an object that is called to choose a move."""

    @abstractmethod
    def __call__(self, game: Game, state: State) -> Move:
        """Return a legal move in `state`."""


def turns(
    game: Game, players: Sequence[Chooser], state: State
) -> Iterator[tuple[Move, str, State]]:
    """Let the players move in turn; yield each move, who played it, and where it leads."""
    order = cycle(players)
    while not game.terminal_test(state):
        player = next(order)
        name = getattr(player, "__name__", type(player).__name__)
        by = f"played by {name} as {game.to_move(state)}"
        legal = list(game.actions(state))
        move = _checked(player(game, state), legal, f", {by},")
        state = game.result(state, move)
        yield move, by, state


class Fig52Game(Game):
    """Walk the two-ply tree of figure 5.2 in Russell and Norvig's textbook.

    A state is a string: 'A' at the root, where MAX moves, 'B' to 'D', where MIN moves, and the
    leaves 'B1' to 'D3'. The moves are 'a1' to 'a3' in A, 'b1' to 'b3' in B, and so on.

    >>> game = Fig52Game()
    >>> game.result('A', 'a3'), game.actions('D'), game.utility('D1', 'MAX')
    ('D', ['d1', 'd2', 'd3'], 14)
    """

    initial = "A"
    children: ClassVar = {
        "A": {"a1": "B", "a2": "C", "a3": "D"},
        "B": {"b1": "B1", "b2": "B2", "b3": "B3"},
        "C": {"c1": "C1", "c2": "C2", "c3": "C3"},
        "D": {"d1": "D1", "d2": "D2", "d3": "D3"},
    }
    leaves: ClassVar = {
        "B1": 3, "B2": 12, "B3": 8, "C1": 2, "C2": 4, "C3": 6, "D1": 14, "D2": 5, "D3": 2
    }  # fmt: skip

    def actions(self, state: str) -> list[str]:
        """Return the moves that lead to the children of `state`, from left to right."""
        return list(self.children.get(state, {}))

    def result(self, state: str, move: str) -> str:
        """Return the child of `state` that `move` leads to."""
        move = _checked(move, self.actions(state), f" in state {state!r}")
        return self.children[state][move]

    def utility(self, state: str, player: str) -> float:
        """Return the value of the leaf `state` to 'MAX', or its negative to 'MIN'."""
        return _leaf_value(self.leaves, state, player)

    def to_move(self, state: str) -> str:
        """Return 'MIN' in B, C and D, else 'MAX'."""
        return "MIN" if state in ("B", "C", "D") else "MAX"


class NestedTree(Game):
    """Make a tree from nested lists, in which a number is a leaf and what it is worth to MAX.

    A state is the path from the root: a tuple with the number of each child taken, () at the
    root. A move is the number of a child, counted from 0. MAX moves at the root, then the two
    take turns. Paths may be of any length.

    >>> game = NestedTree([[3, [12, 8]], 6])
    >>> game.actions((0,)), game.actions((0, 0)), game.utility((0, 1, 1), 'MIN')
    ([0, 1], [], -8)
    """

    initial: tuple[int, ...] = ()

    def __init__(self, tree: Any) -> None:
        """Remember the tree."""
        self.tree = tree

    def actions(self, state: tuple[int, ...]) -> list[int]:
        """Return the numbers of the children of `state`, from left to right."""
        here = self.at(state)
        return list(range(len(here))) if isinstance(here, list) else []

    def result(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        """Return the path that is one child longer."""
        return (*state, _checked(move, self.actions(state), f" in state {state!r}"))

    def utility(self, state: tuple[int, ...], player: str) -> float:
        """Return the value of the leaf `state` to 'MAX', or its negative to 'MIN'."""
        here = self.at(state)
        return _leaf_value({} if isinstance(here, list) else {state: here}, state, player)

    def to_move(self, state: tuple[int, ...]) -> str:
        """Return 'MAX' at an even depth and 'MIN' at an odd one."""
        return "MAX" if len(state) % 2 == 0 else "MIN"

    def at(self, state: tuple[int, ...]) -> Any:
        """Return what is at the end of a path; below a leaf there is only more of it."""
        here = self.tree
        for move in state:
            here = here[move] if isinstance(here, list) else here
        return here


class TreeGame(NestedTree):
    """Make a full tree from the utilities of its leaves for MAX, listed from left to right.

    States and moves are those of a `NestedTree`. With b children each and n plies a tree has b to
    the power of n leaves.

    >>> game = TreeGame([3, 12, 8, 2, 4, 6, 14, 5, 2])
    >>> game.actions(()), game.result((2,), 0), game.utility((2, 0), 'MAX')
    ([0, 1, 2], (2, 0), 14)
    """

    def __init__(self, leaves: Iterable[float], branching: int = 3) -> None:
        """Count the plies; ValueError unless the leaves fill a tree of at least one ply."""
        values = list(leaves)
        if branching < 2:
            raise ValueError(f"a tree needs at least 2 children in each state, not {branching}")
        self.branching, self.plies = branching, 1
        while branching**self.plies < len(values):
            self.plies += 1
        if branching**self.plies != len(values):
            wanted = f"{branching}, {branching**2}, {branching**3}, ..."
            raise ValueError(f"{len(values)} leaves do not fill a tree: give {wanted} of them")
        paths = product(range(branching), repeat=self.plies)
        self.leaves = dict(zip(paths, values, strict=True))
        self.tree = values
        while len(self.tree) > branching:
            self.tree = [self.tree[i : i + branching] for i in range(0, len(self.tree), branching)]

    def display(self, state: tuple[int, ...]) -> None:
        """Print the tree below `state` from left to right: who moves, and the leaves for MAX.

        >>> TreeGame([3, 12, 8, 2, 4, 6, 14, 5, 2]).display(())
        MAX ─┬─ MIN ───  3 12  8
             ├─ MIN ───  2  4  6
             └─ MIN ─── 14  5  2
        """
        width = max(len(str(value)) for value in self.leaves.values())
        below = max(self.plies - len(state) - 1, 0)  # plies between `state` and its last moves
        for path in product(range(self.branching), repeat=below):
            end = (*state, *path)
            values = [self.leaves[leaf] for leaf in self.leaves if leaf[: len(end)] == end]
            mover = "" if len(end) == self.plies else f"{self.to_move(end)} ─── "
            numbers = " ".join(str(value).rjust(width) for value in values)
            print("".join(self._branch(state, path, ply) for ply in range(below)) + mover + numbers)

    def _branch(self, state: tuple[int, ...], path: tuple[int, ...], ply: int) -> str:
        """Return what `display` prints of one ply, in the row that leads along `path`."""
        child, last = path[ply], path[ply] == self.branching - 1
        name = self.to_move((*state, *path[:ply])) if not any(path[ply:]) else "   "
        if any(path[ply + 1 :]):  # this branch was drawn in a row above
            return "        " if last else "     │  "
        return f"{name} ─┬─ " if child == 0 else "     └─ " if last else "     ├─ "


class ConnectFour(Game):
    """Drop pieces into columns until one player has `k` of them in a straight line.

    A state is a `GameState`, X moves first. A move is a column; the piece falls to the lowest
    free row, and row 0 is at the bottom. No move is left once a player has won.

    >>> game = ConnectFour()
    >>> after(game, [3, 3, 4]).board
    {(0, 3): 'X', (1, 3): 'O', (0, 4): 'X'}
    """

    def __init__(self, rows: int = 6, columns: int = 7, k: int = 4) -> None:
        """Start with an empty board; ValueError if a size is below 1."""
        if min(rows, columns, k) < 1:
            raise ValueError(f"rows={rows}, columns={columns}, k={k}: each must be at least 1")
        self.rows, self.columns, self.k = rows, columns, k
        self.initial = GameState("X", 0, {}, list(range(columns)))

    def actions(self, state: GameState) -> list[int]:
        """Return the columns that still have a free square, or [] if the game is over."""
        return list(state.moves)

    def result(self, state: GameState, move: int) -> GameState:
        """Return the state after the player to move has dropped a piece into column `move`."""
        player = state.to_move
        column = _checked(move, self.actions(state), f" for {player}")
        row = min(row for row in range(self.rows) if (row, column) not in state.board)
        board = {**state.board, (row, column): player}
        free = [c for c in range(self.columns) if (self.rows - 1, c) not in board]
        dropped = GameState("O" if player == "X" else "X", 0, board, free)
        if not self.line(dropped):
            return dropped
        return dropped._replace(utility=1 if player == "X" else -1, moves=[])

    def line(self, state: GameState) -> list[Square]:
        """Return `k` pieces in a line by which the last move has won, or [] if it has not.

        ValueError for a board to which no game leads, even if one of the moves were left out.
        """
        # The columns side by side, each from the bottom up: "XO....|X.....|". What lies in a line
        # is 1 character apart in it, or as many as a column has, or one less, or one more.
        high, board = self.rows + 1, dict(state.board)
        characters = [*("." * self.rows + "|") * self.columns]
        for (row, column), piece in board.items():
            if 0 <= row < self.rows and 0 <= column < self.columns:
                characters[column * high + row] = piece
        text, lines = "".join(characters), dict[str, list[Square]]()
        for step in 1, high - 1, high, high + 1:
            for start in range(step):
                every = text[start::step]
                for player in "XO":
                    if (place := every.find(player * self.k)) >= 0:
                        places = [start + (place + i) * step for i in range(self.k)]
                        lines[player] = [(at % high, at // high) for at in places]
        xs, os = text.count("X"), text.count("O")
        strange = xs + os != len(board) or len(text) != high * self.columns
        strange |= ".X" in text or ".O" in text or xs - os not in (-1, 0, 1, 2)
        if strange or state.to_move not in ("X", "O") or state.to_move in lines:
            raise ValueError(
                f"no game leads to this board with {xs} X, {os} O and {state.to_move} to move: X "
                "moves first, the two take turns, pieces fall as far as they can, and a line ends "
                f"the game; start from `initial` and make moves with `result`: {board}"
            )
        return lines.get("O" if state.to_move == "X" else "X", [])

    def utility(self, state: GameState, player: str) -> float:
        """Return 1 if `player` has won in `state`, -1 if the opponent has, else 0."""
        return _seen_by(player, state.utility, "X", "O")

    def display(self, state: GameState) -> None:
        """Print the board, the bottom row last, and the numbers of the columns below it."""
        width = len(str(self.columns - 1))
        for row in reversed(range(self.rows)):
            squares = [state.board.get((row, column), ".") for column in range(self.columns)]
            print(*(square.rjust(width) for square in squares))
        print(*(str(column).rjust(width) for column in range(self.columns)))


def random_player(game: Game, state: State, rng: random.Random | None = None) -> Move:
    """Return a legal move, each with the same chance; the same `rng` seed replays a game.

    >>> random_player(Fig52Game(), 'A', random.Random(5)) in ['a1', 'a2', 'a3']
    True
    """
    return (rng or random).choice(_some_moves(game, state))


def human_player(game: Game, state: State) -> Move:
    """Show `state` and its legal moves, and ask at the keyboard until one of them is typed.

    An answer is a word such as a1, or a number or tuple as Python writes it: 3 or (0, 1) or 0, 1,
    or 0 1 without a comma. Where moves are squares, their number will do, too: row by row from the
    top left, counted from 0. Nothing that is typed is ever run. EOFError if the input ends first.
    """
    legal = _some_moves(game, state)
    game.display(state)
    print(f"Legal moves: {_listed(legal)}")
    while True:
        try:
            answer = input(f"Move for {game.to_move(state)}: ").strip()
            return _checked(_numbered(game, _parsed(answer)), legal)
        except IllegalMove as reason:
            print(reason)
        except EOFError:
            raise EOFError("the input ended before a legal move was typed") from None


query_player = human_player


def state_from(picture: str, to_move: str | None = None, utility: float = 0) -> GameState:
    """Return the tic-tac-toe state that `picture` shows, its `moves` listed row by row.

    A row is made of X, O and . for an empty square, with or without spaces; a new line or a /
    ends it. X has moved first, so the picture tells who is to move; a `to_move` that is given
    must agree. The utility is what you say: who has won is not worked out here. ValueError if
    no game can lead to the picture.

    >>> state = state_from("X O X / X . O / . . O")
    >>> state.to_move, state.moves
    ('X', [(1, 1), (2, 0), (2, 1)])
    """
    lines = ["".join(line.split()) for line in picture.replace("/", "\n").splitlines()]
    rows = [line for line in lines if line]
    if not rows:
        raise ValueError("the picture is empty: draw rows such as X . O / . X . / O . .")
    for number, row in enumerate(rows):
        if unknown := set(row) - set("XO."):
            raise ValueError(f"row {number} holds {min(unknown)!r}: a square is X, O or .")
        if len(row) != len(rows[0]):
            lengths = f"row {number} has {len(row)} squares and row 0 has {len(rows[0])}"
            raise ValueError(f"{lengths}: draw all rows equally long")
    squares = {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row)}
    board = {square: symbol for square, symbol in squares.items() if symbol != "."}
    xs, os = (list(board.values()).count(symbol) for symbol in "XO")
    if xs - os not in (0, 1):
        reason = "X moves first, so there are as many X as O or one more"
        raise ValueError(f"{xs} X and {os} O cannot occur: {reason}")
    turn = "X" if xs == os else "O"
    if to_move not in (None, turn):
        raise ValueError(f"with {xs} X and {os} O on the board {turn} is to move, not {to_move}")
    return GameState(turn, utility, board, [square for square in squares if square not in board])


def after(game: Game, moves: Iterable[Move]) -> State:
    """Return the state that `moves`, one after the other, lead to from `game.initial`.

    >>> after(Fig52Game(), ['a3', 'd1'])
    'D1'
    """
    state = game.initial
    for move in moves:
        state = game.result(state, move)
    return state


# Names, of three letters each, of orders of 27 leaves in which usual mistakes show.
_SHAPES = (
    "0FZ0f90nG1DT2NY2Xr2Yb2tE3V63bd3d83uJ42H43d4U04tS50t5FQ5Gl5zu65E6K86Lw6zP70o76N7CI7IP7O37SA7YS7dd"
    "7wr87g8Ug9Sb9at9hxA0fAATAHFAeHAy0AzaBIpC1KC3IC91CQsCTNChECuCDbXDd4DlmE3vEGaEg3EmTExhFBWFD8FDfFFJ"
    "FFeFGAFWTFnwG1wGCIGdRGjUGlbGvWH5xHAtHEyHFOHzVIh6IiIIlVJ6WJFIJTDJu8KDaKbZKfkKu2L3ML3uLEgLJGLVoMNh"
    "MjfMlrMojMy6NWnNZ8NrgOk6OwDPSjPdLQ0MQ4SQ9FQGgR0lR1HRTNRngRpsSHUSPYSWFSXdSgwShRSs8TEmTaDThMTn2U3v"
    "UGTUIpUiuV3LVBqVPkVRnViAVivVvbW3aW7kWQ6WUBWjdX3AXLdXV5YCUYbvYjuZ3hZIjZSpZvtaH0aQ9aSfaibangapmbAQ"
    "bEdbPgbYycSRcSqclNd5odmXdoGdrKdtZeLMeUWecoeg0ev1eysf6zfI5fhjfkcfr6fwfg5jgE8gWJgeJgiWgnCgsih23hJ9"
    "hW4hirhqHhwHibTil0jQfjojk8IkKzkj2kzol58lGDm29mJvmWvn0an6no5coBsoHBoJFoTBoispTRpmwqOKqsprDWrgPsKy"
    "sg9t4XtB0tLZtevtnWuVouaEudDunFuy6v8NvI7vQevUpwVRwZSx2UxcYxemxoNy7yy8iyI7yIsz2Oz5lzDyzKuzXuzrR"
)


def personal_leaves(student_id: str) -> list[int]:
    """Return the 27 leaves of a student's own tree: different numbers from 10 to 99.

    An id always gives the same leaves; capitals, and spaces around it, make no difference. The
    order of the leaves is one of 255 in which usual mistakes lead to other answers than the right
    way; the numbers are drawn. ValueError for an id that is empty or no text.
    """
    name = student_id.strip().casefold() if isinstance(student_id, str) else ""
    if not name.strip("."):
        raise ValueError(f"{student_id!r} is no student id: write yours between the quotes")

    def drawn(text: str) -> int:
        # by a hash and not by `random`, so that every version of Python gives the same
        return int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")

    shape = drawn(name) % (len(_SHAPES) // 3) * 3
    order = sorted(range(27), key=lambda it: drawn(f"{_SHAPES[shape : shape + 3]} {it}"))
    first = 10 + drawn(f"{name} first") % 10
    return [first + 3 * place + drawn(f"{name} {place}") % 3 for place in order]


# Ten ways to begin on the 3x3 board, X's move and O's answer: no two of them are the same after
# turning or mirroring the board, and with best play from there some are won and some are drawn.
OPENINGS = (
    ((0, 0), (0, 1)), ((0, 0), (0, 2)), ((0, 0), (1, 1)), ((0, 0), (2, 2)), ((0, 1), (0, 0)),
    ((0, 1), (1, 0)), ((0, 1), (1, 1)), ((0, 1), (2, 1)), ((1, 1), (0, 0)), ((1, 1), (0, 1)),
)  # fmt: skip


def _checked(move: Move, legal: list[Move], detail: str = "") -> Move:
    """Return the legal move that equals `move`; IllegalMove, with `detail`, if none does."""
    try:
        return legal[legal.index(move)]
    except ValueError:
        reason = f"is not a legal move; legal moves: {_listed(legal)}"
        raise IllegalMove(f"{move!r}{detail} {reason}") from None


def _listed(legal: list[Move]) -> str:
    return ", ".join(map(repr, legal)) or "none, the game is over"


def _some_moves(game: Game, state: State) -> list[Move]:
    """Return the legal moves in `state`; ValueError if there are none."""
    legal = list(game.actions(state))
    if not legal:
        raise ValueError(f"there is no move to choose in {state!r}: the game is over")
    return legal


def _parsed(answer: str) -> Move:
    """Return the Python literal that was typed, commas or not, or the answer if it is none."""
    for text in answer, ", ".join(answer.split()):
        with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return ast.literal_eval(text)
    return answer


def _numbered(game: Game, answer: Move) -> Move:
    """Return the square that has the number `answer`, if squares are what this game is about."""
    squares = list(game.actions(game.initial))
    if type(answer) is int and 0 <= answer < len(squares) and isinstance(squares[0], tuple):
        return sorted(squares)[answer]
    return answer


def _seen_by(player: str, value: float, first: str, second: str) -> float:
    """Return `value`, which is the one for `first`, as `player` sees it; ValueError if unknown."""
    if player not in (first, second):
        raise ValueError(f"{player!r} does not play this game: the players are {first}, {second}")
    return value if player == first else -value


def _leaf_value(leaves: Mapping[State, float], state: State, player: str) -> float:
    """Return the value of a leaf as `player` sees it; ValueError if `state` is not a leaf."""
    if state not in leaves:
        raise ValueError(f"{state!r} is not a leaf: only a terminal state has a utility")
    return _seen_by(player, leaves[state], "MAX", "MIN")
