"""Search Connect Four positions that are bit sets, exactly and fast, on a board of any size.

Null-window alpha-beta over win cells, the squares that would complete a line. It takes forced
replies, never moves below the opponent's win cells, orders moves by the win cells that they make,
keeps bounds in a table (one entry for mirror images), and stops where the strategy of following up
decides (V. Allis, A Knowledge-Based Approach of Connect-Four, 1988). Imports nothing of the
project.
"""

from collections.abc import Iterator

KEPT = 1_000_000  # entries of the table at most; then it is emptied
Move = tuple[int, int, int, int]  # rank (lower is better), square, move, win cells after it


class BitboardSearch:
    """Values and scores of positions on `rows` x `columns` squares, `k` in a row winning.

    A board is an integer: column c has the bits from c * (rows + 1) on, the lowest row first, and
    one more bit above, which is never a stone. A position is the stones of the player to move and
    those of the other; `tops` are the first free squares, or the bits above full columns.
    """

    def __init__(self, rows: int, columns: int, k: int) -> None:
        """Lay out the board and its winning lines."""
        self.size, self.height = rows * columns, rows + 1
        self.bottom = sum(1 << c * self.height for c in range(columns))
        self.board = self.bottom * ((1 << rows) - 1)
        self.columns = [((1 << rows) - 1) << c * self.height for c in range(columns)]
        self._centre_first = [
            self.columns[c] for c in sorted(range(columns), key=lambda c: abs(2 * c + 1 - columns))
        ]
        # Squares with an even number of squares from them to the top of their column.
        self._even = sum(self.bottom << r for r in range(rows) if (rows - r) % 2 == 0)
        self._lines = list(_lines(rows, columns, k))
        bits = [1 << i for i in range(columns * self.height) if self.board >> i & 1]
        self._through = {bit: [line for line in self._lines if line & bit] for bit in bits}
        self._runs = [_doublings(step, k) for step in (rows + 1, rows, rows + 2, 1)]
        self._at_least: dict[int, int] = {}
        self._at_most: dict[int, int] = {}
        self._mirror = False  # whether mirror images can occur below the position searched

    # --- positions ---------------------------------------------------------------------------

    def moves(self, own: int, other: int) -> list[tuple[int, int]]:
        """Return the legal columns, each with the square that its stone falls to."""
        if self.aligned(own) or self.aligned(other):
            return []
        playable = self.playable(own, other)
        return [(c, playable & mask) for c, mask in enumerate(self.columns) if playable & mask]

    def playable(self, own: int, other: int) -> int:
        """Return the squares that the next stone can fall to."""
        return (own | other) + self.bottom & self.board

    def threats(self, own: int, other: int) -> int:
        """Return the playable squares that complete a line of `own`."""
        return self.wins(own) & self.playable(own, other)

    def wins(self, own: int) -> int:
        """Return the squares that complete a line of `own`, including taken ones."""
        return _completing(self._lines, own)

    def wins_after(self, own: int, own_wins: int, move: int) -> int:
        """Return the win cells of `own`, known so far, with those that a stone at `move` makes."""
        return own_wins | _completing(self._through[move], own | move)

    def aligned(self, squares: int) -> bool:
        """Return whether a line lies within the squares."""
        for run in self._runs:
            found = squares
            for step in run:
                found &= found >> step
            if found:
                return True
        return False

    # --- values ------------------------------------------------------------------------------

    def value(self, own: int, other: int) -> int:
        """Return +1, 0 or -1 for the player to move."""
        known = self._known(own, other)
        if known is not None:
            return (known > 0) - (known < 0)
        wins = self.wins(own), self.wins(other)
        if self._search(own, other, *wins, 0) > 0:
            return 1
        return 0 if self._search(own, other, *wins, -1) >= 0 else -1

    def score(self, own: int, other: int) -> int:
        """Return the score for the player to move, by bisection with null windows.

        It is the number of stones that the winner has left, with the winning one; a loss is
        negative.
        """
        known = self._known(own, other)
        if known is not None:
            return known
        wins = self.wins(own), self.wins(other)
        left = self.size - (own | other).bit_count()
        low, high = -(left // 2), (left - 1) // 2
        while low < high:
            middle = (low + high) // 2
            if low // 2 < middle <= 0:  # first ask for half of the distance from a draw
                middle = -(-low // 2)
            elif 0 <= middle < high // 2:
                middle = high // 2
            found = self._search(own, other, *wins, middle)
            low, high = (low, found) if found <= middle else (found, high)
        return low

    def _known(self, own: int, other: int) -> int | None:
        """Return the score if the game is over or can be won at once, else None."""
        left = self.size - (own | other).bit_count()
        if self.aligned(other):
            return -(left // 2 + 1)
        if self.aligned(own) or self.threats(own, other):
            return (left + 1) // 2
        self._mirror = not own & self._mirrored(other)
        return None if left else 0

    def _search(self, own: int, other: int, own_wins: int, other_wins: int, alpha: int) -> int:
        """Return a bound of the score: an upper one if it is at most `alpha`, else a lower one.

        The player to move cannot win at once, and a square is left. `own_wins` and `other_wins`
        are the win cells of both.
        """
        tops = (own | other) + self.bottom
        left = self.size - (own | other).bit_count()
        moves = tops & self.board & ~(other_wins >> 1)
        if forced := tops & self.board & other_wins:
            moves = 0 if forced & forced - 1 else moves & forced
        if not moves:
            return -(left // 2)
        if left <= 2:
            return 0
        low, high = -((left - 2) // 2), (left - 1) // 2  # nobody wins with the next two stones
        if alpha < low or alpha >= high:
            return low if alpha < low else high
        key = self._key(own, tops)
        if (bound := self._at_most.get(key, high)) <= alpha:
            return bound
        if (bound := self._at_least.get(key, low)) > alpha:
            return bound
        settled = self._settled(own, other, other_wins, tops, alpha) if alpha >= -1 else None
        if settled is not None:
            return settled
        ordered = self._ordered(own, other, own_wins, moves)
        bound = self._best(own, other, ordered, other_wins, tops, alpha)
        (self._at_least if bound > alpha else self._at_most)[key] = bound
        return bound

    def _best(
        self, own: int, other: int, ordered: list[Move], other_wins: int, tops: int, alpha: int
    ) -> int:
        """Return the bound from all moves; first look for a move whose table entry decides."""
        for _, _, move, _ in ordered:
            known = self._at_most.get(self._key(other, tops + move), self.size)
            if -known > alpha:
                return -known
        if len(self._at_most) + len(self._at_least) > KEPT:
            self._at_most.clear()
            self._at_least.clear()
        best = -self.size
        for _, _, move, wins in ordered:
            score = -self._search(other, own | move, other_wins, wins, -alpha - 1)
            if score > alpha:
                return score
            best = max(best, score)
        return best

    def _ordered(self, own: int, other: int, own_wins: int, moves: int) -> list[Move]:
        """Return the moves that make most win cells first, then those nearest to the centre."""
        empty = self.board & ~(own | other)
        found = []
        for place, column in enumerate(self._centre_first):
            if move := moves & column:
                wins = self.wins_after(own, own_wins, move)
                found.append((-(wins & empty).bit_count(), place, move, wins))
        found.sort()
        return found

    # --- bounds without a search -------------------------------------------------------------

    def _settled(self, own: int, other: int, other_wins: int, tops: int, alpha: int) -> int | None:
        """Return a bound if no line is possible any more, or if following up decides.

        Following up: the other answers each move by one in the same column or, in a column with
        an odd number of squares left, by one in another such column. So the player to move gets
        of each column the lowest square at most, if it is single, and the lower of each pair.
        """
        empty, playable = self.board & ~(own | other), tops & self.board
        if not self.aligned((own if alpha >= 0 else other) | empty):
            return 0
        if empty.bit_count() % 2 == 0:
            return self._followed(own, other, other_wins & empty, playable, alpha)
        # Now one square too many is left, unless the other does not need a column's upper end,
        # having a win cell there: the player to move must play below it in the end.
        targets = other_wins & self._even & empty & ~playable
        for column in self.columns:
            if target := targets & column:
                below = column & ((target & -target) - 1) & ~self._even
                if not self.aligned(own | empty & (self._even & ~column | playable | below)):
                    return -1
        return None

    def _followed(
        self, own: int, other: int, other_wins: int, playable: int, alpha: int
    ) -> int | None:
        """Return a bound from following up when an even number of squares is left."""
        empty = self.board & ~(own | other)
        falls_to_other = empty & ~self._even & ~playable
        reach = empty & (self._even | playable)
        if beyond := other_wins & falls_to_other:  # where the other has won, the column ends
            for _ in range(self.height):
                beyond |= beyond << 1 & self.board
            return None if self.aligned(own | reach & ~beyond) else -1
        if self.aligned(own | reach):
            return None
        return 0 if alpha >= 0 else -1 if self.aligned(other | falls_to_other) else None

    # --- mirror images -----------------------------------------------------------------------

    def _key(self, own: int, tops: int) -> int:
        """Return one number for a position, and for its mirror image if that can occur, too."""
        key = own | tops
        return min(key, self._mirrored(key)) if self._mirror else key

    def _mirrored(self, squares: int) -> int:
        column = (1 << self.height) - 1
        image = 0
        for _ in self.columns:
            image = image << self.height | squares & column
            squares >>= self.height
        return image


def _completing(lines: list[int], own: int) -> int:
    """Return the squares that alone are missing from a line, or complete one again."""
    found = 0
    for line in lines:
        rest = line & ~own
        if not rest & rest - 1:
            found |= rest
    return found


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
