"""A board game whose rules are tables, so that its source gives no solution away, and lazy games.

Sent into a student's process as source text, where a search needs speed. Student code can read and
copy it, so the squares, the lines, the order of turns and the value of a win are data that the
referee sends for one size of board (`rules.tables`, which is not sent). Imports `games` only.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games import ConnectFour, Game, GameState, IllegalMove

Square = tuple[int, int]
Rest = tuple[Square, ...]  # the other squares of a line


class SentBoard(Game):
    """A board game with states that list their moves, and rules from tables."""

    def __init__(
        self,
        initial: GameState,
        rests: Mapping[Square, Iterable[Rest]],
        turns: Mapping[str, tuple[str, int]],
        signs: Mapping[str, int],
    ) -> None:
        """Start in `initial`; a move wins if its player holds all squares of one of its `rests`.

        `turns` has the next player and the utility of a win, `signs` its sign for each player.
        """
        self.initial = initial
        self._rests, self._turns, self._signs = rests, turns, signs

    def actions(self, state: GameState) -> Iterable[Square]:
        """Return the moves that the state lists."""
        return list(state.moves)

    def result(self, state: GameState, move: Any) -> GameState:
        """Return the state after `move`, by the tables."""
        mover, _, before, moves = state
        if move not in moves:
            raise IllegalMove(f"{move!r} is not a legal move here; legal moves are {moves}")
        following, worth = self._turns[mover]
        board = {**before, move: mover}
        for rest in self._rests[move]:
            for square in rest:
                if before.get(square) != mover:
                    break
            else:
                return GameState(following, worth, board, [])
        return GameState(following, 0, board, [square for square in moves if square != move])

    def utility(self, state: GameState, player: str) -> int:
        """Return the utility of the state for `player`."""
        return int(self._signs[player] * state.utility)

    def terminal_test(self, state: GameState) -> bool:
        """Return whether the state lists no move."""
        return not state.moves


class LazySentBoard(SentBoard):
    """The same game, whose `actions` is a generator: it can be walked through only once."""

    def actions(self, state: GameState) -> Iterator[Square]:
        """Yield the moves that the state lists."""
        yield from state.moves


class LazyConnectFour(ConnectFour):
    """Connect Four with the rules of the student library, and the same kind of `actions`."""

    def actions(self, state: GameState) -> Iterator[int]:  # type: ignore[override]
        """Yield the columns that are not full, from the left; none when the game is over."""
        yield from state.moves
