"""Ask a search that takes other arguments than a game and a state."""

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from games import Game

Path: TypeAlias = tuple[int, ...]


class Ahead(Game):
    """A tree of nested lists: a number is an estimate; MAX, MIN or draw tells how the game ended.

    Below a number the game goes on, with one move in each state.
    """

    def __init__(self, game: Any, most: float = math.inf) -> None:
        """Go on below the leaves of `game`, a `NestedTree` or a record of one, to paths of `most`.

        In a longer one no move may be made: ValueError.
        """
        self.game, self.initial, self.at, self.most = game, game.initial, game.at, most

    def actions(self, state: Path) -> list[int]:
        """Return the numbers of the children; below a leaf there is one."""
        return list(self.game.actions(state)) or [0]

    def result(self, state: Path, move: int) -> Path:
        """Return the path that is one move longer."""
        if len(state) >= self.most:
            raise ValueError(f"{self._place(state)} a move was made, where the depth is used up")
        inside = isinstance(self.at(state), list)
        return self.game.result(state, move) if inside else (*state, move)

    def terminal_test(self, state: Path) -> bool:
        """Return whether a path ends in a text."""
        return isinstance(self.at(state), str)

    def utility(self, state: Path, player: str) -> float:
        """Return 1, 0 or -1; ValueError if the game goes on."""
        if not self.terminal_test(state):
            raise ValueError(f"the game is not over in state {state}")
        return {player: 1, "draw": 0}.get(self.at(state), -1)

    def to_move(self, state: Path) -> str:
        """Return the player whose turn it is."""
        return str(self.game.to_move(state))

    def estimate(self, state: Path, player: str) -> float:
        """Return a number as `player` sees it; ValueError for any other state."""
        if not isinstance(self.at(state), int | float):
            what = "the game is over" if self.terminal_test(state) else "the search goes on"
            raise ValueError(f"{self._place(state)} it was estimated, but {what} there")
        value: float = self.game.utility(state, player)
        return value

    def _place(self, state: Path) -> str:
        return f"in Tree({self.at(())!r:.100}), state {state},"


def by_state(search: Callable[..., Any]) -> Callable[..., Any]:
    """Return the search with a game and a state as arguments, for one that takes state and game."""
    return lambda game, state: search(state, game)


def by_depth(search: Callable[..., Any]) -> Callable[..., Any]:
    """Return a search to the leaves of a tree, for one that also takes a depth and an estimate."""

    def limited(game: Any, state: Path) -> Any:
        depth = plies(game.at(state))
        ahead = Ahead(game, len(state) + depth)
        answer = search(ahead, state, depth, ahead.estimate)
        return tuple(answer) if isinstance(answer, list) else answer

    return limited


def plies(tree: Any) -> int:
    """Return how deep a tree is."""
    return 1 + max(map(plies, tree)) if isinstance(tree, list) else 0
