"""Know the exact value of every position of an m,n,k game.

Own bitboards, standard library and `games` only; shares no code with any solution. The value is
found by plain negamax over all continuations, each position solved once (von Neumann's minimax
value of a finite two-player zero-sum game). Given to hidden checks by the fixture `oracle`.
"""

from collections.abc import Callable, Iterator
from functools import cached_property

from games import GameState

Square = tuple[int, int]
Position = tuple[int, int]  # the squares of the player to move, and of the other, as bit sets


class Oracle:
    """Exact values and all best moves on a board of `rows` x `columns`, `k` in a row winning."""

    def __init__(self, rows: int = 3, columns: int = 3, k: int = 3) -> None:
        """Lay out the board and its winning lines."""
        self.squares: list[Square] = [(r, c) for r in range(rows) for c in range(columns)]
        self._full = (1 << len(self.squares)) - 1
        self.lines = list(_lines(rows, columns, k))
        self._masks = [
            sum(1 << self.squares.index(square) for square in line) for line in self.lines
        ]
        self._table: dict[Position, int] = {}

    def value(self, state: GameState) -> int:
        """Return the value of a state for X: +1 X wins, 0 draw, -1 O wins, with best play."""
        value = self._negamax(*self._position(state))
        return value if state.to_move == "X" else -value

    def values(self, state: GameState) -> dict[Square, int]:
        """Return the value of each legal move for the player to move."""
        own, other = self._position(state)
        if self._over(own, other):
            return {}
        values = self._move_values(own, other)
        return {self.squares[move.bit_length() - 1]: value for move, value in values.items()}

    def best_moves(self, state: GameState) -> set[Square]:
        """Return all moves of the highest value; empty when the game is over."""
        values = self.values(state)
        return {move for move, value in values.items() if value == max(values.values())}

    def states(self) -> list[GameState]:
        """Return every state that play from the empty board can reach, final ones included."""
        return [self._state(position) for position in self._reachable]

    def open_states(self) -> list[GameState]:
        """Return every reachable state in which there is a move to make."""
        return [self._state(position) for position in self._reachable if not self._over(*position)]

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
            return quiet and len(self._winning(own | move, other)) >= 2

        return self._pool(is_fork)

    def _pool(self, wanted: Callable[[int, int, int], bool]) -> list[GameState]:
        """Return the states with a choice of moves, one of them best, and that one wanted."""
        found = []
        for own, other in self._reachable:
            if self._over(own, other) or len(list(self._free(own, other))) == 1:
                continue
            values = self._move_values(own, other)
            best = [move for move, value in values.items() if value == max(values.values())]
            if len(best) == 1 and wanted(own, other, best[0]):
                found.append(self._state((own, other)))
        return found

    def _negamax(self, own: int, other: int) -> int:
        known = self._table.get((own, other))
        if known is not None:
            return known
        if self._wins(other):
            value = -1
        elif own | other == self._full:
            value = 0
        else:
            value = max(self._move_values(own, other).values())
        self._table[own, other] = value
        return value

    def _move_values(self, own: int, other: int) -> dict[int, int]:
        return {move: -self._negamax(other, own | move) for move in self._free(own, other)}

    def _winning(self, own: int, other: int) -> list[int]:
        return [move for move in self._free(own, other) if self._wins(own | move)]

    def _wins(self, stones: int) -> bool:
        return any(stones & mask == mask for mask in self._masks)

    def _over(self, own: int, other: int) -> bool:
        return self._wins(other) or self._wins(own) or own | other == self._full

    def _free(self, own: int, other: int) -> Iterator[int]:
        free = self._full & ~(own | other)
        while free:
            move = free & -free
            yield move
            free ^= move

    @cached_property
    def _reachable(self) -> list[Position]:
        found: dict[Position, None] = {}
        fresh: list[Position] = [(0, 0)]
        while fresh:
            found.update(dict.fromkeys(fresh))
            following = {
                (other, own | move): None
                for own, other in fresh
                if not self._over(own, other)
                for move in self._free(own, other)
            }
            fresh = list(following)
        return list(found)

    def _position(self, state: GameState) -> Position:
        stones = {"X": 0, "O": 0}
        for square, player in state.board.items():
            stones[player] |= 1 << self.squares.index(square)
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
