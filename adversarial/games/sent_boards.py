"""Play on a board that is told, as data, all that there is to know of it.

This is what runs inside a player, as source text, where a search needs speed. Student code can take
it apart and carry it off, so it holds no rule: which squares there are, which of them make a line,
whose turn follows whose and what a win is worth are tables that the referee sends for one size of
board (`tables`, which stays behind). Imports `games` only, because it must run alone there.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games import Game, GameState, IllegalMove

Square = tuple[int, int]
Rest = tuple[Square, ...]  # what else a line needs


class SentBoard(Game):
    """A board game whose states are those of `rules.TicTacToe`; it knows what its tables say."""

    def __init__(
        self,
        initial: GameState,
        rests: Mapping[Square, Iterable[Rest]],
        turns: Mapping[str, tuple[str, int]],
        signs: Mapping[str, int],
    ) -> None:
        """Start in `initial`; whoever moves where one of the `rests` is held has won.

        `turns` says who moves next, and what a win of the mover is worth; `signs` who sees it how.
        """
        self.initial = initial
        self._rests, self._turns, self._signs = rests, turns, signs

    def actions(self, state: GameState) -> Iterable[Square]:
        """Return what the state lists."""
        return list(state.moves)

    def result(self, state: GameState, move: Any) -> GameState:
        """Return what the tables say of `move`."""
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
        """Return what the state is worth to `player`."""
        return int(self._signs[player] * state.utility)

    def terminal_test(self, state: GameState) -> bool:
        """Return whether the state lists no move."""
        return not state.moves


class LazySentBoard(SentBoard):
    """The same game, whose `actions` is a generator: it can be walked through only once."""

    def actions(self, state: GameState) -> Iterator[Square]:
        """Yield what the state lists."""
        yield from state.moves
