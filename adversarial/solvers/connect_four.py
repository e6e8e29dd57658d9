"""Compute the exact value of every column of a Connect Four position, on a board of any size.

Reads states, asks `four_search` for values, and draws pools of positions from a seed; shares no
code with any solution. On 7x6 all columns of a position take 20 ms from ply 16 on, 2 s at worst;
a second or more at ply 12; and the empty board is out of reach.
"""

import functools
import random
from collections.abc import Callable

from adversarial.solvers.four_search import BitboardSearch
from games import GameState

TRIES = 1000  # random positions at most for each one in a pool


class Solver:
    """Exact values and all best columns on `rows` x `columns` squares, `k` in a row winning.

    Inside, a position is two bit sets: the stones of the player to move and those of the other.
    """

    def __init__(self, rows: int = 6, columns: int = 7, k: int = 4) -> None:
        """Lay out the board and its winning lines."""
        self.rows, self.columns, self.k, self.size = rows, columns, k, rows * columns
        self._search = BitboardSearch(rows, columns, k)

    # --- values and moves --------------------------------------------------------------------

    def value(self, state: GameState) -> int:
        """Return the value of a state for X: +1 X wins, 0 draw, -1 O wins, with best play."""
        value = self._search.value(*self._position(state))
        return value if state.to_move == "X" else -value

    def values(self, state: GameState) -> dict[int, int]:
        """Return the value of each legal column for the player to move; empty when it is over."""
        return self._values(*self._position(state))

    def best_moves(self, state: GameState) -> set[int]:
        """Return all columns of the highest value; empty when the game is over."""
        return _best(self.values(state))

    def scores(self, state: GameState) -> dict[int, int]:
        """Return the score of each legal column for the player to move; empty when it is over.

        The score counts the stones that the winner has left when it wins, the winning one
        included, and is negative if the opponent wins; 0 is a draw. So faster wins score higher.
        """
        own, other = self._position(state)
        return {
            column: -self._search.score(other, own | move)
            for column, move in self._search.moves(own, other)
        }

    # --- pools that hidden checks draw from ----------------------------------------------------

    def endgames(self, chance: random.Random, count: int, empty: int = 12) -> list[GameState]:
        """Return different states with at most so many empty squares, and moves of unequal value.

        In this and all other pools each column is a best one about equally often. ValueError if the
        board has too few such states.
        """
        return self._pool(chance, count, empty, lambda own, other: True)

    def win_now(self, chance: random.Random, count: int, empty: int = 20) -> list[GameState]:
        """Return states in which some column wins at once."""
        return self._pool(
            chance, count, empty, lambda own, other: self._search.threats(own, other) > 0
        )

    def block_now(self, chance: random.Random, count: int, empty: int = 20) -> list[GameState]:
        """Return states in which every column loses except the one that blocks a line."""

        def must_block(own: int, other: int) -> bool:
            return not self._search.threats(own, other) and self._search.threats(other, own) > 0

        return self._pool(chance, count, empty, must_block)

    def double_threat(self, chance: random.Random, count: int, empty: int = 20) -> list[GameState]:
        """Return states without threats in which a move makes two, of which one can be blocked."""
        return self._pool(chance, count, empty, self._is_fork)

    def zugzwang(self, chance: random.Random, count: int, empty: int = 16) -> list[GameState]:
        """Return states without threats that are won only because the opponent has to move.

        No best move threatens anything at once, and a pass after it would save the opponent.
        """
        return self._pool(chance, count, empty, self._is_zugzwang)

    def _pool(
        self,
        chance: random.Random,
        count: int,
        empty: int,
        wanted: Callable[[int, int], bool],
    ) -> list[GameState]:
        found: dict[tuple[int, int], GameState] = {}
        taken = [0] * self.columns
        for _ in range(TRIES * count):
            if len(found) == count:
                break
            own, other = self._played(chance, chance.randint((empty + 1) // 2, empty))
            if (own, other) in found or not wanted(own, other):
                continue
            values = self._values(own, other)
            rarest = min(_best(values), key=taken.__getitem__, default=0)
            if len(set(values.values())) > 1 and taken[rarest] * self.columns < count:
                found[own, other] = self._state(own, other, "XO"[(own | other).bit_count() % 2])
                taken[rarest] += 1
        if len(found) < count:
            raise ValueError(
                f"only {len(found)} of {count} states were found in {TRIES} tries each"
            )
        return list(found.values())

    def _values(self, own: int, other: int) -> dict[int, int]:
        return {
            column: -self._search.value(other, own | move)
            for column, move in self._search.moves(own, other)
        }

    def _played(self, chance: random.Random, empty: int) -> tuple[int, int]:
        """Return a random position with so many empty squares, or more if every move would win.

        Both players have blocked every line that they could, and have never completed one.
        """
        own = other = 0
        own_wins = other_wins = self._search.wins(0)
        while (own | other).bit_count() < self.size - empty:
            moves = self._search.playable(own, other) & ~own_wins
            if not moves:
                break
            moves = moves & other_wins or moves
            move = chance.choice(
                [moves & column for column in self._search.columns if moves & column]
            )
            own_wins, other_wins = other_wins, self._search.wins_after(own, own_wins, move)
            own, other = other, own | move
        return own, other

    def _is_fork(self, own: int, other: int) -> bool:
        if self._search.threats(own, other) or self._search.threats(other, own):
            return False
        for _, move in self._search.moves(own, other):
            now = self._search.threats(own | move, other)
            above = now << 1 & self._search.wins(own | move) & self._search.board
            if not self._search.threats(other, own | move) and (now & now - 1 or above):
                return True
        return False

    def _is_zugzwang(self, own: int, other: int) -> bool:
        if self._search.threats(own, other) or self._search.threats(other, own):
            return False
        moves = [own | move for _, move in self._search.moves(own, other)]
        best = [stones for stones in moves if self._search.value(other, stones) == -1]
        return len(best) > 0 and all(
            not self._search.threats(stones, other) and self._search.value(stones, other) <= 0
            for stones in best
        )

    # --- positions ---------------------------------------------------------------------------

    def _position(self, state: GameState) -> tuple[int, int]:
        stones = {"X": 0, "O": 0}
        for (row, column), player in state.board.items():
            stones[player] |= 1 << column * (self.rows + 1) + row
        other = "O" if state.to_move == "X" else "X"
        return stones[state.to_move], stones[other]

    def _state(self, own: int, other: int, to_move: str) -> GameState:
        x, o = (own, other) if to_move == "X" else (other, own)
        board = {
            (row, column): "X" if x >> i & 1 else "O"
            for column in range(self.columns)
            for row in range(self.rows)
            if (x | o) >> (i := column * (self.rows + 1) + row) & 1
        }
        utility = 1 if self._search.aligned(x) else -1 if self._search.aligned(o) else 0
        return GameState(to_move, utility, board, [c for c, _ in self._search.moves(own, other)])


def _best(values: dict[int, int]) -> set[int]:
    return {column for column, value in values.items() if value == max(values.values())}


_four_oracle = functools.cache(Solver)


def four_oracle(rows: int = 6, columns: int = 7, k: int = 4) -> Solver:
    """Return the exact values of Connect Four on a board of that size."""
    return _four_oracle(rows, columns, k)
