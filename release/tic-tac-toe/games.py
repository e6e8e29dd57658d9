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
import math
import random
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle, product
from typing import Any, ClassVar, NamedTuple

__all__ = [
    "OPENINGS", "ConnectFour", "Fig52Game", "Game", "GameState", "IllegalMove", "Move", "Player",
    "Square", "State", "TreeGame", "after", "human_player", "infinity", "query_player",
    "random_player", "state_from",
]  # fmt: skip

State = Any  # each game says what its states are
Move = Any  # and what its moves are
Square = tuple[int, int]  # (row, column)
Chooser = Callable[["Game", State], Move]  # what takes part in a game
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
        by = f"played by {name_of(player)} as {game.to_move(state)}"
        moves = list(game.actions(state))
        move = _legal_move(player(game, state), moves, f", {by},")
        state = game.result(state, move)
        yield move, by, state


def name_of(player: object) -> str:
    """Return the name of a function, or of the class of a player."""
    return str(getattr(player, "__name__", type(player).__name__))


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
        move = _legal_move(move, self.actions(state), f" in state {state!r}")
        return self.children[state][move]

    def utility(self, state: str, player: str) -> float:
        """Return the value of the leaf `state` to 'MAX', or its negative to 'MIN'."""
        return _worth(self.leaves.get(state), state, player)

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
        subtree = self.at(state)
        return list(range(len(subtree))) if isinstance(subtree, list) else []

    def result(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        """Return the path that is one child longer."""
        return (*state, _legal_move(move, self.actions(state), f" in state {state!r}"))

    def utility(self, state: tuple[int, ...], player: str) -> float:
        """Return the value of the leaf `state` to 'MAX', or its negative to 'MIN'."""
        subtree = self.at(state)
        return _worth(None if isinstance(subtree, list) else subtree, state, player)

    def to_move(self, state: tuple[int, ...]) -> str:
        """Return 'MAX' at an even depth and 'MIN' at an odd one."""
        return "MAX" if len(state) % 2 == 0 else "MIN"

    def at(self, state: tuple[int, ...]) -> Any:
        """Return what is at the end of a path; below a leaf there is only more of it."""
        subtree = self.tree
        for move in state:
            subtree = subtree[move] if isinstance(subtree, list) else subtree
        return subtree

    def display(self, state: tuple[int, ...], margin: str = "") -> None:
        """Print the tree below `state`: who moves, with the leaves there; children further in.

        >>> TreeGame([3, 12, 8, 2, 4, 6, 14, 5, 2]).display(())
        MAX
            MIN 3 12 8
            MIN 2 4 6
            MIN 14 5 2
        """
        subtree = self.at(state)
        if not isinstance(subtree, list):
            print(subtree)
            return
        inner = [move for move in self.actions(state) if isinstance(subtree[move], list)]
        print(margin + self.to_move(state), *(one for one in subtree if not isinstance(one, list)))
        for move in inner:
            self.display((*state, move), margin + "    ")


class TreeGame(NestedTree):
    """Make a full tree from the utilities of its leaves for MAX, listed from left to right.

    States and moves are those of a `NestedTree`. With b children each and n plies a tree has b to
    the power of n leaves.

    >>> game = TreeGame([3, 12, 8, 2, 4, 6, 14, 5, 2])
    >>> game.actions(()), game.result((2,), 0), game.utility((2, 0), 'MAX')
    ([0, 1, 2], (2, 0), 14)
    """

    def __init__(self, leaves: Iterable[float], branching: int = 3) -> None:
        """Put the leaves together; ValueError unless they fill a tree of at least one ply."""
        values = list(leaves)
        self.tree: list[Any] = values
        self.branching, self.plies = branching, 1
        while len(self.tree) > branching:
            self.tree = [self.tree[i : i + branching] for i in range(0, len(self.tree), branching)]
            self.plies += 1
        if len(values) != branching**self.plies:
            full = f"a tree in which each state has {branching} moves"
            raise ValueError(f"{len(values)} leaves do not fill {full}")
        paths = product(range(branching), repeat=self.plies)
        self.leaves = dict(zip(paths, values, strict=True))


class ConnectFour(Game):
    """Drop pieces into columns until one player has `k` of them in a straight line.

    A state is a `GameState`, X moves first. A move is a column; the piece falls to the lowest
    free row, and row 0 is at the bottom. No move is left once a player has won.

    >>> game = ConnectFour()
    >>> after(game, [3, 3, 4]).board
    {(0, 3): 'X', (1, 3): 'O', (0, 4): 'X'}
    """

    def __init__(self, rows: int = 6, columns: int = 7, k: int = 4) -> None:
        """Start with an empty board."""
        self.rows, self.columns, self.k = rows, columns, k
        self.initial = GameState("X", 0, {}, list(range(columns)))

    def actions(self, state: GameState) -> list[int]:
        """Return the columns that still have a free square, or [] if the game is over."""
        return list(state.moves)

    def result(self, state: GameState, move: int) -> GameState:
        """Return the state after the player to move has dropped a piece into column `move`."""
        player = state.to_move
        column = _legal_move(move, list(state.moves), f" for {player}")
        row = 0
        while (row, column) in state.board:
            row += 1
        board = {**state.board, (row, column): player}
        moves = [c for c in state.moves if (self.rows - 1, c) not in board]
        new_state = GameState("O" if player == "X" else "X", 0, board, moves)
        if not self.line(new_state):
            return new_state
        return new_state._replace(utility=1 if player == "X" else -1, moves=[])

    def line(self, state: GameState) -> list[Square]:
        """Return `k` squares in a row by which the last piece on the board has won, or []."""
        board = state.board
        for last, player in [*board.items()][-1:]:  # a dict keeps their order
            for up, right in (0, 1), (1, 0), (1, 1), (1, -1):
                row, column = last
                while board.get((row - up, column - right)) == player:
                    row, column = row - up, column - right
                pieces: list[Square] = []
                while board.get((row, column)) == player:
                    pieces.append((row, column))
                    row, column = row + up, column + right
                if len(pieces) >= self.k:
                    return pieces[: self.k]
        return []

    def utility(self, state: GameState, player: str) -> float:
        """Return 1 if `player` has won in `state`, -1 if the opponent has, else 0."""
        return _worth(state.utility, state, player, "X", "O")

    def display(self, state: GameState) -> None:
        """Print the board, the bottom row last, and below it the last digit of each column."""
        for row in reversed(range(self.rows)):
            print(*(state.board.get((row, column), ".") for column in range(self.columns)))
        print(*(column % 10 for column in range(self.columns)))


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
    moves = _some_moves(game, state)
    game.display(state)
    print("Legal moves:", ", ".join(map(repr, moves)))
    while True:
        try:
            answer: Move = input(f"Move for {game.to_move(state)}: ").strip()
        except EOFError:
            raise EOFError("the input ended before a legal move was typed") from None
        with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            answer = ast.literal_eval(re.sub(r"[\s,]+", ",", answer))
        if type(answer) is int and isinstance(moves[0], tuple):
            answer = dict(enumerate(sorted(game.actions(game.initial)))).get(answer, answer)
        try:
            return _legal_move(answer, moves)
        except IllegalMove as reason:
            print(reason)


query_player = human_player


def state_from(picture: str, *, utility: float = 0) -> GameState:
    """Return the tic-tac-toe state that `picture` shows, its `moves` listed row by row.

    A row is made of X, O and . for an empty square, with or without spaces; a new line or a /
    ends it. X has moved first, so the picture tells who is to move. The utility is what you say:
    who has won is not worked out here. ValueError if no game can lead to the picture.

    >>> state = state_from("X O X / X . O / . . O")
    >>> state.to_move, state.moves
    ('X', [(1, 1), (2, 0), (2, 1)])
    """
    lines = ["".join(line.split()) for line in picture.replace("/", "\n").splitlines()]
    rows = [line for line in lines if line]
    if len({len(row) for row in rows}) != 1 or set("".join(rows)) - set("XO."):
        raise ValueError(f"{picture!r} is no board: draw equally long rows, as in X . O / . X .")
    squares = {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row)}
    board = {square: symbol for square, symbol in squares.items() if symbol != "."}
    xs, os = (list(board.values()).count(symbol) for symbol in "XO")
    if xs - os not in (0, 1):
        reason = "X moves first, so there are as many X as O or one more"
        raise ValueError(f"{xs} X and {os} O cannot occur: {reason}")
    moves = [square for square in squares if square not in board]
    return GameState("X" if xs == os else "O", utility, board, moves)


def after(game: Game, moves: Iterable[Move]) -> State:
    """Return the state that `moves`, one after the other, lead to from `game.initial`.

    >>> after(Fig52Game(), ['a3', 'd1'])
    'D1'
    """
    state = game.initial
    for move in moves:
        state = game.result(state, move)
    return state


# Ten ways to begin on the 3x3 board, X's move and O's answer: no two of them are the same after
# turning or mirroring the board, and with best play from there some are won and some are drawn.
OPENINGS = (
    ((0, 0), (0, 1)), ((0, 0), (0, 2)), ((0, 0), (1, 1)), ((0, 0), (2, 2)), ((0, 1), (0, 0)),
    ((0, 1), (1, 0)), ((0, 1), (1, 1)), ((0, 1), (2, 1)), ((1, 1), (0, 0)), ((1, 1), (0, 1)),
)  # fmt: skip


def _legal_move(move: Move, moves: list[Move], detail: str = "") -> Move:
    """Return the legal move that equals `move`; IllegalMove, with `detail`, if none does."""
    try:
        return moves[moves.index(move)]
    except ValueError:
        text = ", ".join(map(repr, moves)) or "none, the game is over"
        reason = f"is not a legal move; legal moves: {text}"
        raise IllegalMove(f"{move!r}{detail} {reason}") from None


def _some_moves(game: Game, state: State) -> list[Move]:
    """Return the legal moves in `state`; ValueError if there are none."""
    moves = list(game.actions(state))
    if not moves:
        raise ValueError(f"there is no move to choose in {state!r}: the game is over")
    return moves


def _worth(
    value: float | None, state: State, player: str, first: str = "MAX", second: str = "MIN"
) -> float:
    """Return the value of `state`, which is the one for `first`, as `player` sees it.

    ValueError if there is none, or for another player.
    """
    if value is None:
        raise ValueError(f"{state!r} is not a leaf: only a terminal state has a utility")
    if player not in (first, second):
        raise ValueError(f"{player!r} does not play this game: the players are {first}, {second}")
    return value if player == first else -value
