"""Compute exact values of Connect Four positions with few free squares, on a board of any size.

Reads states, and draws some from a seed; shares no code with any solution. On 7x6 all
columns of a position with 14 free squares take a few ms, with 28 a second; beyond is out of reach.
"""

import functools
import random
from collections.abc import Callable
from typing import NamedTuple

from adversarial.games.rules import lines
from games import GameState

TRIES = 1000  # random positions at most for each one that is drawn
DRAW, WIN = 0, 1  # what a player may want at least


class Position(NamedTuple):
    """The stones of the player to move, those of the other, and the squares that win for each.

    All four are bit sets. A square stays among those that win when a stone has fallen there.
    """

    own: int
    other: int
    own_wins: int
    other_wins: int

    @property
    def is_won(self) -> bool:
        """Return whether the other player, who has moved, has won."""
        return bool(self.other & self.other_wins)


class Solver:
    """Exact values and all best columns on `rows` x `columns` squares, `k` in a row winning.

    In a bit set column c has the bits from c * (rows + 1) on, the lowest row first, and one more
    above, which is never a stone.
    """

    def __init__(self, rows: int = 6, columns: int = 7, k: int = 4) -> None:
        """Lay out the board and its winning lines."""
        self.rows, self.columns, high = rows, columns, rows + 1
        self._bits = {(r, c): 1 << c * high + r for c in range(columns) for r in range(rows)}
        self._bottom = sum(self._bits[0, c] for c in range(columns))
        self._board = sum(self._bits.values())
        self._masks = [sum(self._bits[r, c] for r in range(rows)) for c in range(columns)]
        self._centre_first = sorted(
            self._masks, key=lambda mask: abs(2 * self._masks.index(mask) + 1 - columns)
        )
        self._lines = [
            sum(self._bits[square] for square in line) for line in lines(rows, columns, k)
        ]
        self._through = {
            bit: [line for line in self._lines if line & bit] for bit in self._bits.values()
        }
        self._results: dict[tuple[int, int, int], bool] = {}

    def values(self, state: GameState) -> dict[int, int]:
        """Return the value of each legal column for the player to move; empty when it is over.

        +1 wins, 0 draws, -1 loses, with best play.
        """
        return self._values(self._position(state))

    def best_moves(self, state: GameState) -> set[int]:
        """Return all columns of the highest value; empty when the game is over."""
        return _best(self.values(state))

    # --- states that hidden checks draw from ---------------------------------------------------

    def endgames(
        self,
        chance: random.Random,
        count: int,
        empty: int,
        is_wanted: Callable[[GameState], bool] = lambda _: True,
    ) -> list[GameState]:
        """Return different states, each one `is_wanted`, with at most so many empty squares.

        Their moves are of unequal value, and each column is a best one about equally often.
        ValueError if the board has too few such states.
        """
        self._results.clear()  # the positions of another draw hardly meet those of this one
        states: dict[Position, GameState] = {}
        counts = [0] * self.columns
        for _ in range(TRIES * count):
            if len(states) == count:
                return list(states.values())
            position = self._random_position(chance, chance.randint((empty + 1) // 2, empty))
            state = self._state(position)
            if position in states or not is_wanted(state):
                continue
            values = self._values(position)
            rarest = min(_best(values), key=counts.__getitem__, default=0)
            if len({*values.values()}) > 1 and counts[rarest] * self.columns < count:
                states[position] = state
                counts[rarest] += 1
        raise ValueError(f"only {len(states)} of {count} states were found in {TRIES} tries each")

    def _random_position(self, chance: random.Random, empty: int) -> Position:
        """Return a random position with so many empty squares, or more if every move would win.

        Both players have blocked every line that they could, and have never completed one.
        """
        position = self._position(GameState("X", 0, {}, []))
        while (self._board & ~(position.own | position.other)).bit_count() > empty:
            moves = self._playable(position) & ~position.own_wins
            if not moves:
                break
            moves = moves & position.other_wins or moves
            move = chance.choice([moves & mask for mask in self._masks if moves & mask])
            position = self._after(position, move)
        return position

    # --- values ----------------------------------------------------------------------------------

    def _values(self, position: Position) -> dict[int, int]:
        """Return the value of each legal column for the player to move."""
        return {
            column: 1 if after.is_won else 1 - self._search(after, DRAW) - self._search(after, WIN)
            for column, after in self._following(position).items()
        }

    def _search(self, position: Position, least: int) -> bool:
        """Return whether the player to move gets a draw at least, or a win; nobody has won."""
        playable = self._playable(position)
        if playable & position.own_wins:
            return True
        blocks = playable & position.other_wins
        moves = (blocks or playable) & ~(position.other_wins >> 1)  # not below where the other wins
        if not moves or blocks & blocks - 1:
            return not playable and least == DRAW
        key = position.own, position.other, least
        if key not in self._results:
            self._results[key] = not all(
                self._search(self._after(position, moves & column), 1 - least)
                for column in self._centre_first
                if moves & column
            )
        return self._results[key]

    # --- positions ---------------------------------------------------------------------------

    def _after(self, position: Position, move: int) -> Position:
        """Return the position after a stone at the square `move`."""
        own, other, own_wins, other_wins = position
        own |= move
        for line in self._through[move]:
            gaps = line & ~own
            if not gaps & gaps - 1:
                own_wins |= gaps
        return Position(other, own, other_wins, own_wins)

    def _following(self, position: Position) -> dict[int, Position]:
        """Return the positions that the legal columns lead to; none when somebody has won."""
        playable = 0 if position.is_won else self._playable(position)
        return {
            column: self._after(position, playable & mask)
            for column, mask in enumerate(self._masks)
            if playable & mask
        }

    def _playable(self, position: Position) -> int:
        """Return the squares that the next stone can fall to."""
        return (position.own | position.other) + self._bottom & self._board

    def _position(self, state: GameState) -> Position:
        stones, wins = {"X": 0, "O": 0}, {"X": 0, "O": 0}
        for square, player in state.board.items():
            stones[player] |= self._bits[square]
        for player in "XO":
            for line in self._lines:
                gaps = line & ~stones[player]
                if not gaps & gaps - 1:
                    wins[player] |= gaps or line
        own, other = "XO" if state.to_move == "X" else "OX"
        return Position(stones[own], stones[other], wins[own], wins[other])

    def _state(self, position: Position) -> GameState:
        """Return a position in which nobody has won as a state."""
        stones = position.own | position.other
        own, other = "XO" if stones.bit_count() % 2 == 0 else "OX"
        board = {
            square: own if position.own & bit else other
            for square, bit in self._bits.items()
            if stones & bit
        }
        return GameState(own, 0, board, list(self._following(position)))


def _best(values: dict[int, int]) -> set[int]:
    """Return the columns of the highest value."""
    return {column for column, value in values.items() if value == max(values.values())}


@functools.cache
def four_oracle(rows: int = 6, columns: int = 7, k: int = 4) -> Solver:
    """Return the exact values of Connect Four on a board of that size."""
    return Solver(rows, columns, k)
