"""The rules of Nim, and a game that stays in the referee and knows what it has given out."""

from collections.abc import Iterable, Iterator
from typing import Any

from piles import Game, IllegalMoveError, Position


class Nim(Game):
    """Take any number of things from one pile; who takes the last one wins."""

    def __init__(self, *sizes: int) -> None:
        """Begin with piles of these sizes, 1, 2 and 3 unless others are given."""
        self.initial = position("first", dict(enumerate(sizes or (1, 2, 3))))

    def actions(self, state: Position) -> Iterable[tuple[int, int]]:
        """Return the moves: which pile, and how many."""
        return list(state.moves)

    def result(self, state: Position, move: tuple[int, int]) -> Position:
        """Return the state in which so many are gone."""
        if move not in state.moves:
            raise IllegalMoveError(f"{move!r} is not a legal move; legal moves: {state.moves}")
        pile, count = move
        left = {**state.piles, pile: state.piles[pile] - count}
        return position("second" if state.to_move == "first" else "first", left)

    def utility(self, state: Position, player: str) -> float:
        """Return 1 for who took the last one, and -1 for the other."""
        return state.utility if player == "first" else -state.utility

    def terminal_test(self, state: Position) -> bool:
        """Return whether nothing is left."""
        return not state.moves


class LazyNim(Nim):
    """The same game, whose moves can be walked through only once."""

    def actions(self, state: Position) -> Iterator[tuple[int, int]]:
        """Yield the moves."""
        yield from state.moves


def position(to_move: str, piles: dict[int, int]) -> Position:
    """Return the state with these piles."""
    moves = [(pile, count) for pile, size in piles.items() for count in range(1, size + 1)]
    worth = 0 if moves else -1 if to_move == "first" else 1
    return Position(to_move, worth, piles, moves)


class Recorded(Game):
    """A game that answers only about states that it has given out, and as they were then."""

    def __init__(self, game: Game) -> None:
        """Record the states that `game` gives out."""
        self.game, self.initial = game, game.initial
        self._given = {_key(game.initial): game.initial}

    def actions(self, state: Any) -> Any:
        """Return the legal moves."""
        return self.game.actions(self._own(state))

    def result(self, state: Any, move: Any) -> Any:
        """Return the state that a move leads to, and remember it."""
        following = self.game.result(self._own(state), move)
        self._given[_key(following)] = following
        return following

    def utility(self, state: Any, player: str) -> float:
        """Return what a final state is worth to a player."""
        return self.game.utility(self._own(state), player)

    def terminal_test(self, state: Any) -> bool:
        """Return whether the game is over."""
        return self.game.terminal_test(self._own(state))

    def to_move(self, state: Any) -> str:
        """Return whose turn it is."""
        return self.game.to_move(self._own(state))

    def _own(self, state: Any) -> Any:
        if _key(state) not in self._given:
            raise ValueError("this state is not one that the game has given out")
        return self._given[_key(state)]


def _key(state: Any) -> Any:
    is_position = isinstance(state, Position)
    return (state.to_move, frozenset(state.piles.items())) if is_position else state
