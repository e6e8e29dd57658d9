"""Connect Four for the inside of a student's process, where long searches need speed.

Sent there as source text: the rules are the student library's. Imports `games` only.
"""

from collections.abc import Iterator

from games import ConnectFour, GameState


class LazyConnectFour(ConnectFour):
    """The same game, whose `actions` is a generator: it can be walked through only once."""

    def actions(self, state: GameState) -> Iterator[int]:  # type: ignore[override]
        """Yield the columns that are not full, from the left; none when the game is over."""
        yield from state.moves
