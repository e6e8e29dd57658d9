"""Hidden checks of the cell TicTacToe: the rules on boards of every shape."""

import random
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest

from adversarial.checks.boards import oracle
from adversarial.checks.trees import ask_each, call_and_look
from adversarial.games.rules import TicTacToe
from adversarial.games.sent_visitor import board_code, number
from games import GameState, state_from

BOARDS = [(3, 3, 3), (2, 2, 2), (2, 5, 3), (4, 3, 3), (3, 4, 3), (1, 5, 3), (4, 4, 4), (5, 4, 3)]
BOARDS += [(2, 3, 1), (6, 7, 5), (9, 8, 6)]
SMALL = [(3, 3, 3), (2, 4, 3), (4, 2, 3), (3, 3, 2)]
PLAYED = [(3, 3, 3), (3, 4, 3), (4, 4, 3), (5, 3, 3), (2, 5, 4), (4, 5, 4)]
Size = tuple[int, int, int]
Transition = tuple[GameState, tuple[int, int]]  # a state and a move


@pytest.fixture(autouse=True)
def without_connect_four(visitor: Any) -> None:
    """Take away the line search that comes with the games: TicTacToe needs its own."""
    visitor.close_connect_four()


OWN_LIST = (
    "`actions` hands out the list that a state or the game keeps: who changes that list changes "
    "the state. Make a new one."
)


def squares_of(h: int, v: int) -> list[tuple[int, int]]:
    return [(row, column) for row in range(h) for column in range(v)]


def same(moves: Any, expected: Sequence[Any]) -> bool:
    """Return whether `moves` is a list or tuple of the expected moves in any order."""
    return (
        type(moves) in (list, tuple)
        and len(moves) == len(expected)
        and all(move in moves for move in expected)
    )


def truth(answer: Any) -> bool:
    plain = type(answer) in (bool, int, float, Fraction, type(None))
    assert plain, "A test must answer True or False."
    return bool(answer)


def pieces_in(line: str) -> list[tuple[int, str]]:
    """Return the places and names of the pieces in a printed line, without words and colours."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", line)
    words = re.finditer(r"[^\W\d_]+", plain)
    return [
        (word.start() + i, piece)
        for word in words
        if set(word[0]) <= set("XO")
        for i, piece in enumerate(word[0])
    ]


def expect_state(state: Any) -> None:
    assert type(state) is GameState, "A state must be a `GameState`, made by `GameState(...)`."
    assert type(state.board) is dict, "A state's `board` must be a dictionary."


def position(board: dict[tuple[int, int], str], to_move: str, h: int, v: int) -> GameState:
    return GameState(to_move, 0, board, [s for s in squares_of(h, v) if s not in board])


def almost_won(
    sizes: Sequence[tuple[int, int, int]], chance: random.Random
) -> Iterator[tuple[tuple[int, int, int], GameState, tuple[int, int], str]]:
    """Yield, for every line of every board and both players, a state and the move that wins."""
    for size in sizes:
        h, v, k = size
        lines = [frozenset(line) for line in oracle(h, v, k).lines]
        for line in oracle(h, v, k).lines:
            for player, other in ("XO", "OX"):
                last, *rest = chance.sample(line, k)
                others = k - 1 if player == "X" else k
                free = [square for square in squares_of(h, v) if square not in line]
                if others > len(free):
                    continue
                draws = (chance.sample(free, others) for _ in range(20))
                harmless = (d for d in draws if not any(map(frozenset(d).issuperset, lines)))
                taken = next(harmless, None)
                if taken is None:
                    continue
                board = dict.fromkeys(rest, player) | dict.fromkeys(taken, other)
                yield size, position(board, player, h, v), last, player


@pytest.mark.check(
    cell="TicTacToe",
    points=2,
    hint="Build the first state in `__init__` from h and v; `actions` lists its free squares.",
)
def test_start(student):
    """The game starts with an empty board, X to move and every square free, on 11 boards"""
    for h, v, k in BOARDS:
        game = student.TicTacToe(h, v, k)
        state = game.initial
        expect_state(state)
        assert state.board == {}, f"On a {h}x{v} board `initial` does not have an empty board."
        assert state.to_move == "X", "X moves first."
        assert game.to_move(state) == "X", "`to_move(initial)` must be 'X'."
        assert state.utility == 0, "Nobody has won at the start: the utility is 0."
        assert not truth(game.terminal_test(state)), "The game is not over at the start."
        assert same(state.moves, squares_of(h, v)), (
            f"`moves` are not the {h * v} squares of {h}x{v}."
        )
        assert same(game.actions(state), squares_of(h, v)), (
            f"`actions(initial)` are not the {h * v} squares of {h} rows and {v} columns."
        )
    usual = student.TicTacToe()
    assert same(usual.actions(usual.initial), squares_of(3, 3)), (
        "`TicTacToe()` must be the usual game, on 3 rows and 3 columns."
    )


@pytest.mark.check(
    cell="TicTacToe",
    points=3,
    hint="`result` makes a new GameState: one more piece, one move fewer, the other to move.",
)
def test_result(student, chance):
    """`result` places the piece, passes the turn and takes the square away, in 60 states"""
    for h, v, k in SMALL:
        game = student.TicTacToe(h, v, k)
        for state in chance.sample(oracle(h, v, k).open_states(), 15):
            move = chance.choice(state.moves)
            following = game.result(state, move)
            expect_state(following)
            assert following.board == {**state.board, move: state.to_move}, (
                "After `result` the board must hold the old pieces and the new one, no others."
            )
            other = "O" if state.to_move == "X" else "X"
            assert game.to_move(following) == other, "After a move it is the other player's turn."
            if not oracle(h, v, k).values(following):
                continue
            free = [square for square in state.moves if square != move]
            assert same(following.moves, free), "`moves` are not the squares that are left."
            assert same(game.actions(following), free), "`actions` are not the squares left."


@pytest.mark.check(
    cell="TicTacToe",
    points=2,
    hint="Copy before you change: `board = dict(state.board)`. A search goes back to old states.",
)
def test_nothing_changes_its_arguments(student, chance, visitor):
    """What methods are given, and a state whose list of moves others change, stay as they were"""
    game = student.TicTacToe()
    for state in chance.sample(oracle().open_states(), 20):
        move = chance.choice(state.moves)
        board = {**state.board, move: state.to_move}
        for name, *arguments in [
            ("result", state, move),
            ("actions", state),
            ("utility", state, "X"),
            ("terminal_test", state),
            ("compute_utility", board, move, state.to_move),
        ]:
            _, after = call_and_look(getattr(game, name), *arguments)
            assert after == arguments, f"`{name}` has changed the state or board it was given."
    for state in chance.sample(oracle().open_states(), 10):
        again, (_, after_it) = call_and_look(visitor.moves_again, game, state)
        assert after_it == state and same(again, state.moves), OWN_LIST
    for moves in visitor.first_moves_again(game):
        assert same(moves, squares_of(3, 3)), OWN_LIST


@pytest.mark.check(
    cell="TicTacToe",
    points=2,
    hint="In `result`: if the move is not one of the legal moves, `raise ValueError(...)`.",
)
def test_illegal_moves(student, chance):
    """An illegal move raises ValueError: squares taken, off the board, on boards of 4 shapes"""
    drawn = [(size, chance.choice(squares_of(*size[:2]))) for size in SMALL]
    for (h, v, k), taken in [*((size, (0, 0)) for size in SMALL), *drawn]:
        game = student.TicTacToe(h, v, k)
        state = game.result(game.initial, taken)
        outside = [(h, 0), (0, v), (-1, 0), (0, -1)]
        for move, where in [(taken, "taken"), *((move, "off the board") for move in outside)]:
            try:
                game.result(state, move)
            except ValueError:
                continue
            pytest.fail(f"`result` accepts a square that is {where}; it must raise ValueError.")


def expect_sweep(student: Any, visitor: Any, wins: bool) -> None:
    """Expect the right utility and end after all moves of the 3x3 game that win, or all others."""
    rules, right = TicTacToe(), {}
    for state in oracle().open_states():
        for row, column in state.moves:
            worth = rules.compute_utility(
                {**state.board, (row, column): state.to_move}, (row, column), state.to_move
            )
            over = worth != 0 or len(state.moves) == 1
            key = number(board_code(state, 3), 3 * row + column, 0, over=False)
            if bool(worth) is wins:
                right[key // 6] = number(0, 0, worth, over)
    found = visitor.walk(student.TicTacToe(), 3, 20_000)
    plain = type(found) is list and all(type(answer) is int for answer in found)
    assert plain, "Squares, pieces and utilities must be plain numbers and texts."
    answers = {answer // 6: answer % 6 for answer in found}
    missing = sum(key not in answers for key in right)
    wrong = sum(answers.get(key, right[key]) != right[key] for key in right)
    assert not wrong, (
        f"After {wrong} of {len(right):,} moves `utility` in the state or `terminal_test` is wrong."
    )
    assert wins or not missing, f"{missing} of {len(right):,} moves cannot be made."


def expect_utilities(game: Any, size: Size, asked: Sequence[Transition]) -> list[GameState]:
    """Expect the right utility after each move on a board; return the states that follow."""
    found, rules = ask_each(game.result, asked), TicTacToe(*size)
    wrong = 0
    for (state, move), following in zip(asked, found, strict=True):
        expect_state(following)
        wrong += following.utility != rules.result(state, move).utility
    assert not wrong, (
        f"After {wrong} of {len(asked)} moves on a {size[0]}x{size[1]} board, where k is "
        f"{size[2]}, `utility` in the state is wrong: a win is missed, or seen where there is none."
    )
    return found


def random_games(size: Size, count: int) -> list[Transition]:
    """Return the moves of some games at random, the same whoever is asked."""
    game, chance = TicTacToe(*size), random.Random(f"games on {size}")
    played: list[Transition] = []
    for _ in range(count):
        state = game.initial
        while state.moves:
            played.append((state, chance.choice(state.moves)))
            state = game.result(*played[-1])
    return played


def expect_wins(student: Any, wins: Any, where: str) -> None:
    wins = list(wins)
    games = {size: student.TicTacToe(*size) for size, *_ in wins}
    for size, state, move, player in wins:
        game = games[size]
        following = game.result(state, move)
        expect_state(following)
        worth = 1 if player == "X" else -1
        assert following.utility == worth, (
            f"A win of {player} on {where} is not seen: `utility` in the state must be {worth}."
        )
        assert truth(game.terminal_test(following)), f"The game goes on after {player} has won."
        assert (game.utility(following, "X"), game.utility(following, "O")) == (worth, -worth), (
            f"`utility(state, player)` is wrong after {player} has won: +1 for the winner, else -1."
        )
        board = {**state.board, move: player}
        assert game.compute_utility(board, move, player) == worth, (
            f"`compute_utility` must be {worth} for a move that wins for {player}."
        )


@pytest.mark.check(
    cell="TicTacToe",
    points=3,
    hint="Test the row, the column and both diagonals through the new piece, in both directions.",
)
def test_wins(student, chance, visitor):
    """All 8 lines of the 3x3 board win, for X and for O: all 2,782 moves that can win"""
    expect_wins(student, almost_won([(3, 3, 3)], chance), "the 3x3 board")
    expect_sweep(student, visitor, wins=True)
    state = student.TicTacToe().result(state_from("X X . / O O . / . . ."), (0, 2))
    expect_state(state)
    assert state.utility == 1, "In `TicTacToe()`, without sizes, three in a line must win."


@pytest.mark.check(
    cell="TicTacToe",
    points=3,
    hint="Some of the boards have more columns than rows; some lines are not of 3.",
    needs="test_wins",
)
def test_wins_on_other_boards(student, chance):
    """Every line wins on 10 boards that are not 3x3, for X and for O"""
    wins = list(almost_won(BOARDS[1:], chance))
    expect_wins(student, wins, "a board that is not 3x3")
    for picture, move in [
        ("X X . X / O O . O", (0, 2)),
        ("X O / X O / . . / X O", (2, 0)),
        ("X . . O / . X . O / . . . . / O . . X", (2, 2)),
        ("O . . X / O . X . / . . . . / X . . O", (2, 1)),
    ]:
        state = state_from(picture)
        rows = picture.split("/")
        following = student.TicTacToe(len(rows), len(rows[0].split()), 3).result(state, move)
        expect_state(following)
        assert following.utility == 1, "Four in a line are not seen as a win where k is 3."


@pytest.mark.check(
    cell="TicTacToe",
    points=2,
    hint="Count only neighbours that touch each other and belong to the same player.",
)
def test_no_false_wins(student, visitor):
    """Nothing else wins: no other of 16,167 moves, and lines with a gap, too short, or broken"""
    for picture, k, move in [
        ("X X . X . / O O . . O", 3, (0, 3)),
        ("X . X . / . O . . / O . . O / . . . X", 3, (3, 3)),
        ("X X X . / O O . . / O . . .", 4, (0, 2)),
        (". X X / X O . / O . .", 3, (1, 0)),
        ("X O X / X O O / O X X", 3, (0, 0)),
    ]:
        state = state_from(picture)
        h, v = picture.count("/") + 1, len(picture.split("/")[0].split())
        found = student.TicTacToe(h, v, k).compute_utility(state.board, move, "X")
        assert found == 0, "`compute_utility` sees a win where no line is complete."
    expect_sweep(student, visitor, wins=False)
    games = {size: student.TicTacToe(*size) for size in PLAYED}
    for size, game in games.items():
        played, rules = random_games(size, 10), TicTacToe(*size)
        found = expect_utilities(game, size, played)
        right = [rules.result(*transition) for transition in played]
        over = ask_each(game.terminal_test, [(state,) for state in found])
        assert [truth(answer) for answer in over] == [*map(rules.terminal_test, right)], (
            "In a random game `terminal_test` says the game is over too soon or too late."
        )
        for player in "XO":
            worths = [rules.utility(state, player) for state in right]
            assert ask_each(game.utility, [(state, player) for state in found]) == worths, (
                "Asked again about the states of random games, `utility` is wrong: "
                "it must tell what the state is worth that it is given."
            )


@pytest.mark.check(
    cell="TicTacToe",
    points=1,
    hint="A full board without a line is a draw: terminal, and worth 0 to both players.",
)
def test_draws(student, chance):
    """A full board without a line is the end of the game and worth 0 to both, on 10 boards"""
    game = student.TicTacToe()
    last = [
        state
        for state in oracle().open_states()
        if len(state.moves) == 1 and oracle().value(state) == 0
    ]
    for state in chance.sample(last, 10):
        following = game.result(state, state.moves[0])
        assert truth(game.terminal_test(following)), "The game goes on although the board is full."
        worths = game.utility(following, "X"), game.utility(following, "O")
        assert worths == (0, 0), "A draw must be worth 0 to both players."


@pytest.mark.check(
    cell="TicTacToe",
    points=1,
    hint="From the move, walk the step (row step, column step) both ways and count the pieces.",
)
def test_k_in_row(student, chance):
    """`k_in_row` knows each of the four directions, with the move anywhere in the line"""
    steps = {(0, 1), (1, 0), (1, 1), (1, -1)}
    for h, v, k in [(3, 3, 3), (3, 5, 3), (5, 4, 4), (6, 7, 5)]:
        game = student.TicTacToe(h, v, k)
        for line in oracle(h, v, k).lines:
            board = dict.fromkeys(line, "O")
            step = line[1][0] - line[0][0], line[1][1] - line[0][1]
            move = chance.choice(line)
            assert truth(game.k_in_row(board, move, "O", step)), (
                f"`k_in_row` does not see a line along the step {step}."
            )
            beside = [
                (row, column)
                for row, column in squares_of(h, v)
                if (row - line[0][0]) * step[1] != (column - line[0][1]) * step[0]
            ]
            calls = [({**board, elsewhere: "O"}, elsewhere, "O", step) for elsewhere in beside]
            assert not any(map(truth, ask_each(game.k_in_row, calls))), (
                "`k_in_row` sees a line that does not go through the move."
            )
            for other in steps - {step}:
                assert not truth(game.k_in_row(board, move, "O", other)), (
                    f"`k_in_row` sees a line along {other} where the line runs along {step}."
                )


@pytest.mark.check(
    cell="TicTacToe",
    points=1,
    hint="`display` prints the board: one line for each row, the pieces as X and O.",
)
def test_display(student, chance, printed):
    """`display` prints the rows of the board in order, with the pieces where they are"""
    for h, v, k in [(3, 3, 3), (2, 5, 3)]:
        game = student.TicTacToe(h, v, k)
        for drawn in chance.sample([s for s in oracle(h, v, k).states() if len(s.board) > 3], 4):
            free = [square for square in squares_of(h, v) if square not in drawn.board]
            state = drawn._replace(moves=free)  # as in the notebook, where a win leaves the rest
            game.display(state)
            shown = iter([line for line in map(pieces_in, printed().splitlines()) if line])
            columns: dict[int, set[int]] = {}
            for row in range(h):
                held = {c: state.board[row, c] for c in range(v) if (row, c) in state.board}
                if not held:
                    continue
                line = next((p for p in shown if [x for _, x in p] == [*held.values()]), None)
                assert line is not None, (
                    "`display` does not print the pieces row by row, from row 0 down."
                )
                for column, (place, _) in zip(held, line, strict=True):
                    columns.setdefault(column, set()).add(place)
            assert all(len(places) == 1 for places in columns.values()), (
                "`display` does not print the pieces of a column below each other."
            )
