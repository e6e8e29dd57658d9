"""Compute the exact value of every position of an m,n,k game.

Own bitboards, standard library and `games` only; shares no code with any solution. Two solvers:
`table` solves every reachable position of a small board by going back from the final ones (the
definition of the minimax value, von Neumann 1928); `value` asks of one position whether a player
can force a win, using threats, forced replies, symmetry and a transposition table, for boards of
up to 16 squares and more.
"""

import functools
import hashlib
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from games import GameState

Square = tuple[int, int]
Position = tuple[int, int]  # the squares of the player to move, and of the other, as bit sets


class Solved(NamedTuple):
    """The value of a position for the player to move, and its best moves as a bit set."""

    value: int
    best: int


class Oracle:
    """Exact values and all best moves on a board of `rows` x `columns`, `k` in a row winning."""

    def __init__(self, rows: int = 3, columns: int = 3, k: int = 3) -> None:
        """Lay out the board and its winning lines."""
        self.squares: list[Square] = [(r, c) for r in range(rows) for c in range(columns)]
        self.lines = list(_lines(rows, columns, k))
        index = {square: i for i, square in enumerate(self.squares)}
        self._index = index
        self._full = (1 << len(self.squares)) - 1
        self._masks = [sum(1 << index[square] for square in line) for line in self.lines]
        self._through = [[m for m in self._masks if m >> i & 1] for i in range(len(self.squares))]
        self._symmetries = [
            [index[image(r, c)] for r, c in self.squares] for image in _symmetries(rows, columns)
        ]
        self._forced: dict[int, bool] = {}

    # --- values, moves and pools -------------------------------------------------------------

    def value(self, state: GameState) -> int:
        """Return the value of a state for X: +1 X wins, 0 draw, -1 O wins, with best play."""
        own, other = self._position(state)
        value = self._value(own, other)
        return value if state.to_move == "X" else -value

    def values(self, state: GameState) -> dict[Square, int]:
        """Return the value of each legal move for the player to move; empty when it is over."""
        own, other = self._position(state)
        if self._over(own, other):
            return {}
        return {
            self.squares[move.bit_length() - 1]: -self._value(other, own | move)
            for move in _bits(self._full & ~(own | other))
        }

    def best_moves(self, state: GameState) -> set[Square]:
        """Return all moves of the highest value; empty when the game is over."""
        if known := self._known(*self._position(state)):
            return {self.squares[move.bit_length() - 1] for move in _bits(known.best)}
        values = self.values(state)
        return {move for move, value in values.items() if value == max(values.values())}

    def line_of_play(self, state: GameState) -> list[Square]:
        """Return a principal variation to the end of the game: the first best move each time."""
        moves: list[Square] = []
        while values := self.values(state):
            move = max(values, key=lambda square: values[square])
            own, other = self._position(state)
            state = self._state((other, own | 1 << self._index[move]))
            moves.append(move)
        return moves

    def states(self) -> list[GameState]:
        """Return every state that play from the empty board can reach, final ones included."""
        return list(self._states.values())

    def open_states(self) -> list[GameState]:
        """Return every reachable state in which there is a move to make."""
        return [self._states[position] for position, solved in self.table.items() if solved.best]

    def secret(self, states: Iterable[GameState]) -> list[GameState]:
        """Keep the states that no explanation shows to students; hidden checks draw from these."""
        return [state for state in states if not shown(state)]

    def one_of_each(self, states: Iterable[GameState], chance: random.Random) -> list[GameState]:
        """Draw one state of each class that is equal by turning or reflecting the board."""
        alike: dict[int, list[GameState]] = {}
        for state in states:
            alike.setdefault(self._key(*self._position(state), True), []).append(state)
        return [chance.choice(kind) for kind in alike.values()]

    def win_in_one(self) -> list[GameState]:
        """Return the states whose only best move wins at once."""
        return self._pool(lambda own, other, move: self._wins(own | move))

    def block(self) -> list[GameState]:
        """Return the states whose only best move takes the one square where the other would win."""
        return self._pool(
            lambda own, other, move: not self._winning(own, other) and self._wins(other | move)
        )

    def win_in_two(self) -> list[GameState]:
        """Return the states whose only best move wins by force, but not at once and not by a block.

        The move makes two threats; nobody threatens anything before it.
        """

        def is_fork(own: int, other: int, move: int) -> bool:
            quiet = not self._winning(own, other) and not self._wins(other | move)
            return quiet and self._winning(own | move, other).bit_count() >= 2

        return self._pool(is_fork)

    def luring(self) -> list[GameState]:
        """Return the states in which averaging over replies takes a worse move for a best one."""

        @functools.cache
        def hope(own: int, other: int, hopeful: bool) -> float:
            if self._wins(other):
                return -1 if hopeful else 1
            moves = list(_bits(self._full & ~(own | other)))
            hopes = [hope(other, own | move, not hopeful) for move in moves]
            return (max(hopes) if hopeful else sum(hopes) / len(hopes)) if hopes else 0

        return self._misleading(lambda own, other: hope(own, other, False))

    def hurried(self, plies: int) -> list[GameState]:
        """Return the states in which a search of `plies` takes a worse move for a best one.

        Such a search, of 1 ply at least, values an unfinished game as a draw.
        """

        @functools.cache
        def worth(own: int, other: int, left: int) -> int:
            if self._wins(other):
                return -1
            if left == 0:
                return 0
            moves = _bits(self._full & ~(own | other))
            return max((-worth(other, own | move, left - 1) for move in moves), default=0)

        return self._misleading(lambda own, other: -worth(own, other, plies - 1))

    def _misleading(self, hope: Callable[[int, int], float]) -> list[GameState]:
        """Return the states in which a worse move has the highest value by `hope`."""

        def misleads(own: int, other: int, best: int) -> bool:
            moves = _bits(self._full & ~(own | other))
            hopes = {move: hope(other, own | move) for move in moves}
            top = max(hopes.values()) - 1e-9
            return any(not move & best for move in hopes if hopes[move] >= top)

        positions = ((*position, solved.best) for position, solved in self.table.items())
        return [
            self._states[own, other]
            for own, other, best in positions
            if best and misleads(own, other, best)
        ]

    def _pool(self, wanted: Callable[[int, int, int], bool]) -> list[GameState]:
        """Return the states with two or more moves and a single best one, which is `wanted`."""
        return [
            self._states[own, other]
            for (own, other), solved in self.table.items()
            if solved.best.bit_count() == 1
            and (own | other).bit_count() < len(self.squares) - 1
            and wanted(own, other, solved.best)
        ]

    # --- every position of a small board -----------------------------------------------------

    @cached_property
    def table(self) -> dict[Position, Solved]:
        """Solve every reachable position; a final one has no best moves."""
        layers: list[dict[Position, bool]] = [{(0, 0): False}]
        while layers[-1]:
            layers.append(self._following(layers[-1]))
        solved: dict[Position, Solved] = {}
        for layer in reversed(layers):
            for (own, other), lost in layer.items():
                free = self._full & ~(own | other)
                if lost or not free:
                    solved[own, other] = Solved(-1 if lost else 0, 0)
                    continue
                top, best = -2, 0
                for move in _bits(free):
                    value = -solved[other, own | move][0]
                    if value > top:
                        top, best = value, move
                    elif value == top:
                        best |= move
                solved[own, other] = Solved(top, best)
        return {position: solved[position] for layer in layers for position in layer}

    @cached_property
    def _states(self) -> dict[Position, GameState]:
        return {position: self._state(position) for position in self.table}

    def _following(self, layer: dict[Position, bool]) -> dict[Position, bool]:
        """Return the positions one move later, and whether that move has won."""
        following: dict[Position, bool] = {}
        for (own, other), lost in layer.items():
            if lost:
                continue
            for move in _bits(self._full & ~(own | other)):
                position = other, own | move
                if position not in following:
                    following[position] = self._completes(own | move, move)
        return following

    # --- one position of a larger board ------------------------------------------------------

    def _value(self, own: int, other: int) -> int:
        if known := self._known(own, other):
            return known.value
        if self._wins(other):
            return -1
        if self._wins(own):
            return 1
        if self._forces(own, other, True):
            return 1
        return -1 if self._forces(other, own, False) else 0

    def _known(self, own: int, other: int) -> Solved | None:
        """Return the value from the table, if it exists and has the position; else None."""
        table: dict[Position, Solved] = vars(self).get("table", {})
        return table.get((own, other))

    def _forces(self, attacker: int, defender: int, to_move: bool) -> bool:
        """Return whether the attacker can force a line; `to_move` if it is the attacker's turn.

        Neither has one yet. Draws and losses are not told apart, which makes it fast: the search
        ends when every line holds a piece of the defender.
        """
        if all(mask & defender for mask in self._masks):
            return False
        wins, losses = self._winning(attacker, defender), self._winning(defender, attacker)
        if to_move:
            if wins or losses & (losses - 1):
                return bool(wins)
        elif losses or wins & (wins - 1):
            return not losses
        free = self._full & ~(attacker | defender)
        if not free:
            return False
        key = self._key(attacker, defender, to_move)
        known = self._forced.get(key)
        if known is None:
            moves = self._ordered(attacker, defender, losses | wins or free)  # forced replies
            if to_move:
                known = any(self._forces(attacker | m, defender, False) for m in moves)
            else:
                known = all(self._forces(attacker, defender | m, True) for m in moves)
            self._forced[key] = known
        return known

    def _ordered(self, attacker: int, defender: int, moves: int) -> list[int]:
        """Return the moves, those through the attacker's longest open lines first."""

        def promise(move: int) -> int:
            lines = self._through[move.bit_length() - 1]
            return sum(4 ** (mask & attacker).bit_count() for mask in lines if not mask & defender)

        return sorted(_bits(moves), key=promise, reverse=True)

    def _key(self, attacker: int, defender: int, to_move: bool) -> int:
        """Return one number for a position and all its mirror images."""
        size = len(self.squares)
        images = []
        for symmetry in self._symmetries:
            a = sum(1 << symmetry[bit.bit_length() - 1] for bit in _bits(attacker))
            d = sum(1 << symmetry[bit.bit_length() - 1] for bit in _bits(defender))
            images.append(a << size | d)
        return min(images) << 1 | to_move

    # --- bits --------------------------------------------------------------------------------

    def _winning(self, own: int, other: int) -> int:
        """Return the free squares that complete a line for `own`, as a bit set."""
        found = 0
        for mask in self._masks:
            rest = mask & ~own
            if not rest & (rest - 1) and not rest & other:
                found |= rest
        return found

    def _completes(self, stones: int, move: int) -> bool:
        return any(stones & mask == mask for mask in self._through[move.bit_length() - 1])

    def _wins(self, stones: int) -> bool:
        return any(stones & mask == mask for mask in self._masks)

    def _over(self, own: int, other: int) -> bool:
        return own | other == self._full or self._wins(other) or self._wins(own)

    def _position(self, state: GameState) -> Position:
        stones = {"X": 0, "O": 0}
        for square, player in state.board.items():
            stones[player] |= 1 << self._index[square]
        other = "O" if state.to_move == "X" else "X"
        return stones[state.to_move], stones[other]

    def _state(self, position: Position) -> GameState:
        own, other = position
        to_move = "X" if own.bit_count() == other.bit_count() else "O"
        x, o = (own, other) if to_move == "X" else (other, own)
        board = {
            square: "X" if x >> i & 1 else "O"
            for i, square in enumerate(self.squares)
            if (x | o) >> i & 1
        }
        utility = 1 if self._wins(x) else -1 if self._wins(o) else 0
        moves = [] if utility else [square for square in self.squares if square not in board]
        return GameState(to_move, utility, board, moves)


def _bits(stones: int) -> Iterator[int]:
    """Yield the single bits of a bit set, the lowest first."""
    while stones:
        bit = stones & -stones
        yield bit
        stones ^= bit


def _lines(rows: int, columns: int, k: int) -> Iterator[list[Square]]:
    """Yield the winning lines: runs of `k` squares along rows, columns and both diagonals.

    When `k` is 1 every square is one line.
    """
    steps = [(0, 1), (1, 0), (1, 1), (1, -1)][: 1 if k == 1 else 4]
    for row in range(rows):
        for column in range(columns):
            for down, right in steps:
                line = [(row + i * down, column + i * right) for i in range(k)]
                if line[-1][0] < rows and 0 <= line[-1][1] < columns:
                    yield line


def _symmetries(rows: int, columns: int) -> list[Callable[[int, int], Square]]:
    """Return the maps of the board onto itself: four, and eight when it is a square."""
    flips: list[Callable[[int, int], Square]] = [
        lambda r, c: (r, c),
        lambda r, c: (rows - 1 - r, c),
        lambda r, c: (r, columns - 1 - c),
        lambda r, c: (rows - 1 - r, columns - 1 - c),
    ]
    if rows != columns:
        return flips
    return flips + [lambda r, c, flip=flip: flip(c, r) for flip in flips]


def shown(state: GameState) -> bool:
    """Return whether explanations may show a position; hidden checks draw from the other half.

    The halves are told apart by a digest of the board, so a position is always in the same one.
    """
    text = "".join(f"{square}{state.board[square]}" for square in sorted(state.board))
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0
