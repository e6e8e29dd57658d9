"""Fixtures that the checks of Connect Four share: boards, trees to search, estimates."""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from adversarial.fixtures import (  # noqa: F401
    alike,
    ask_each,
    board_tree,
    call_and_look,
    corridors,
    drop_tree,
    fast_connect_four,
    fast_tictactoe,
    four_oracle,
    oracle,
    tictactoe,
    trace,
)  # fmt: skip
from games import ConnectFour, GameState, State, TreeGame, after, infinity

Square = tuple[int, int]
Estimate = Callable[[State, Any], float]


def finished(board: dict[Square, str], k: int) -> int:
    """Return 1 if X has k in a line on the board, -1 if O has, else 0."""
    steps = (0, 1), (1, 0), (1, 1), (1, -1)
    for (row, column), piece in board.items():
        for up, right in steps:
            line = {board.get((row + i * up, column + i * right)) for i in range(k)}
            if line == {piece}:
                return 1 if piece == "X" else -1
    return 0


def position(board: dict[Square, str], to_move: str, rows: int, columns: int, k: int) -> GameState:
    """Return the state with these pieces, whoever has moved how often."""
    won = finished(board, k)
    free = [column for column in range(columns) if (rows - 1, column) not in board]
    return GameState(to_move, won, board, [] if won else free)


@pytest.fixture
def drop() -> Callable[..., GameState]:
    """Give `drop("X3 X2 O3", to_move)`: pieces dropped one by one, columns counted from 1."""

    def make(pieces: str, to_move: str = "X") -> GameState:
        board: dict[Square, str] = {}
        for piece, number in pieces.split():
            column = int(number) - 1
            board[sum(c == column for _, c in board), column] = piece
        return position(board, to_move, 6, 7, 4)

    return make


@pytest.fixture
def picture() -> Callable[..., GameState]:
    """Give `picture("X . O / O X X", to_move)`: a state from rows, the top one first."""

    def make(text: str, to_move: str = "X", k: int = 4) -> GameState:
        rows = ["".join(row.split()) for row in reversed(text.split("/"))]
        board = {
            (r, c): piece
            for r, row in enumerate(rows)
            for c, piece in enumerate(row)
            if piece != "."
        }
        return position(board, to_move, len(rows), len(rows[0]), k)

    return make


@pytest.fixture
def played(chance: Any) -> Callable[..., GameState]:
    """Give `played(n, rows, columns, k)`: the state after n moves at random, or fewer if it ends.

    With `over` False, games that end too soon are played again.
    """

    def play(
        moves: int, rows: int = 6, columns: int = 7, k: int = 4, over: bool = True
    ) -> GameState:
        game = ConnectFour(rows, columns, k)
        while True:
            state = game.initial
            for _ in range(moves):
                if state.moves:
                    state = game.result(state, chance.choice(state.moves))
            if over or state.moves:
                return state

    return play


@pytest.fixture
def answered() -> Callable[[Any], tuple[float, Any]]:
    """Give `answered(answer)`: the value and the move in what a search returned."""

    def check(answer: Any) -> tuple[float, Any]:
        assert type(answer) in (tuple, list) and len(answer) == 2, (
            "A search returns a pair (value, move)."
        )
        value, move = answer
        assert type(value) in (int, float), "The first of the pair is the value: a number."
        return value, move

    return check


@pytest.fixture
def top_count() -> Estimate:
    """Give the columns with the player's piece on top minus those with the opponent's."""

    def count(state: GameState, player: Any) -> float:
        tops = {column: piece for (_, column), piece in sorted(state.board.items())}
        return sum(1 if piece == player else -1 for piece in tops.values())

    return count


@pytest.fixture
def worth() -> Callable[[Any, Estimate], Estimate]:
    """Give `worth(game, estimate)`: what a search is to take a state for where it stops."""

    def make(game: Any, estimate: Estimate) -> Estimate:
        def value(state: State, player: Any) -> float:
            if not game.terminal_test(state):
                return estimate(state, player)
            utility = game.utility(state, player)
            return utility * infinity if utility else 0

        return value

    return make


@pytest.fixture
def noise(chance: Any) -> Callable[..., Estimate]:
    """Give `noise(numbers)`: an estimate that looks like chance, seen by X or MAX, or by others."""
    salt = chance.random()

    def make(numbers: Sequence[float] = range(-99, 100)) -> Estimate:
        def estimate(state: State, player: Any) -> float:
            said = sorted(state.board.items()) if isinstance(state, GameState) else state
            number = random.Random(f"{salt} {said}").choice(numbers)
            return number if player in ("X", "MAX") else -number

        return estimate

    return make


class Case:
    """A recorded game, a state in it, and how a search is to look at it."""

    def __init__(self, game: Any, state: State, depth: int, estimate: Estimate, worth: Any) -> None:
        self.game, self.state, self.depth, self.estimate = game, state, depth, estimate
        self.worth = worth(game.game, estimate)

    def values(self) -> dict[Any, float]:
        """Return the value of each move for the player who is to move."""
        game, player = self.game.game, self.game.game.to_move(self.state)
        return {
            move: self.game.minimax_value(
                game.result(self.state, move), player, self.depth - 1, self.worth
            )
            for move in game.actions(self.state)
        }


@pytest.fixture
def cases(
    chance: Any, trace: Any, drop_tree: Any, noise: Any, worth: Any, played: Any
) -> list[Case]:
    """Give 40 searches: in trees that go on below the depth, trees that end, and Connect Four.

    In each of these games a state is the path of moves to it. Some roots are MIN's or O's; some
    estimates are close together, far apart, or fractions.
    """
    wide, narrow = range(-999, 1000), range(-2, 3)
    eighths = [number / 8 for number in range(-80, 81)]
    found = []
    for branching, depth, numbers in [
        (2, 4, wide),
        (3, 3, narrow),
        (3, 2, eighths),
        (2, 5, wide),
    ] * 3:
        tree = TreeGame([0] * branching ** (depth + 2), branching)
        for state in (), (0,):
            found.append(Case(trace(tree, state), state, depth, noise(numbers), worth))
    for branching, plies in [(2, 4), (3, 3)] * 2:
        tree = TreeGame([chance.choice((-1, 0, 1)) for _ in range(branching**plies)], branching)
        found.append(Case(trace(tree), (), plies, noise(), worth))
    for size, moves, depth in [((4, 3, 3), 3, 3), ((3, 4, 3), 4, 4), ((5, 4, 3), 6, 4)] * 4:
        start = played(moves, *size, over=False)
        found.append(Case(drop_tree(start, *size), (), depth, noise(narrow), worth))
    return found


@pytest.fixture
def doomed() -> list[tuple[Any, GameState, int]]:
    """Give states in which every move loses: a game, the state and a depth that shows it."""
    small = ConnectFour(4, 5, 3)
    return [
        (ConnectFour(), after(ConnectFour(), moves), 2)
        for moves in ([3, 3, 2, 2, 4], [3, 0, 2, 0, 4], [0, 3, 6, 2, 6, 4], [0, 2, 0, 3, 6, 4])
    ] + [(small, after(small, moves), 2) for moves in ([2, 2, 1], [4, 2, 2, 1])]


@pytest.fixture
def expect_case(answered: Any) -> Callable[[Any, Case], None]:
    """Give `expect_case(search, case)`: the right value, and one of the best moves."""

    def expect(search: Any, case: Case) -> None:
        value, move = answered(search(case.game, case.state, case.depth, case.estimate))
        values = case.values()
        best = max(values.values())
        who = case.game.to_move(case.state)
        assert value == best, f"With depth {case.depth} and {who} to move, the value is wrong."
        assert move in values, (
            f"With depth {case.depth} and {who} to move, the second of the pair is no legal move."
        )
        assert values[move] == best, (
            f"With depth {case.depth} and {who} to move, another move is better."
        )

    return expect


@pytest.fixture
def expect_no_move(answered: Any, trace: Any, played: Any, noise: Any) -> Callable[[Any], None]:
    """Give `expect_no_move(search)`: a value and no move at depth 0, and when the game is over."""

    def expect(search: Any) -> None:
        estimate = noise()
        for size in [(6, 7, 4), (4, 5, 3)] * 4:
            game, state = ConnectFour(*size), played(7, *size, over=False)
            value, move = answered(search(trace(game, state), state, 0, estimate))
            assert move is None, "With depth 0 there is no move to choose: the move is None."
            assert value == estimate(state, state.to_move), (
                "With depth 0 the value is the estimate for the player who is to move."
            )
        for size in [(6, 7, 4), (4, 5, 3), (2, 3, 3), (1, 4, 2)] * 4:
            game, state = ConnectFour(*size), played(99, *size)
            won = game.utility(state, state.to_move)
            for depth in 0, 1, 3:
                value, move = answered(search(trace(game, state), state, depth, estimate))
                assert move is None, "When the game is over there is no move to choose: None."
                assert value == (won * infinity if won else 0), (
                    "A game that is over is worth infinity, -infinity or 0 to the player whose "
                    "turn it would be."
                )

    return expect


@pytest.fixture
def expect_final_values(
    answered: Any, trace: Any, played: Any, worth: Any
) -> Callable[[Any], None]:
    """Give `expect_final_values(search)`: wins and draws within the depth are never estimated."""

    def expect(search: Any) -> None:
        asked: list[Any] = []

        def huge(state: Any, player: Any) -> float:
            asked.append(state)
            return 1e9 if player == "X" else -1e9

        for size, left, depth in [((3, 4, 3), 4, 4), ((4, 3, 3), 5, 3), ((2, 4, 4), 5, 5)] * 6:
            game = ConnectFour(*size)
            state = played(size[0] * size[1] - left, *size, over=False)
            recorded = trace(game, state)
            value, _ = answered(search(recorded, state, depth, huge))
            assert not [s for s in asked if game.terminal_test(s)], (
                "The estimate was asked about a state in which the game is over."
            )
            right = recorded.minimax_value(state, state.to_move, depth, worth(game, huge))
            assert value == right, "Near the end of a game on a small board the value is wrong."

    return expect


@pytest.fixture
def expect_a_move_when_lost(
    answered: Any, doomed: Any, trace: Any, noise: Any
) -> Callable[[Any], None]:
    """Give `expect_a_move_when_lost(search)`: a legal move and -infinity where every move loses."""

    def expect(search: Any) -> None:
        for number, (game, state, depth) in enumerate(doomed):
            for deep in (depth, depth + 1) if number == 0 else (depth,):
                value, move = answered(search(trace(game, state), state, deep, noise()))
                assert type(move) is int and move in state.moves, (
                    "Where every move loses the answer is no legal move: the opponent may blunder."
                )
                assert value == -infinity, "Where every move loses the value is -infinity."

    return expect


def ways(state: GameState) -> float:
    """Return in how many orders the free squares can be filled: how large a tree may be."""
    held = [sum(column == c for _, c in state.board) for column in range(7)]
    free = [6 - pieces for pieces in held]
    return math.factorial(sum(free)) / math.prod(map(math.factorial, free))


@pytest.fixture
def endgames(four_oracle: Any, chance: Any) -> Callable[[int, int], list[GameState]]:
    """Give `endgames(n, empty)`: n states that a plain search can look to the end of.

    Each has at most `empty` free squares, which can be filled in at most 10,000 orders.
    """

    def draw(count: int, empty: int) -> list[GameState]:
        found: list[GameState] = []
        while len(found) < count:
            drawn = four_oracle().endgames(chance, count, empty)
            found += [state for state in drawn if ways(state) <= 10_000]
        return found[:count]

    return draw


@pytest.fixture
def expect_solved(four_oracle: Any, ask_each: Any, answered: Any) -> Callable[..., None]:
    """Give `expect_solved(search, game, states, estimate)`: exact when it looks to the end."""

    def expect(search: Any, game: Any, states: Sequence[GameState], estimate: Any) -> None:
        answers = ask_each(search, [(game, s, 42 - len(s.board), estimate) for s in states])
        illegal, worse, other = 0, 0, 0
        for answer, state in zip(answers, states, strict=True):
            value, move = answered(answer)
            values = four_oracle().values(state)
            best = max(values.values())
            legal = type(move) is int and move in values
            illegal += not legal
            worse += legal and values[move] != best
            other += value != (best * infinity if best else 0)
        assert not illegal, f"In {illegal} of {len(states)} endgames the move is not legal."
        assert not worse, f"In {worse} of {len(states)} endgames another column is better."
        assert not other, f"In {other} of {len(states)} endgames the value is wrong."

    return expect


@pytest.fixture
def zugzwang(four_oracle: Any, chance: Any) -> list[GameState]:
    """Give six states with at most 9 free squares, won because the opponent has to move."""
    found: list[GameState] = four_oracle().zugzwang(chance, 6, 9)
    return found
