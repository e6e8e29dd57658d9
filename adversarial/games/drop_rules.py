"""Connect Four of any size, with rules that are also sent into a student's process.

Used in the referee, where a check counts every call, and, as source text, in the player, where a
long search needs speed: no cell of that assignment asks for these rules. Imports `games` only.
"""

from collections.abc import Iterator, Mapping

import games
from games import GameState, IllegalMove

Square = tuple[int, int]


class FastConnectFour(games.ConnectFour):
    """Connect Four that looks for lines faster: only through the last piece."""

    def result(self, state: GameState, move: int) -> GameState:
        """Return the state after the player to move drops a piece into the column `move`."""
        if move not in state.moves:
            raise IllegalMove(f"{move!r} is not a legal move here; legal moves are {state.moves}")
        row = 0
        while (row, move) in state.board:
            row += 1
        board = {**state.board, (row, move): state.to_move}
        following = "O" if state.to_move == "X" else "X"
        if self._wins(board, (row, move)):
            return GameState(following, 1 if state.to_move == "X" else -1, board, [])
        full = move if row == self.rows - 1 else None
        return GameState(following, 0, board, [c for c in state.moves if c != full])

    def _wins(self, board: Mapping[Square, str], last: Square) -> bool:
        """Return whether `k` pieces of the same player are in a line through the one at `last`."""
        player = board[last]
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            run = 1
            for sign in (1, -1):
                row, column = last[0] + sign * up, last[1] + sign * right
                while board.get((row, column)) == player:
                    run, row, column = run + 1, row + sign * up, column + sign * right
            if run >= self.k:
                return True
        return False


class LazyConnectFour(FastConnectFour):
    """The same game, whose `actions` is a generator: it can be walked through only once."""

    def actions(self, state: GameState) -> Iterator[int]:  # type: ignore[override]
        """Yield the columns that are not full, from the left; none when the game is over."""
        yield from state.moves
