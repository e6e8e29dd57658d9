"""Play Connect Four of any size: the rules that a search can also have inside a player.

Used in two places: in the referee, where a check counts every call, and, as source text, inside
a player, where a long search needs speed: no cell of Connect Four asks for them, and nobody else
gets them. Imports `games` only, because it must run alone there.
"""

from collections.abc import Iterator, Mapping

import games
from games import GameState, IllegalMove

Square = tuple[int, int]


class FastConnectFour(games.ConnectFour):
    """The same game, in which lines are looked for in another, faster way: from the last piece."""

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
