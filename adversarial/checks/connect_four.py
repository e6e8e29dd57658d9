"""Boards of Connect Four, their estimates, what is expected of searches there, and fixtures.

A function `expect_...` raises an AssertionError with a sentence that students read.
"""

import contextlib
import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from itertools import product
from typing import Any, TypeAlias

import pytest

from adversarial.checks.limited import Case, RecordedEstimate, Search, worth
from adversarial.checks.trees import ask_each, call_and_look, is_number
from adversarial.games import sent_boards
from adversarial.games import sent_visitor as visits
from adversarial.games.recorded import Trace, UnfoldedGame, Worth, key_of
from adversarial.games.rules import lines
from adversarial.solvers.connect_four import four_oracle
from games import ConnectFour, GameState, State, after, infinity
from referee.sandbox.outside.student import Proxy, Student, StudentError, load

Square = tuple[int, int]
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
    full = [{board.get(square) for square in line} for line in lines(6, 7, 4)]
    winner = 1 if {"X"} in full else -1 if {"O"} in full else 0
    free = [column for column in range(7) if (5, column) not in board]
    return GameState(to_move, winner, board, [] if winner else free)


def random_state(
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


def drop_tree(start: GameState, rows: int = 6, columns: int = 7, k: int = 4) -> Trace:
    """Return Connect Four unfolded into a tree, recorded: states are the paths from `start`."""
    return Trace(UnfoldedGame(ConnectFour(rows, columns, k), start))


def lost_states() -> list[tuple[ConnectFour, GameState, int]]:
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
    cases = [((4, 4, 3), [1, 1, 1, 3, 3, 1, 3]), ((3, 5, 3), [0, 4, 1, 1, 1, 4, 4, 2])]
    return [(game := ConnectFour(*size), after(game, moves), 4) for size, moves in cases]


def crossing() -> list[GameState]:
    """Return endgames in which a pruned branch leads to the same board as one that matters.

    A search that stores bounds as exact values gets them wrong, with columns in either order.
    """
    states = []
    for mover, text in [
        ("O", ".OXO... / XOXOX.. / XOXXOX. / OXOXOXO / XXXOXOO / OXOOXOX"),
        ("X", "..X...O / OXO...X / OXOXXOX / XOXOOOX / XOXOOXO / XXXOOXO"),
        ("O", ".O.X.OX / .X.X.XO / .O.XOXO / .OXOXXO / OOXXXOX / OXOXOXO"),
        ("O", "...OOX. / X..OXOO / O.XOXXX / XXOXXOO / OOOXOXO / XXOXXOX"),
    ]:
        mirror_image = " / ".join(row[::-1] for row in text.split(" / "))
        states += [picture(text, mover), picture(mirror_image, mover)]
    return states


def frozen_segments(answer: Any) -> list[frozenset[tuple[int, int]]]:
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
    """Return all segments; a square is (column, row), as in the assignment."""
    return {
        frozenset((column, row) for row, column in line) for line in lines(rows, columns, length)
    }


USUAL = segments(7, 6, 4)
_THROUGH = {  # by square, the numbers of the segments that it is in
    (row, column): [n for n, segment in enumerate(USUAL) if (column, row) in segment]
    for row, column in product(range(6), range(7))
}


SCORES = 0, 0, 1, 100, 1_000_000  # of a segment that so many pieces of one player are in


def by_segments(
    state: GameState, player: str, scores: dict[str, list[float]] | None = None
) -> float:
    """Return the sum of the scores of the 69 segments, those of the assignment unless told."""
    table, counts = scores or _scores(player), {"X": Counter[int](), "O": Counter[int]()}
    for square, piece in state.board.items():
        counts[piece].update(_THROUGH[square])
    return sum(
        table[piece][count]
        for piece, other in ("XO", "OX")
        for segment, count in counts[piece].items()
        if segment not in counts[other]
    )


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
        scores: list[float] = [0] * 5
        for number in range(1, 5):
            board = {(row, 0): piece for row in range(number)}
            state = GameState(player, 0, board, [])
            value = evaluate(state, player)
            if not is_number(value) or not math.isfinite(value):
                return table
            alone = 3 if number == 1 else 1  # the lowest square of a column is in three segments
            scores[number] = (value - by_segments(state, player, {piece: scores})) / alone
        if any(abs(scores[n]) == abs(right[n]) for n in (2, 3, 4)):
            table[piece] = scores
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


# --- what a search returns on boards ---------------------------------------------------------


def expect_no_move(search: Search, chance: random.Random, estimate: Worth) -> None:
    """Expect a value and no move at depth 0, and when the game is over."""
    for size in [(6, 7, 4), (4, 5, 3)] * 4:
        game, state = ConnectFour(*size), random_state(chance, 7, *size, over=False)
        value, move = search(Trace(game, state), state, 0, estimate)
        assert move is None, "With depth 0 there is no move to choose: the move is None."
        assert value == estimate(state, state.to_move), (
            "With depth 0 the value is the estimate for the player who is to move."
        )
    for size in [(6, 7, 4), (4, 5, 3), (2, 3, 3), (1, 4, 2)] * 4:
        game, state = ConnectFour(*size), random_state(chance, 99, *size)
        utility = game.utility(state, state.to_move)
        for depth in 0, 1, 3:
            value, move = search(Trace(game, state), state, depth, estimate)
            assert move is None, "When the game is over there is no move to choose: None."
            assert value == (utility * infinity if utility else 0), (
                "A game that is over is worth infinity, -infinity or 0 to the player whose "
                "turn it would be."
            )


def expect_final_values(search: Search, chance: random.Random) -> None:
    """Expect that wins and draws within the depth are never estimated."""
    huge = RecordedEstimate(lambda state, player: 1e9 if player == "X" else -1e9)
    cases = [
        *(((3, 4, 3), 4, 4, final) for final in (-infinity, 0, infinity) * 2),
        *(((4, 3, 3), 5, 3, final) for final in (-infinity, infinity) * 3),
        *[((2, 4, 4), 5, 5, 0)] * 6,
    ]
    states = [
        (ConnectFour(*size), _near_the_end(chance, size, free, depth, final), depth)
        for size, free, depth, final in cases
    ]
    for game, state, depth in [*states, *lost_in_four_plies()]:
        trace = Trace(game, state)
        value, _ = search(trace, state, depth, huge)
        assert not [s for s in huge.states if game.terminal_test(s)], (
            "The estimate was asked about a state in which the game is over."
        )
        right = trace.minimax_value(state, state.to_move, depth, worth(game, huge))
        assert value == right, "Near the end of a game on a small board the value is wrong."


def _near_the_end(
    chance: random.Random, size: tuple[int, int, int], free: int, depth: int, final: float
) -> GameState:
    """Draw a state whose value is `final` at every depth from `depth` on, whatever the estimates.

    Where three in a row win, the first move is worse, unless the state is lost.
    """
    while True:
        state = random_state(chance, size[0] * size[1] - free, *size, over=False)
        game = Trace(ConnectFour(*size), state)
        guesses = [worth(game.game, lambda *_, sign=sign: sign * 1e9) for sign in (1, -1)]
        looks = list(product(range(depth, free + 1), guesses))
        if {game.minimax_value(state, state.to_move, *look) for look in looks} != {final}:
            continue
        if final == -infinity or size[2] > 3:
            return state
        if game.values(state, *looks[0])[state.moves[0]] < final:
            return state


def expect_a_move_when_lost(search: Search, estimate: Worth) -> None:
    """Expect a legal move and the value -infinity where every move loses."""
    for number, (game, state, depth) in enumerate(lost_states()):
        for deep in (depth, depth + 1) if number == 0 else (depth,):
            value, move = search(Trace(game, state), state, deep, estimate)
            assert type(move) is int and move in state.moves, (
                "Where every move loses the answer is no legal move: the opponent may blunder."
            )
            assert value == -infinity, "Where every move loses the value is -infinity."


def expect_solved(search: Search, game: Proxy, states: Sequence[GameState]) -> None:
    """Expect exact values and best moves of a search to the end that changes no state."""
    questions = [(game, s, 42 - len(s.board), top_count) for s in states]
    illegal, worse, other = 0, 0, 0
    for (value, move), state in zip(search.each(questions), states, strict=True):
        values = four_oracle().values(state)
        best = max(values.values())
        legal = type(move) is int and move in values
        illegal += not legal
        worse += legal and values[move] != best
        other += value != (best * infinity if best else 0)
    assert not illegal, f"In {illegal} of {len(states)} endgames the move is not legal."
    assert not worse, f"In {worse} of {len(states)} endgames another column is better."
    assert not other, f"In {other} of {len(states)} endgames the value is wrong."
    _, after_it = call_and_look(search.function, *questions[0])
    assert after_it[1] == states[0], "The search has changed the state that it was given."


# --- fixtures --------------------------------------------------------------------------------

Answer: TypeAlias = Callable[[GameState], Any]
Call: TypeAlias = tuple[Any, GameState, int]  # of a player: the game, the state and the depth


@pytest.fixture
def fast_connect_four(student: Student) -> Callable[..., Proxy]:
    """Give trusted rules that run inside the player: `fast_connect_four(rows, columns, k)`.

    They are for searches that need speed. With `lazy` their `actions` is a generator.
    """

    def board(rows: int = 6, columns: int = 7, k: int = 4, lazy: bool = False) -> Proxy:
        kind = "LazyConnectFour" if lazy else "ConnectFour"
        game: Proxy = getattr(load(student, sent_boards), kind)(rows, columns, k)
        return game

    return board


@pytest.fixture
def evaluate(student: Student) -> Proxy:
    """Give the student's `evaluate`, with the right segments even if the student's are wrong.

    A mistake in `generate_segments` has cost its points once.
    """
    function: Proxy = student.evaluate
    try:
        if set(frozen_segments(student.generate_segments(7, 6, 4))) == USUAL:
            return function
    except (AssertionError, StudentError):
        pass
    if not isinstance(function, Proxy):
        return function
    segments = [sorted(segment) for segment in sorted(map(sorted, USUAL))]
    replacement: Proxy = load(student, visits).with_segments(function, segments)
    return replacement


@pytest.fixture
def find_best_move(student: Student) -> Callable[[Answer, Sequence[Call]], list[Any]]:
    """Give a function that asks the student's `find_best_move`, and returns its answers.

    In `find_best_move(answer, calls)` a call is (game, state, depth). Where the student's own
    search is wrong, which has cost its points in `alphabeta` or `evaluate`, it plays by one whose
    move is `answer(state)`, and which ValueError stops if it is called in another way.
    """
    function: Proxy = student.find_best_move
    lacks_search = isinstance(function, Proxy) and not _finds_values(student)

    def moves(answer: Answer, calls: Sequence[Call]) -> list[Any]:
        keys = {(key_of(state), depth) for _, state, depth in calls}

        def search(game: Any, state: GameState, depth: int, estimate: Any, *_: Any) -> Any:
            if not isinstance(estimate, Proxy) or (key_of(state), depth) not in keys:
                raise ValueError("search the state that was given, with that depth and `evaluate`")
            return 0, answer(state)

        player = load(student, visits).with_search(function, search) if lacks_search else function
        return ask_each(player, calls)

    return moves


def _finds_values(student: Student) -> bool:
    """Return whether `alphabeta` with `evaluate` finds the values of a few states."""
    with contextlib.suppress(AssertionError, StudentError, TypeError, KeyError):  # of no move
        search = Search(student.alphabeta)
        for moves, depth in (([3], 1), ([3, 3, 2], 2), ([0, 1, 0, 1, 0, 1], 2), ([3, 2, 4], 3)):
            state = after(ConnectFour(), moves)
            case = Case(Trace(ConnectFour(), state), state, depth, by_segments)
            value, move = search(case.game, state, depth, student.evaluate)
            values = case.values()
            if not value == values[move] == max(values.values()):
                return False
        return True
    return False


@pytest.fixture
def minimax(student: Student) -> Search:
    """Give the student's `minimax`, with the value first."""
    return Search(student.minimax)


@pytest.fixture
def alphabeta(student: Student) -> Search:
    """Give the student's `alphabeta`, with the value first."""
    return Search(student.alphabeta)
