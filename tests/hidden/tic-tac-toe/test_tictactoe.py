"""Hidden checks of the cell TicTacToe: the rules on boards of every shape."""

import functools
import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

from adversarial.checks.boards import USUAL, oracle
from adversarial.checks.trees import ask_each, call_and_look, is_number
from adversarial.games import sent_visitor
from adversarial.games.rules import TicTacToe
from games import GameState, state_from

BOARDS = [(3, 3, 3), (2, 2, 2), (2, 5, 3), (4, 3, 3), (3, 4, 3), (1, 5, 3), (4, 4, 4), (5, 4, 3)]
BOARDS += [(2, 3, 1), (6, 7, 5), (9, 8, 6)]
ALONG_LINES = [size for size in BOARDS if size[2] in (3, 4)]
SMALL = [(3, 3, 3), (2, 4, 3), (4, 2, 3), (3, 3, 2)]
PLAYED = [(3, 3, 3), (3, 4, 3), (4, 4, 3), (5, 3, 3), (2, 5, 4), (4, 5, 4)]
ROW, COLUMN, DIAGONAL, ANTIDIAGONAL = STEPS = (0, 1), (1, 0), (1, 1), (1, -1)
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


def same(moves: Any, expected_moves: Sequence[Any]) -> bool:
    """Return whether `moves` is a list or tuple of the expected moves in any order."""
    return (
        type(moves) in (list, tuple)
        and len(moves) == len(expected_moves)
        and all(move in moves for move in expected_moves)
    )


def truth(answer: Any) -> bool:
    plain = is_number(answer) or type(answer) in (bool, type(None))
    assert plain, "A test must answer True or False."
    return bool(answer)


def pieces_in(text: str) -> list[tuple[int, int, str]]:
    """Return line, place and name of the pieces that are printed, without words and colours."""
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text).splitlines()
    words = [(n, word) for n, line in enumerate(lines) for word in re.finditer(r"[^\W\d_]+", line)]
    return [
        (n, word.start() + i, piece)
        for n, word in words
        if set(word[0]) <= set("XO")
        for i, piece in enumerate(word[0])
    ]


def expect_state(state: Any) -> None:
    assert type(state) is GameState, "A state must be a `GameState`, made by `GameState(...)`."
    assert type(state.board) is dict, "A state's `board` must be a dictionary."


def following(game: Any, moves: Sequence[Transition]) -> list[GameState]:
    """Return the state after each move on a board; expect that it is one."""
    states = ask_each(game.result, moves)
    for state in states:
        expect_state(state)
    return states


def position(board: dict[tuple[int, int], str], to_move: str, h: int, v: int) -> GameState:
    return GameState(to_move, 0, board, [s for s in squares_of(h, v) if s not in board])


def almost_won(size: Size, lines: Iterable[Any], chance: random.Random) -> Iterator[Transition]:
    """Yield, for each of some lines of a board and both players, a state and the move that wins."""
    h, v, k = size
    winning = [frozenset(line) for line in oracle(h, v, k).lines]
    for line in lines:
        for player, other in ("XO", "OX"):
            last, *rest = chance.sample(line, k)
            others = k - 1 if player == "X" else k
            free = [square for square in squares_of(h, v) if square not in line]
            if others > len(free):
                continue
            draws = (chance.sample(free, others) for _ in range(20))
            harmless = (d for d in draws if not any(map(frozenset(d).issuperset, winning)))
            if (squares := next(harmless, None)) is not None:
                board = dict.fromkeys(rest, player) | dict.fromkeys(squares, other)
                yield position(board, player, h, v), last


def on_board(student: Any, picture: str, k: int) -> tuple[Any, GameState]:
    """Return a game of the size of a picture, and the state that it shows."""
    rows = picture.split("/")
    return student.TicTacToe(len(rows), len(rows[0].split()), k), state_from(picture)


def step_of(line: Sequence[Any]) -> tuple[int, int]:
    return line[1][0] - line[0][0], line[1][1] - line[0][1]


@functools.cache
def wins_by_step() -> dict[tuple[int, int], list[Transition]]:
    """Return by step the moves of the usual game that complete a line with it, and no other."""
    lines, wins = oracle().lines, {step: list[Transition]() for step in STEPS}
    for state in oracle().open_states():
        pieces = {square for square, piece in state.board.items() if piece == state.to_move}
        for move in state.moves:
            steps = {step_of(line) for line in lines if pieces.union([move]).issuperset(line)}
            if len(steps) == 1:
                wins[steps.pop()].append((state, move))
    return wins


def expect_utilities(game: Any, size: Size, moves: Sequence[Transition]) -> None:
    """Expect the right utility after each move on a board."""
    rules = TicTacToe(*size)
    right = [rules.result(*question).utility for question in moves]
    worths = [state.utility for state in following(game, moves)]
    wrong = [pair for pair in zip(worths, right, strict=True) if pair[0] != pair[1]]
    assert not wrong, (
        f"After {len(wrong)} of {len(moves)} moves on a {size[0]}x{size[1]} board, where k is "
        f"{size[2]}, `utility` in the state is wrong: {wrong[0][0]!r:.40}, and not {wrong[0][1]}."
    )


def expect_wins(game: Any, size: Size, moves: Sequence[Transition]) -> None:
    """Expect that moves are seen to win, by `result` and by `compute_utility`."""
    expect_utilities(game, size, moves)
    for state, move in moves[:20]:
        worth = 1 if state.to_move == "X" else -1
        board = {**state.board, move: state.to_move}
        assert game.compute_utility(board, move, state.to_move) == worth, (
            f"`compute_utility` must be {worth} for a move that wins for {state.to_move}."
        )


def expect_lines(student: Any, chance: random.Random, step: tuple[int, int]) -> None:
    """Expect that all lines with this step win, on 8 boards where k is 3 or 4."""
    expect_wins(student.TicTacToe(*USUAL), USUAL, wins_by_step()[step][::2])
    for size in ALONG_LINES:
        lines = [line for line in oracle(*size).lines if step_of(line) == step]
        expect_wins(student.TicTacToe(*size), size, [*almost_won(size, lines, chance)])


@pytest.mark.check(cell="TicTacToe", points=1)
def test_start(student):
    """The game starts with an empty board, X to move and every square free, on 11 boards
    Needed for wrong/nothing_done and wrong/counts_from_one."""
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


@pytest.mark.check(cell="TicTacToe", points=1)
def test_result(student, chance):
    """`result` places the piece, passes the turn and takes the square away, in 60 states
    Needed for wrong/same_state_again and wrong/turn_never_passes."""
    for h, v, k in SMALL:
        game, rules = student.TicTacToe(h, v, k), TicTacToe(h, v, k)
        for state, move in chance.sample(random_games((h, v, k)), 15):
            (after,) = following(game, [(state, move)])
            assert after.board == {**state.board, move: state.to_move}, (
                "After `result` the board must hold the old pieces and the new one, no others."
            )
            other = "O" if state.to_move == "X" else "X"
            assert game.to_move(after) == other, "After a move it is the other player's turn."
            if not rules.result(state, move).moves:
                continue
            free = [square for square in state.moves if square != move]
            assert same(after.moves, free), "`moves` are not the squares that are left."
            assert same(game.actions(after), free), "`actions` are not the squares left."


@pytest.mark.check(cell="TicTacToe", points=1)
def test_nothing_changes_its_arguments(student, chance, visitor):
    """What methods are given, and a state whose list of moves others change, stay as they were
    Needed for wrong/shallow_copy and wrong/changes_the_board."""
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


@pytest.mark.check(cell="TicTacToe", points=1)
def test_illegal_moves(student, chance):
    """An illegal move raises ValueError: squares taken, off the board, on boards of 4 shapes
    Needed for wrong/negative_squares and wrong/raises_key_error."""
    squares = [(size, chance.choice(squares_of(*size[:2]))) for size in SMALL]
    for (h, v, k), square in [*((size, (0, 0)) for size in SMALL), *squares]:
        game = student.TicTacToe(h, v, k)
        state = game.result(game.initial, square)
        outside = [(h, 0), (0, v), (-1, 0), (0, -1)]
        for move, where in [(square, "taken"), *((move, "off the board") for move in outside)]:
            try:
                game.result(state, move)
            except ValueError:
                continue
            pytest.fail(f"`result` accepts a square that is {where}; it must raise ValueError.")


@functools.cache
def random_games(size: Size) -> list[Transition]:
    """Return the moves of ten games at random, the same whoever is asked."""
    game, chance = TicTacToe(*size), random.Random(f"games on {size}")
    moves: list[Transition] = []
    for _ in range(10):
        state = game.initial
        while state.moves:
            moves.append((state, chance.choice(state.moves)))
            state = game.result(*moves[-1])
    return moves


def line_that_wins(student: Any) -> int:
    """Return the k with which three in a line win and two do not: 3, or one more or less.

    So `>` in place of `>=`, which no line of k survives, costs its points where lines are asked.
    """
    three = {(0, column): "X" for column in range(3)}
    for k in 3, 2, 4:
        game = student.TicTacToe(3, 3, k)
        boards = dict([*three.items()][:2]), three
        if [game.compute_utility(board, (0, 1), "X") for board in boards] == [0, 1]:
            return k
    return 3


@functools.cache
def right_walk() -> dict[int, int]:
    """Return by move, as a number, what is right after it: 0 goes on, 1 a draw, more a win."""
    return {answer // 6: answer % 6 for answer in sent_visitor.walk(TicTacToe(), 3, 20_000)}


def own_walk(student: Any, visitor: Any, k: int = 3) -> dict[int, int]:
    """Return the same by the student's game: odd where that is over, and more than 1 for a win."""
    answers = visitor.walk(student.TicTacToe(3, 3, k), 3, 20_000)
    plain = type(answers) is list and all(type(answer) is int for answer in answers)
    assert plain, "Squares and utilities must be finite numbers, and pieces texts."
    return {answer // 6: answer % 6 for answer in answers}


@pytest.mark.check(cell="TicTacToe", points=6, cpu_factor=3)
def test_playable(student, visitor):
    """Games go on to a win or a full board and end there, in all 3x3 games and 60 on six boards

    Few wins may be missed; which, other checks ask.
    Needed for wrong/draw_goes_on and wrong/only_a_full_board_ends."""
    right, answers = right_walk(), own_walk(student, visitor, line_that_wins(student))
    keys = right.keys() & answers.keys()
    count = len(right) - len(keys)
    assert 2 * count < len(right), (
        f"{count:,} of {len(right):,} moves are never reached in games that are played out."
    )
    wins = [key for key in right if right[key] > 1]
    unseen = {key for key in wins if answers.get(key, 0) < 2}
    wrong = sum(answers[key] % 2 != (answers[key] > 1 or right[key] == 1) for key in keys - unseen)
    assert not wrong, f"After {wrong} of {len(right):,} moves `terminal_test` is wrong."
    assert 2 * len(unseen) < len(wins), (
        f"{len(unseen)} of {len(wins):,} moves win, and it is not seen."
    )
    for size in PLAYED:  # by its own utility
        game, moves = student.TicTacToe(*size), random_games(size)
        after = following(game, moves)
        over = ask_each(game.terminal_test, [(state,) for state in after])
        worths = ask_each(game.utility, [(state, "X") for state in after])
        for state, answer, worth, (before, _) in zip(after, over, worths, moves, strict=True):
            assert truth(answer) == (state.utility != 0 or len(before.moves) == 1), (
                "In a random game `terminal_test` says the game is over too soon or too late."
            )
            assert worth == state.utility, (
                "Asked again about the states of random games, `utility` is wrong: "
                "it must tell what the state is worth that it is given."
            )


@pytest.mark.check(cell="TicTacToe", points=1)
def test_rows(student, chance):
    """Every line along a row wins, for X and for O, on 7 boards
    Needed for wrong/no_rows and wrong/one_side_only."""
    expect_lines(student, chance, ROW)


@pytest.mark.check(cell="TicTacToe", points=1)
def test_columns(student, chance):
    """Every line along a column wins, for X and for O, on 7 boards
    Needed for wrong/row_twice_no_column and wrong/column_beside_an_empty_one."""
    expect_lines(student, chance, COLUMN)


@pytest.mark.check(cell="TicTacToe", points=1)
def test_diagonals(student, chance):
    """Every line down to the right wins, for X and for O, on 7 boards
    Needed for wrong/diagonal_needs_one_more and wrong/diagonals_of_the_corners."""
    expect_lines(student, chance, DIAGONAL)


@pytest.mark.check(cell="TicTacToe", points=1)
def test_antidiagonals(student, chance):
    """Every line down to the left wins, for X and for O, on 7 boards
    Needed for wrong/no_antidiagonal and wrong/one_direction_always_x."""
    expect_lines(student, chance, ANTIDIAGONAL)


@pytest.mark.check(cell="TicTacToe", points=1)
def test_lengths(student, chance):
    """Lines of 1, 2, 5 and 6 win where k says so, and so do 4 in a line where k is 3
    Needed for wrong/exactly_k and wrong/three_everywhere."""
    for size in BOARDS:
        if size not in ALONG_LINES:
            lines = oracle(*size).lines
            expect_wins(student.TicTacToe(*size), size, [*almost_won(size, lines, chance)])
    for picture, move in [
        ("X X . X / O O . O", (0, 2)),
        ("X O / X O / . . / X O", (2, 0)),
        ("X . . O / . X . O / . . . . / O . . X", (2, 2)),
        ("O . . X / O . X . / . . . . / X . . O", (2, 1)),
    ]:
        game, state = on_board(student, picture, 3)
        (after,) = following(game, [(state, move)])
        assert after.utility == 1, "Four in a line are not seen as a win where k is 3."
    win = state_from("X X . / O O . / . . ."), (0, 2)
    (after,) = following(student.TicTacToe(), [win])
    assert after.utility == 1, "In `TicTacToe()`, without sizes, three in a line must win."


@pytest.mark.check(cell="TicTacToe", points=1)
def test_utility(student):
    """What is worth 1 to the winner is worth -1 to the other, and a draw 0 to both
    Needed for wrong/utility_ignores_the_player and wrong/utility_for_the_side_to_move."""
    game = student.TicTacToe(*USUAL)
    wins = [win for step in STEPS for win in wins_by_step()[step][::9]]
    last = [s for s in oracle().open_states() if len(s.moves) == 1 and not oracle().value(s)][:20]
    moves = [*wins, *((state, state.moves[0]) for state in last)]
    states = following(game, moves)
    for player, sign in ("X", 1), ("O", -1):
        worths = ask_each(game.utility, [(state, player) for state in states])
        for state, worth in zip(states, worths, strict=True):
            assert worth == sign * state.utility, (
                f"`utility(state, '{player}')` is wrong: +1 if {player} has won, -1 if the other "
                "has, else 0."
            )
    utilities = [state.utility for state in states]
    assert sum(map(bool, utilities)) > len(wins) // 2, "Most wins are not seen."
    assert not any(utilities[len(wins) :]), "A draw must be worth 0 to both players."


@pytest.mark.check(cell="TicTacToe", points=1, cpu_factor=3)
def test_no_false_wins(student, visitor):
    """Nothing else wins: no other of 16,167 moves, and lines with a gap, too short, or broken
    Needed for wrong/anybodys_pieces and wrong/line_through_a_gap."""
    for picture, k, move in [
        ("X X . X . / O O . . O", 3, (0, 3)),
        ("X . X . / . O . . / O . . O / . . . X", 3, (3, 3)),
        ("X X X . / O O . . / O . . .", 4, (0, 2)),
        (". X X / X O . / O . .", 3, (1, 0)),
        ("X O X / X O O / O X X", 3, (0, 0)),
    ]:
        game, state = on_board(student, picture, k)
        utility = game.compute_utility(state.board, move, "X")
        assert utility == 0, "`compute_utility` must be 0 where no line is complete."
    right, answers = right_walk(), own_walk(student, visitor)
    others = [key for key in right if right[key] < 2]
    false = sum(answers.get(key) != right[key] for key in others)
    assert not false, (
        f"{false:,} of {len(others):,} moves that do not win are never reached, or end the game."
    )
    for size in PLAYED:
        moves = [one for one in random_games(size) if not TicTacToe(*size).result(*one).utility]
        expect_utilities(student.TicTacToe(*size), size, moves)


@pytest.mark.check(cell="TicTacToe", points=1)
def test_games_apart(student, printed):
    """Four games of other sizes, all of them there at once, keep to their own
    Needed for wrong/sizes_are_global and wrong/rows_in_the_class."""
    sizes = [(2, 5, 4), (4, 4, 3), (6, 3, 2), (3, 4, 3)]
    games = {size: student.TicTacToe(*size) for size in sizes}
    for h, v, k in [*sizes, *sizes[::-1]]:
        game, squares, where = games[h, v, k], squares_of(h, v), f"of {h}x{v} with {k} in a line"
        assert same(game.actions(game.initial), squares) and same(game.initial.moves, squares), (
            f"Beside games of other sizes, one {where} does not begin on its own board."
        )
        pieces = {(row, column): "XO"[row] for row in (0, 1) for column in range(k - 1)}
        for move, worth in ((h - 1, v - 1), 0), ((0, k - 1), 1):
            (after,) = following(game, [(position(pieces, "X", h, v), move)])
            assert after.utility == worth, (
                f"Beside games of other sizes, `utility` is wrong after a move in one {where}."
            )
        expect_drawn(game, position({(h - 1, v - 1): "X"}, "O", h, v), printed)


@pytest.mark.check(cell="TicTacToe", points=1)
def test_k_in_row(student, chance):
    """`k_in_row` knows each of the four directions, with the move anywhere in the line
    Needed for wrong/step_swapped and wrong/line_anywhere."""
    for h, v, k in [(3, 3, 3), (3, 5, 3), (5, 4, 4), (6, 7, 5)]:
        game = student.TicTacToe(h, v, k)
        for line in oracle(h, v, k).lines:
            board, step, move = dict.fromkeys(line, "O"), step_of(line), chance.choice(line)
            assert truth(game.k_in_row(board, move, "O", step)), (
                f"`k_in_row` does not see a line along the step {step}."
            )
            beside = [
                (row, column)
                for row, column in squares_of(h, v)
                if (row - line[0][0]) * step[1] != (column - line[0][1]) * step[0]
            ]
            calls = [({**board, elsewhere: "O"}, elsewhere, "O", step) for elsewhere in beside]
            calls += [(board, move, "O", other) for other in STEPS if other != step]
            *apart, a, b, c = map(truth, ask_each(game.k_in_row, calls))
            assert not any(apart), "`k_in_row` sees a line that does not go through the move."
            assert not (a or b or c), (
                f"`k_in_row` sees a line along another step where the line runs along {step}."
            )


def expect_drawn(game: Any, state: GameState, printed: Callable[[], str]) -> None:
    """Expect that `display` prints the pieces row by row, those of a column below each other.

    Lines above or below the board may hold an X or O as well, such as "X to move".
    """
    game.display(state)
    by_line = itertools.groupby(pieces_in(printed()), lambda piece: piece[0])
    lines = [[*line] for _, line in by_line]
    rows = len({row for row, _ in state.board})
    windows = [lines[first : first + rows] for first in range(len(lines) - rows + 1)]
    parts = [[*itertools.chain(*window)] for window in windows]
    assert any(is_drawn(state, part) for part in parts if len(part) == len(state.board)), (
        "`display` does not print the pieces row by row, from row 0 down, or not those of a column "
        "below each other."
    )


def is_drawn(state: GameState, pieces: list[tuple[int, int, str]]) -> bool:
    """Return whether printed pieces are those of a state, each row a line, each column a place."""
    pairs = list(zip(sorted(state.board), pieces, strict=True))
    lines = {row: line for (row, _), (line, _, _) in pairs}
    places = {column: place for (_, column), (_, place, _) in pairs}
    return len({*lines.values()}) == len(lines) and all(
        piece == (lines[row], places[column], state.board[row, column])
        for (row, column), piece in pairs
    )


@pytest.mark.check(cell="TicTacToe", points=1)
def test_display(student, chance, printed):
    """`display` prints the rows of the board in order, with the pieces where they are
    Needed for wrong/display_gives_text and wrong/display_transposed."""
    for h, v, k in [(3, 3, 3), (2, 4, 3)]:
        game = student.TicTacToe(h, v, k)
        states = [state for state, _ in random_games((h, v, k)) if len(state.board) > 3]
        for state in chance.sample(states, 4):
            free = [square for square in squares_of(h, v) if square not in state.board]
            # As in the notebook, where a win leaves the rest.
            expect_drawn(game, state._replace(moves=free), printed)
