"""Know the exact value of every column of a Connect Four position, on a board of any size.

Own bitboards, standard library and `games` only; shares no code with any solution. A null-window
alpha-beta search over win cells: squares that would complete a line. It takes forced replies, never
moves below a win cell of the opponent, sorts moves by the win cells they make, keeps bounds in a
table (mirror images together while the stones allow one), and stops where following up, a strategy
for the last squares of the columns (V. Allis, A Knowledge-Based Approach of Connect-Four, 1988),
decides. On 7x6 every position from ply 16 on takes a fraction of a second; from ply 12 on seconds,
and the empty board is out of reach: give `best_moves` a budget of `nodes` there. Given to hidden
checks by the fixture `four_oracle`.
"""

import math
import random
from collections.abc import Callable, Iterator

from games import GameState

TRIES = 1000  # positions that are drawn at most for each one of a pool
KEPT = 1_000_000  # bounds that are kept at most; then the table starts again


class UnsolvedError(Exception):
    """The search has used up its budget of nodes."""


class Solver:
    """Exact values and all best columns on `rows` x `columns` squares, `k` in a row winning.

    A board is an integer: column c has the bits from c * (rows + 1) on, the lowest row first, and
    one more bit above, which is never a stone. A position is the stones of the player to move and
    those of the other. Scores are those of the usual solvers, as in `scores`.
    """

    def __init__(self, rows: int = 6, columns: int = 7, k: int = 4) -> None:
        """Lay out the board and its winning lines."""
        self.rows, self.columns, self.k, self.size = rows, columns, k, rows * columns
        self.nodes: float = 0  # visited so far
        height = rows + 1
        self._bottom = sum(1 << c * height for c in range(columns))
        self._board = self._bottom * ((1 << rows) - 1)
        full = [((1 << rows) - 1) << c * height for c in range(columns)]
        self._full = full
        self._order = sorted(full, key=lambda mask: abs(2 * full.index(mask) + 1 - columns))
        # Squares with an even number of squares from them to the top of their column.
        self._even = sum(self._bottom << r for r in range(rows) if (rows - r) % 2 == 0)
        lines = list(_lines(rows, columns, k))
        self._through = {
            1 << i: [line for line in lines if line >> i & 1]
            for i in range(columns * height)
            if self._board >> i & 1
        }
        self._runs = [_doublings(step, k) for step in (height, rows, height + 1, 1)]
        self._at_least: dict[int, int] = {}
        self._at_most: dict[int, int] = {}
        self._mirror = False
        self._limit = math.inf

    # --- what checks ask ---------------------------------------------------------------------

    def value(self, state: GameState) -> int:
        """Return the value of a state for X: +1 X wins, 0 draw, -1 O wins, with best play."""
        value = self._value(*self._position(state))
        return value if state.to_move == "X" else -value

    def values(self, state: GameState) -> dict[int, int]:
        """Return the value of each legal column for the player to move; empty when it is over."""
        own, other = self._position(state)
        return {column: -self._value(other, own | move) for column, move in self._moves(own, other)}

    def best_moves(self, state: GameState, nodes: float = math.inf) -> set[int]:
        """Return all columns of the highest value; empty when the game is over.

        UnsolvedError if that takes more than so many nodes of search.
        """
        self._limit = self.nodes + nodes
        try:
            return _best(self.values(state))
        finally:
            self._limit = math.inf

    def scores(self, state: GameState) -> dict[int, int]:
        """Return the score of each legal column for the player to move; empty when it is over.

        The score counts the stones that the winner has left when it wins, the winning one
        included, and is negative if the opponent wins; 0 is a draw. So faster wins score higher.
        """
        own, other = self._position(state)
        return {column: -self._score(other, own | move) for column, move in self._moves(own, other)}

    # --- pools that hidden checks draw from ----------------------------------------------------

    def endgames(self, chance: random.Random, count: int, empty: int = 12) -> list[GameState]:
        """Return states with a real choice and at most so many empty squares, all different.

        The moves differ in value, and each column is a best one about equally often. So in all
        pools. ValueError if the board has too few such states.
        """
        return self._pool(chance, count, empty, lambda own, other: True)

    def win_now(self, chance: random.Random, count: int, empty: int = 20) -> list[GameState]:
        """Return states in which some column wins at once."""
        return self._pool(chance, count, empty, lambda own, other: self._threats(own, other) > 0)

    def block_now(self, chance: random.Random, count: int, empty: int = 20) -> list[GameState]:
        """Return states in which only the column that stops a line of the other does not lose."""

        def must_block(own: int, other: int) -> bool:
            return not self._threats(own, other) and self._threats(other, own) > 0

        return self._pool(chance, count, empty, must_block)

    def double_threat(self, chance: random.Random, count: int, empty: int = 20) -> list[GameState]:
        """Return quiet states in which a move threatens two lines, of which one can be stopped."""
        return self._pool(chance, count, empty, self._is_fork)

    def zugzwang(self, chance: random.Random, count: int, empty: int = 16) -> list[GameState]:
        """Return quiet states that are won, but not if the other could pass after the best move.

        No best move threatens anything at once: the other loses because it has to move.
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
            values = {c: -self._value(other, own | move) for c, move in self._moves(own, other)}
            rarest = min(_best(values), key=taken.__getitem__, default=0)
            if len(set(values.values())) > 1 and taken[rarest] * self.columns < count:
                found[own, other] = self._state(own, other, "XO"[(own | other).bit_count() % 2])
                taken[rarest] += 1
        if len(found) < count:
            raise ValueError(
                f"only {len(found)} of {count} states were found in {TRIES} tries each"
            )
        return list(found.values())

    def _played(self, chance: random.Random, empty: int) -> tuple[int, int]:
        """Return a position with so many empty squares, or more if only a win could go on.

        Both have played at random, have blocked what they could and have never won.
        """
        own = other = 0
        while (own | other).bit_count() < self.size - empty:
            playable = (own | other) + self._bottom & self._board
            moves = playable & ~self._wins(own)
            if not moves:
                break
            moves = moves & self._wins(other) or moves
            move = chance.choice([moves & column for column in self._full if moves & column])
            own, other = other, own | move
        return own, other

    def _threats(self, own: int, other: int) -> int:
        """Return the playable squares that complete a line of `own`."""
        return self._wins(own) & (own | other) + self._bottom & self._board

    def _is_fork(self, own: int, other: int) -> bool:
        if self._threats(own, other) or self._threats(other, own):
            return False
        for _, move in self._moves(own, other):
            now = self._threats(own | move, other)
            above = now << 1 & self._wins(own | move) & self._board
            if not self._threats(other, own | move) and (now & now - 1 or above):
                return True
        return False

    def _is_zugzwang(self, own: int, other: int) -> bool:
        if self._threats(own, other) or self._threats(other, own):
            return False
        moves = [own | move for _, move in self._moves(own, other)]
        best = [stones for stones in moves if self._value(other, stones) == -1]
        return len(best) > 0 and all(
            not self._threats(stones, other) and self._value(stones, other) <= 0 for stones in best
        )

    # --- positions ---------------------------------------------------------------------------

    def state_from(self, picture: str, to_move: str | None = None) -> GameState:
        """Return the state that `picture` shows: rows from the top, of X, O and . for empty.

        A new line or a / ends a row. X has moved first, unless a `to_move` is given. ValueError
        if the board has other sizes, a stone hangs in the air, or nobody can be to move.
        """
        rows = ["".join(row.split()) for row in picture.strip().replace("/", "\n").splitlines()]
        if len(rows) != self.rows or any(len(row) != self.columns for row in rows):
            raise ValueError(f"the picture must have {self.rows} rows of {self.columns} squares")
        own = {"X": 0, "O": 0}
        for row, line in enumerate(reversed(rows)):
            for column, square in enumerate(line):
                if square in own:
                    own[square] |= 1 << column * (self.rows + 1) + row
                elif square != ".":
                    raise ValueError(f"a square is X, O or ., not {square!r}")
        stones = own["X"] | own["O"]
        if stones + self._bottom & stones:
            raise ValueError("a stone has no stone below it")
        ahead = own["X"].bit_count() - own["O"].bit_count()
        if to_move is None and ahead not in (0, 1):
            raise ValueError(f"X has {ahead} stones more than O: say who is to move")
        player = to_move or "XO"[ahead]
        return self._state(own[player], own["O" if player == "X" else "X"], player)

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
        utility = 1 if self._aligned(x) else -1 if self._aligned(o) else 0
        return GameState(to_move, utility, board, [c for c, _ in self._moves(own, other)])

    def _moves(self, own: int, other: int) -> list[tuple[int, int]]:
        """Return the legal columns, each with the square that its stone falls to."""
        if self._aligned(own) or self._aligned(other):
            return []
        playable = (own | other) + self._bottom & self._board
        return [(c, playable & mask) for c, mask in enumerate(self._full) if playable & mask]

    # --- search ------------------------------------------------------------------------------

    def _value(self, own: int, other: int) -> int:
        """Return +1, 0 or -1 for the player to move."""
        known = self._known(own, other)
        if known is not None:
            return (known > 0) - (known < 0)
        wins = self._wins(own), self._wins(other)
        if self._search(own, other, *wins, 0) > 0:
            return 1
        return 0 if self._search(own, other, *wins, -1) >= 0 else -1

    def _score(self, own: int, other: int) -> int:
        """Return the score for the player to move, by halving the range it can be in."""
        known = self._known(own, other)
        if known is not None:
            return known
        wins = self._wins(own), self._wins(other)
        left = self.size - (own | other).bit_count()
        low, high = -(left // 2), (left - 1) // 2
        while low < high:
            middle = (low + high) // 2
            if low // 2 < middle <= 0:
                middle = -(-low // 2)
            elif 0 <= middle < high // 2:
                middle = high // 2
            found = self._search(own, other, *wins, middle)
            low, high = (low, found) if found <= middle else (found, high)
        return low

    def _known(self, own: int, other: int) -> int | None:
        """Return the score of a game that is over or can be won at once; prepare for others."""
        stones = own | other
        left = self.size - stones.bit_count()
        if self._aligned(other):
            return -(left // 2 + 1)
        if self._aligned(own) or self._wins(own) & stones + self._bottom & self._board:
            return (left + 1) // 2
        self._mirror = not own & self._mirrored(other)
        return None if left else 0

    def _search(self, own: int, other: int, own_wins: int, other_wins: int, alpha: int) -> int:
        """Return a bound of the score: at most `alpha` if it is an upper one, else a lower one.

        The player to move cannot win at once. `own_wins` and `other_wins` are the win cells.
        """
        self.nodes += 1
        if self.nodes > self._limit:
            raise UnsolvedError
        tops = (own | other) + self._bottom
        playable = tops & self._board
        left = self.size - (own | other).bit_count()
        moves = playable & ~(other_wins >> 1)
        if forced := playable & other_wins:
            moves = 0 if forced & forced - 1 else moves & forced
        if not moves:
            return -(left // 2)
        low, high = -((left - 2) // 2), (left - 1) // 2
        if alpha < low:
            return low
        if alpha >= high:
            return high
        if left <= 2:
            return 0
        key = self._canonical(own | tops) if self._mirror else own | tops
        if (bound := self._at_most.get(key, high)) <= alpha:
            return bound
        if (bound := self._at_least.get(key, low)) > alpha:
            return bound
        if alpha >= -1:
            settled = self._settled(own, other, other_wins, alpha)
            if settled is not None:
                return settled
        if len(self._at_most) + len(self._at_least) > KEPT:
            self._at_most.clear()
            self._at_least.clear()
        best = -self.size
        for _, _, move, wins in self._ordered(own, other, own_wins, moves):
            score = -self._search(other, own | move, other_wins, wins, -alpha - 1)
            if score > alpha:
                self._at_least[key] = score
                return score
            best = max(best, score)
        self._at_most[key] = best
        return best

    def _settled(self, own: int, other: int, other_wins: int, alpha: int) -> int | None:
        """Return a bound from which lines are still possible, and by following up, or None.

        Following up: the other answers each move by one in the same column, or, in a column with
        an odd number of squares left, by one in another such column.
        """
        tops = (own | other) + self._bottom
        playable, empty = tops & self._board, self._board & ~(own | other)
        if not self._aligned((own if alpha >= 0 else other) | empty):
            return 0
        if empty.bit_count() % 2 == 0:
            return self._followed(own, other_wins & empty & ~playable, empty, playable, alpha)
        poison = other_wins & self._even & empty & ~playable
        for column in self._full:
            if target := poison & column:
                below = (target & -target) - 1
                reach = self._even & ~column | playable | column & below & ~self._even
                if not self._aligned(own | reach & empty):
                    return -1
        return None

    def _followed(
        self, own: int, targets: int, empty: int, playable: int, alpha: int
    ) -> int | None:
        """Return a bound when as many squares are left for both: all columns can be followed up.

        The player to move gets the lower square of each pair at most and the single ones. It gets
        nothing from the first target up that falls to the other.
        """
        reach = empty & (self._even | playable)
        if beyond := targets & ~self._even:
            for _ in range(self.rows):
                beyond |= beyond << 1 & self._board
            return None if self._aligned(own | reach & ~beyond) else -1
        if alpha >= 0 and not self._aligned(own | reach):
            return 0
        return None

    def _ordered(
        self, own: int, other: int, own_wins: int, moves: int
    ) -> list[tuple[int, int, int, int]]:
        """Return the moves, best first, each last but one, and last the win cells it leads to."""
        empty = self._board & ~(own | other)
        found = []
        for place, column in enumerate(self._order):
            if move := moves & column:
                stones, wins = own | move, own_wins
                for line in self._through[move]:
                    rest = line & ~stones
                    if not rest & rest - 1:
                        wins |= rest
                found.append((-(wins & empty).bit_count(), place, move, wins))
        found.sort()
        return found

    # --- bits --------------------------------------------------------------------------------

    def _wins(self, own: int) -> int:
        """Return the squares that complete a line of `own`, taken ones included."""
        wins = 0
        for lines in self._through.values():
            for line in lines:
                rest = line & ~own
                if not rest & rest - 1:
                    wins |= rest
        return wins

    def _aligned(self, squares: int) -> bool:
        """Return whether a line lies within the squares."""
        for run in self._runs:
            found = squares
            for step in run:
                found &= found >> step
            if found:
                return True
        return False

    def _mirrored(self, squares: int) -> int:
        height = self.rows + 1
        field = (1 << height) - 1
        image = 0
        for _ in range(self.columns):
            image = image << height | squares & field
            squares >>= height
        return image

    def _canonical(self, key: int) -> int:
        return min(key, self._mirrored(key))


def _best(values: dict[int, int]) -> set[int]:
    return {column for column, value in values.items() if value == max(values.values())}


def _doublings(step: int, k: int) -> list[int]:
    """Return the shifts that, one after the other, turn squares into the ends of runs of `k`."""
    shifts, covered = [], 1
    while covered < k:
        shifts.append(step * min(covered, k - covered))
        covered += min(covered, k - covered)
    return shifts


def _lines(rows: int, columns: int, k: int) -> Iterator[int]:
    """Yield the winning lines of a board: runs of `k` squares in four directions."""
    for row in range(rows):
        for column in range(columns):
            for up, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                line = [(row + i * up, column + i * right) for i in range(k)]
                if 0 <= line[-1][0] < rows and line[-1][1] < columns:
                    yield sum(1 << c * (rows + 1) + r for r, c in line)
