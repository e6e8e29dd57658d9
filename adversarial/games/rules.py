"""Play tic-tac-toe of any size: the trusted rules that searches are checked on.

For the referee's side, where a check counts every call. `TicTacToe` solves a cell, so it never goes
into a player: `sent_boards.SentBoard` does, with the `tables` of one size.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games import Game, GameState, IllegalMove

Square = tuple[int, int]


class TicTacToe(Game):
    """X and O take turns on an `h` x `v` board; `k` in a row, column or diagonal win."""

    def __init__(self, h: int = 3, v: int = 3, k: int = 3) -> None:
        """Lay out `h` rows and `v` columns."""
        self.h, self.v, self.k = h, v, k
        squares = [(row, column) for row in range(h) for column in range(v)]
        self.initial = GameState("X", 0, {}, squares)
        self._lines: dict[Square, list[list[Square]]] = {square: [] for square in squares}
        for row, column in squares:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + i * down, column + i * right) for i in range(k)]
                if line[-1] in self._lines:
                    for square in line:
                        self._lines[square].append(line)

    def actions(self, state: GameState) -> Iterable[Square]:
        """Return the free squares, row by row; none when the game is over."""
        return list(state.moves)

    def result(self, state: GameState, move: Square) -> GameState:
        """Return the state after the player to move takes the square `move`."""
        if move not in state.moves:
            raise IllegalMove(f"{move!r} is not a legal move here; legal moves are {state.moves}")
        board = {**state.board, move: state.to_move}
        utility = self.compute_utility(board, move, state.to_move)
        moves = [] if utility else [square for square in state.moves if square != move]
        return GameState("O" if state.to_move == "X" else "X", utility, board, moves)

    def utility(self, state: GameState, player: str) -> int:
        """Return +1 if `player` has won, -1 if the other has, else 0."""
        return int(state.utility if player == "X" else -state.utility)

    def terminal_test(self, state: GameState) -> bool:
        """Return whether the game is over."""
        return not state.moves

    def compute_utility(self, board: Mapping[Square, str], move: Square, player: str) -> int:
        """Return +1 or -1 if `move` has completed a line for X or for O, else 0."""
        for line in self._lines[move]:
            for square in line:
                if board.get(square) != player:
                    break
            else:
                return 1 if player == "X" else -1
        return 0


class LazyTicTacToe(TicTacToe):
    """The same game, whose `actions` is a generator: it can be walked through only once."""

    def actions(self, state: GameState) -> Iterator[Square]:
        """Yield the free squares, row by row; none when the game is over."""
        yield from state.moves


def tables(h: int, v: int, k: int) -> tuple[Any, ...]:
    """Return the arguments of `sent_boards.SentBoard` for one size of board."""
    game = TicTacToe(h, v, k)
    rests = {
        square: tuple(tuple(other for other in line if other != square) for line in lines)
        for square, lines in game._lines.items()
    }
    return game.initial, rests, {"X": ("O", 1), "O": ("X", -1)}, {"X": 1, "O": -1}
