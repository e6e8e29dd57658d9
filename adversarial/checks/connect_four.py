"""Boards for hidden checks of Connect Four, written by hand or random, and their estimates."""

import math
import random
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any

from adversarial.games.recorded import Trace, Unfolded, Worth
from adversarial.solvers.connect_four import four_oracle
from games import ConnectFour, Game, GameState, State, after, infinity
from referee.sandbox.outside.student import Proxy

Square = tuple[int, int]
DIRECTIONS = (0, 1), (1, 0), (1, 1), (1, -1)
BY_HAND = "X3 X2 X3 O3 O1 O4"  # a board of the assignment, with X to move

# --- boards ----------------------------------------------------------------------------------


def drop(pieces: str, to_move: str = "X") -> GameState:
    """Return the board on which "X3 X2 O3" were dropped in that order, columns counted from 1."""
    board: dict[Square, str] = {}
    for word in pieces.split():
        piece, column = word[0], int(word[1]) - 1
        board[sum(c == column for _, c in board), column] = piece
    return _position(board, to_move)


def picture(text: str, to_move: str = "X") -> GameState:
    """Return the board that rows of X, O and . show, the top one first, with `to_move` to move."""
    rows = ["".join(row.split()) for row in reversed(text.split("/"))]
    squares = {(r, c): piece for r, row in enumerate(rows) for c, piece in enumerate(row)}
    return _position({square: p for square, p in squares.items() if p != "."}, to_move)


def _position(board: dict[Square, str], to_move: str) -> GameState:
    """Return the state with these pieces on the 7x6 board, whatever the numbers of moves."""
    winner = won(board)
    free = [column for column in range(7) if (5, column) not in board]
    return GameState(to_move, winner, board, [] if winner else free)


def won(board: dict[Square, str]) -> int:
    """Return 1 if X has four in a line, -1 if O has, else 0; boards may be of any size."""
    for (row, column), piece in board.items():
        for up, right in DIRECTIONS:
            if {board.get((row + i * up, column + i * right)) for i in range(4)} == {piece}:
                return 1 if piece == "X" else -1
    return 0


def played(
    chance: random.Random,
    moves: int,
    rows: int = 6,
    columns: int = 7,
    k: int = 4,
    over: bool = True,
) -> GameState:
    """Return the state after so many moves at random, or fewer if the game ends.

    With `over` False, games that end too soon are played again.
    """
    game = ConnectFour(rows, columns, k)
    while True:
        state: GameState = game.initial
        for _ in range(moves):
            if state.moves:
                state = game.result(state, chance.choice(state.moves))
        if over or state.moves:
            return state


def endgames(chance: random.Random, count: int, empty: int) -> list[GameState]:
    """Draw states that a plain search can search to the end.

    Each has at most `empty` free squares, which can be filled in at most 10,000 orders.
    """
    states: list[GameState] = []
    while len(states) < count:
        drawn = four_oracle().endgames(chance, count, empty)
        states += [state for state in drawn if _orders(state) <= 10_000]
    return states[:count]


def drop_tree(start: GameState, rows: int = 6, columns: int = 7, k: int = 4) -> Trace:
    """Return Connect Four unfolded into a tree, recorded: states are the paths from `start`."""
    return Trace(Unfolded(ConnectFour(rows, columns, k), start))


def _orders(state: GameState) -> float:
    """Return the number of orders in which the free squares can be filled: a bound on leaves."""
    free = [6 - sum(column == c for _, c in state.board) for column in range(7)]
    return math.factorial(sum(free)) / math.prod(map(math.factorial, free))


def lost() -> list[tuple[ConnectFour, GameState, int]]:
    """Return states in which every move loses: a game, the state and a depth that shows it."""
    usual, small = ConnectFour(), ConnectFour(4, 5, 3)
    openings = [3, 3, 2, 2, 4], [3, 0, 2, 0, 4], [0, 3, 6, 2, 6, 4], [0, 2, 0, 3, 6, 4]
    return [
        *((usual, after(usual, moves), 2) for moves in openings),
        *((small, after(small, moves), 2) for moves in ([2, 2, 1], [4, 2, 2, 1])),
        *lost_in_four_plies(),
    ]


def lost_in_four_plies() -> list[tuple[ConnectFour, GameState, int]]:
    """Return those in which one move loses two plies later than the others, X's and O's."""
    found = [((4, 4, 3), [1, 1, 1, 3, 3, 1, 3]), ((3, 5, 3), [0, 4, 1, 1, 1, 4, 4, 2])]
    return [(game := ConnectFour(*size), after(game, moves), 4) for size, moves in found]


def crossing() -> list[GameState]:
    """Return endgames in which a pruned branch leads to the same board as one that matters.

    A search that stores bounds as exact values gets them wrong, with columns in either order.
    """
    found = []
    for mover, text in [
        ("O", ".OXO... / XOXOX.. / XOXXOX. / OXOXOXO / XXXOXOO / OXOOXOX"),
        ("X", "..X...O / OXO...X / OXOXXOX / XOXOOOX / XOXOOXO / XXXOOXO"),
        ("O", ".O.X.OX / .X.X.XO / .O.XOXO / .OXOXXO / OOXXXOX / OXOXOXO"),
        ("O", "...OOX. / X..OXOO / O.XOXXX / XXOXXOO / OOOXOXO / XXOXXOX"),
    ]:
        mirrored = " / ".join(row[::-1] for row in text.split(" / "))
        found += [picture(text, mover), picture(mirrored, mover)]
    return found


def listed(answer: Any) -> list[frozenset[tuple[int, int]]]:
    """Return segments as sets of squares; a fault in their form is an AssertionError."""
    plain = (list, tuple)
    assert type(answer) in plain, "`generate_segments` must return a list."
    for segment in answer:
        assert type(segment) in plain, "Each segment must be a list of squares."
        for square in segment:
            fits = type(square) in plain and [type(number) for number in square] == [int, int]
            assert fits, "Each square must be a pair (column, row) of whole numbers."
    return [frozenset((column, row) for column, row in segment) for segment in answer]


def direction_of(segment: Collection[Square]) -> Square:
    """Return how a line goes on from its first square: columns to the right, and rows up."""
    (column, row), (following, other) = sorted(segment)[:2]
    return following - column, other - row


def touches_an_edge(segment: Collection[Square], columns: int, rows: int) -> bool:
    """Return whether a square of a segment is at the edge of the board."""
    return any(c in (0, columns - 1) or r in (0, rows - 1) for c, r in segment)


# --- estimates -------------------------------------------------------------------------------


def segments(columns: int, rows: int, length: int) -> set[frozenset[Square]]:
    """Return all segments: from each square, `length` squares to the east, north, NE and SE.

    A square is (column, row), as in the assignment.
    """
    board = {(column, row) for column in range(columns) for row in range(rows)}
    lines = (
        frozenset((column + i * right, row + i * up) for i in range(length))
        for column, row in board
        for up, right in DIRECTIONS
    )
    return {line for line in lines if line <= board}


USUAL = segments(7, 6, 4)
_PLACES = [[(row, column) for column, row in segment] for segment in USUAL]


SCORES = 0, 0, 1, 100, 1_000_000  # of a segment that so many pieces of one player are in


def by_segments(
    state: GameState, player: str, scores: dict[str, list[float]] | None = None
) -> float:
    """Return the sum of the scores of the 69 segments, those of the assignment unless told."""
    table = scores or _scores(player)
    total: float = 0
    for segment in _PLACES:
        pieces = [state.board[place] for place in segment if place in state.board]
        if len(set(pieces)) == 1:
            total += table[pieces[0]][len(pieces)]
    return total


def _scores(player: str) -> dict[str, list[float]]:
    """Return what 0 to 4 pieces of X, and of O, score for a player."""
    return {piece: [n if piece == player else -n for n in SCORES] for piece in "XO"}


def own_scores(evaluate: Proxy, player: str) -> dict[str, list[float]]:
    """Return what 0 to 4 pieces of X, and of O, score by a student's `evaluate`, for a player.

    So a wrong score costs its points once. Where none that counts is right, whatever its sign, the
    scores are those of the assignment.
    """
    table = _scores(player)
    for piece, right in list(table.items()):
        own: list[float] = [0] * 5
        for number in range(1, 5):
            board = {(row, 0): piece for row in range(number)}
            state = GameState(player, 0, board, [])
            value = evaluate(state, player)
            if type(value) not in (int, float, Fraction) or not math.isfinite(value):
                return table
            alone = 3 if number == 1 else 1  # the lowest square of a column is in three segments
            own[number] = (value - by_segments(state, player, {piece: own})) / alone
        if any(abs(own[n]) == abs(right[n]) for n in (2, 3, 4)):
            table[piece] = own
    return table


def top_count(state: GameState, player: Any) -> float:
    """Return the columns with the player's piece on top minus those with the opponent's."""
    tops = {column: piece for (_, column), piece in sorted(state.board.items())}
    return sum(1 if piece == player else -1 for piece in tops.values())


def noise(salt: float, numbers: Sequence[float] = range(-99, 100)) -> Worth:
    """Return a pseudo-random estimate of a state for X or MAX, or its negative for others."""

    def estimate(state: State, player: Any) -> float:
        text = sorted(state.board.items()) if isinstance(state, GameState) else state
        number = random.Random(f"{salt} {text}").choice(numbers)
        return number if player in ("X", "MAX") else -number

    return estimate


def worth(game: Game, estimate: Worth) -> Worth:
    """Return the value of a state at the depth limit: the estimate, if the game goes on."""

    def value(state: State, player: Any) -> float:
        if not game.terminal_test(state):
            return estimate(state, player)
        utility = game.utility(state, player)
        return utility * infinity if utility else 0

    return value
