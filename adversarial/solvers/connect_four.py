"""Compute exact values of Connect Four positions with few free squares, on a board of any size.

Reads states, and draws pools of positions from a seed; shares no code with any solution. On 7x6 all
columns of a position with 14 free squares take some ms, with 28 a few seconds; beyond is out of
reach.
"""

import functools
import random
from collections.abc import Callable
from typing import TypeAlias

from games import GameState

TRIES = 1000  # random positions at most for each one in a pool
DRAW, WIN = 0, 1  # what a player may want at least
Position: TypeAlias = tuple[int, int]  # the stones of the player to move, and of the other


class Solver:
    """Exact values and all best columns on `rows` x `columns` squares, `k` in a row winning.

    Stones are bit sets: column c has the bits from c * (rows + 1) on, the lowest row first, and one
    more above, which is never a stone.
    """

    def __init__(self, rows: int = 6, columns: int = 7, k: int = 4) -> None:
        """Lay out the board."""
        self.rows, self.columns, self.k, self._high = rows, columns, k, rows + 1
        self._bottom = sum(1 << c * self._high for c in range(columns))
        self._board = self._bottom * ((1 << rows) - 1)
        self._masks = [((1 << rows) - 1) << c * self._high for c in range(columns)]
        self._centre_first = sorted(
            self._masks, key=lambda mask: abs(2 * self._masks.index(mask) + 1 - columns)
        )
        self._known: dict[tuple[Position, int], bool] = {}

    def values(self, state: GameState) -> dict[int, int]:
        """Return the value of each legal column for the player to move; empty when it is over.

        +1 wins, 0 draws, -1 loses, with best play.
        """
        own = other = 0
        for (row, column), player in state.board.items():
            bit = 1 << column * self._high + row
            own, other = (own | bit, other) if player == state.to_move else (own, other | bit)
        return self._values((own, other))

    def best_moves(self, state: GameState) -> set[int]:
        """Return all columns of the highest value; empty when the game is over."""
        return _best(self.values(state))

    # --- pools that hidden checks draw from ----------------------------------------------------

    def endgames(self, chance: random.Random, count: int, empty: int) -> list[GameState]:
        """Return different states with at most so many empty squares, and moves of unequal value.

        In this and all other pools each column is a best one about equally often. ValueError if the
        board has too few such states.
        """
        return self._pool(chance, count, empty, lambda position: True)

    def win_now(self, chance: random.Random, count: int, empty: int) -> list[GameState]:
        """Return states in which some column wins at once."""
        return self._pool(chance, count, empty, lambda position: self._threats(position)[0] > 0)

    def block_now(self, chance: random.Random, count: int, empty: int) -> list[GameState]:
        """Return states in which every column loses except the one that blocks a line."""

        def must_block(position: Position) -> bool:
            own, other = self._threats(position)
            return not own and other > 0

        return self._pool(chance, count, empty, must_block)

    def double_threat(self, chance: random.Random, count: int, empty: int) -> list[GameState]:
        """Return states without threats in which a move makes two, of which one can be blocked."""

        def is_fork(after: Position) -> bool:
            other, own = self._threats(after)
            return not other and bool(own & own - 1 or own << 1 & self._wins(after[1]))

        return self._pool(
            chance,
            count,
            empty,
            lambda one: self._is_quiet(one) and any(map(is_fork, self._following(one).values())),
        )

    def zugzwang(self, chance: random.Random, count: int, empty: int) -> list[GameState]:
        """Return states without threats that are won only because the opponent has to move.

        No best move threatens anything at once, and a pass after it would save the opponent.
        """

        def a_pass_saves(position: Position) -> bool:
            if not self._is_quiet(position):
                return False
            after = self._following(position).values()
            passed = [one[::-1] for one in after if not self._reaches(one, DRAW)]
            return len(passed) > 0 and not any(
                self._threats(one)[0] or self._reaches(one, WIN) for one in passed
            )

        return self._pool(chance, count, empty, a_pass_saves)

    def _pool(
        self, chance: random.Random, count: int, empty: int, wanted: Callable[[Position], bool]
    ) -> list[GameState]:
        self._known.clear()  # the positions of another draw hardly meet those of this one
        found: dict[Position, GameState] = {}
        taken = [0] * self.columns
        for _ in range(TRIES * count):
            if len(found) == count:
                return list(found.values())
            position = self._played(chance, chance.randint((empty + 1) // 2, empty))
            if position in found or not wanted(position):
                continue
            values = self._values(position)
            best = _best(values)
            rarest = min(best, key=taken.__getitem__, default=0)
            if len(best) < len(values) and taken[rarest] * self.columns < count:
                found[position] = self._state(position)
                taken[rarest] += 1
        raise ValueError(f"only {len(found)} of {count} states were found in {TRIES} tries each")

    def _played(self, chance: random.Random, empty: int) -> Position:
        """Return a random position with so many empty squares, or more if every move would win.

        Both players have blocked every line that they could, and have never completed one.
        """
        own = other = 0
        while (self._board & ~(own | other)).bit_count() > empty:
            moves = self._playable((own, other)) & ~self._wins(own)
            if not moves:
                break
            moves = moves & self._wins(other) or moves
            move = chance.choice([moves & mask for mask in self._masks if moves & mask])
            own, other = other, own | move
        return own, other

    # --- values ----------------------------------------------------------------------------------

    def _values(self, position: Position) -> dict[int, int]:
        return {
            column: 1 - self._reaches(after, DRAW) - self._reaches(after, WIN)
            for column, after in self._following(position).items()
        }

    def _reaches(self, position: Position, least: int) -> bool:
        """Return whether the player to move gets a draw at least, or a win; may be over."""
        other = position[1]
        return not other & self._wins(other) and self._search(position, least)

    def _search(self, position: Position, least: int) -> bool:
        """Return the same of a position in which nobody has won."""
        own, other = position
        playable, other_wins = self._playable(position), self._wins(other)
        if playable & self._wins(own):
            return True
        forced = playable & other_wins
        moves = (forced or playable) & ~(other_wins >> 1)  # not below where the other wins
        if not moves or forced & forced - 1:
            return not playable and least == DRAW
        if (position, least) not in self._known:
            self._known[position, least] = not all(
                self._search((other, own | moves & column), 1 - least)
                for column in self._centre_first
                if moves & column
            )
        return self._known[position, least]

    # --- positions -------------------------------------------------------------------------------

    def _wins(self, stones: int) -> int:
        """Return the squares that make a line with these stones; one of them may be there."""
        return _ends(stones, self._high, self.k) & self._board

    def _following(self, position: Position) -> dict[int, Position]:
        """Return the positions that the legal columns lead to; none when somebody has won."""
        own, other = position
        over = own & self._wins(own) or other & self._wins(other)
        playable = 0 if over else self._playable(position)
        return {
            column: (other, own | playable & mask)
            for column, mask in enumerate(self._masks)
            if playable & mask
        }

    def _playable(self, position: Position) -> int:
        """Return the squares that the next stone can fall to."""
        return (position[0] | position[1]) + self._bottom & self._board

    def _threats(self, position: Position) -> tuple[int, int]:
        """Return the playable squares that win for the player to move, and for the other."""
        playable = self._playable(position)
        return playable & self._wins(position[0]), playable & self._wins(position[1])

    def _is_quiet(self, position: Position) -> bool:
        return self._threats(position) == (0, 0)

    def _state(self, position: Position) -> GameState:
        """Return a position in which nobody has won as a state."""
        own, other = "XO" if (position[0] | position[1]).bit_count() % 2 == 0 else "OX"
        board = {
            (row, column): player
            for column in range(self.columns)
            for row in range(self.rows)
            for player, stones in zip((own, other), position, strict=True)
            if stones >> column * self._high + row & 1
        }
        return GameState(own, 0, board, list(self._following(position)))


def _best(values: dict[int, int]) -> set[int]:
    return {column for column, value in values.items() if value == max(values.values())}


@functools.lru_cache(100_000)
def _ends(stones: int, high: int, k: int) -> int:
    """Return the bits that make a line of `k` with these stones, in columns of so many bits."""
    found = 0
    for step in (1, high - 1, high, high + 1):
        for below in range(k):  # how many of the line come before that bit
            line = -1
            for place in range(-below, k - below):
                if place:
                    line &= stones >> place * step if place > 0 else stones << -place * step
            found |= line
    return found


@functools.cache
def four_oracle(rows: int = 6, columns: int = 7, k: int = 4) -> Solver:
    """Return the exact values of Connect Four on a board of that size."""
    return Solver(rows, columns, k)
