"""Hidden checks of the cells about the board: segments, both estimates, and the size of a tree."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from adversarial.checks.connect_four import (
    USUAL,
    by_segments,
    drop,
    drop_tree,
    listed,
    picture,
    played,
    segments,
    top_count,
)
from adversarial.checks.trees import ask_each, call_and_look
from adversarial.games.recorded import Trace
from games import ConnectFour, Fig52Game, Game, GameState, State, TreeGame, infinity


def expect_sums(evaluate: Any, states: list[GameState]) -> None:
    """Expect the right estimates for X."""
    sums = ask_each(evaluate, [(state, "X") for state in states])
    wrong = sum(value != by_segments(state, "X") for value, state in zip(sums, states, strict=True))
    assert not wrong, f"In {wrong} of {len(states)} boards the sum of the scores is another one."


def size_of(game: Game, state: State) -> int:
    """Return the number of states of a tree."""
    return 1 + len(Trace(game).minimax_generates(state))


@pytest.mark.check(
    cell="generate_segments",
    points=3,
    hint="From each square go right, up, and along both diagonals; does the last square exist?",
)
def test_usual_board(student):
    """On the usual board there are 69 segments: 24 across, 21 upwards, 12 + 12 diagonal"""
    found = listed(student.generate_segments(7, 6, 4))
    across = sum(len({row for _, row in segment}) == 1 for segment in found)
    upwards = sum(len({column for column, _ in segment}) == 1 for segment in found)
    assert across == 24, f"{across} segments run across; there are 24."
    assert upwards == 21, f"{upwards} segments run upwards; there are 21."
    assert len(found) == 69, (
        f"There are {len(found)} segments, with the diagonal ones; expected 69."
    )
    assert set(found) == USUAL, "Some segments are not lines of neighbours on the board."


@pytest.mark.check(
    cell="generate_segments",
    points=5,
    hint="Use columns, rows and length, never 7, 6 or 4. The column comes first in a square.",
)
def test_other_boards(student):
    """On 42 boards of other sizes, with lengths from 2 to 7, each segment is there once"""
    sizes = [(columns, rows) for columns in range(2, 8) for rows in range(2, 8) if columns != rows]
    boards = [(*size, 2 + n % 4) for n, size in enumerate(sizes)]
    boards += [(*size, 2 + (n + 3) % 4) for n, size in enumerate(sizes[:10])]
    for columns, rows, length in [*boards, (9, 8, 6), (8, 10, 7)]:
        found = listed(student.generate_segments(columns, rows, length))
        where = f"on {columns} columns and {rows} rows, length {length}"
        wanted = segments(columns, rows, length)
        assert set(found) == wanted, (
            f"{len(wanted - set(found))} segments are missing and {len(set(found) - wanted)} are "
            f"none, {where}."
        )
        assert len(found) == len(wanted), f"A segment is there twice, {where}."


@pytest.mark.check(
    cell="generate_segments",
    points=2,
    hint="A segment that leaves the board, on any side, is none.",
)
def test_no_room(student):
    """Where a line does not fit there are no segments in that direction"""
    for columns, rows, length, expected in [(5, 2, 3, 6), (2, 5, 4, 4), (3, 3, 4, 0), (6, 1, 5, 2)]:
        found = listed(student.generate_segments(columns, rows, length))
        assert set(found) == segments(columns, rows, length) and len(found) == expected, (
            f"On {columns} columns and {rows} rows there are {expected} segments of length "
            f"{length}, not {len(found)}."
        )


@pytest.mark.check(
    cell="evaluate",
    points=3,
    hint="The board's keys are (row, column), and the segments' squares (column, row).",
)
def test_lines(evaluate, chance):
    """In each of the 69 segments, two, three and four pieces count, for X and for O"""
    states = []
    for segment in sorted(map(sorted, USUAL)):
        for number, piece in zip((1, 2, 3, 4), "XOXO", strict=True):
            pieces = chance.sample(segment, number)
            board = {(row, column): piece for column, row in pieces}
            states.append(GameState("X", 0, board, []))
    expect_sums(evaluate, states)


@pytest.mark.check(
    cell="evaluate",
    points=2,
    hint="As soon as both players have a piece in a segment, nobody can complete it: 0.",
)
def test_blocked(evaluate, chance):
    """A segment that holds pieces of both players counts nothing, however full it is"""
    states = []
    for segment in sorted(map(sorted, USUAL)):
        first, *rest = chance.sample(segment, chance.choice((2, 3, 4)))
        board = {(row, column): "X" for column, row in rest}
        board[first[1], first[0]] = "O"
        states.append(GameState("O", 0, board, []))
    expect_sums(evaluate, states)


@pytest.mark.check(
    cell="evaluate",
    points=5,
    hint="Add up all segments; what is good for one player is as bad for the other.",
)
def test_positions(evaluate, chance):
    """In 80 positions from games the sum is right, for both players, whoever is to move"""
    states = [played(chance, moves) for moves in range(2, 42) for _ in range(2)]
    for player in "XO":
        found = ask_each(evaluate, [(state, player) for state in states])
        for value, state in zip(found, states, strict=True):
            assert type(value) in (int, float, Fraction), "`evaluate` must return a number."
            assert value == by_segments(state, player), (
                f"In a position after {len(state.board)} moves `evaluate` for {player} is wrong."
            )
    for state in states[::16]:
        _, after_it = call_and_look(evaluate, state, "X")
        assert after_it[0] == state, "`evaluate` has changed the state that it was given."


@pytest.mark.check(
    cell="top_pieces",
    points=3,
    hint="One piece for each column that is not empty: the one in its highest row.",
)
def test_boards(student):
    """On five boards drawn by hand the value is right, whoever is to move"""
    for pieces, value in [
        ("X3 X2 X3 O3 O1", -1),
        ("O4 X4 X4 O4 X4 O4 X1 X2 X3 X5 X6 X7", 5),
        ("X4 X5 X6 X7 O4 O5 O6 X7 O1 O2 O3", infinity),
        ("O1 O2 X2 O3 O3 X3 X6", 2),
        ("O7 O7 O7 X7", 1),
    ]:
        swapped = pieces.translate(str.maketrans("XO", "OX"))
        for to_move, (board, worth) in product("XO", [(pieces, value), (swapped, -value)]):
            state = drop(board, to_move)
            found, after_it = call_and_look(student.top_pieces, state)
            assert after_it[0] == state, "`top_pieces` has changed the state that it was given."
            assert type(found) in (int, float, Fraction), "`top_pieces` must return a number."
            assert found == worth, "On a board the value of `top_pieces` is another one."


@pytest.mark.check(
    cell="top_pieces",
    points=3,
    hint="Take the columns from the board, not the numbers 0 to 6; dictionaries are not sorted.",
)
def test_boards_of_other_sizes(student, chance):
    """On 66 boards from 4x4 to 9x5 the columns are counted, in whatever order pieces are stored"""
    # Where more than four must be in line there are many pieces, so that four are.
    # On six boards all columns are full, and nobody has won.
    states = [drawn(chance, *size) for size in ((4, 4, 5), (4, 4, 4), (5, 4, 4)) * 2]
    sizes = ((4, 4, 4), 1), ((6, 7, 4), 1), ((8, 9, 5), 3), ((5, 6, 5), 1), ((9, 5, 6), 2)
    for number in range(60):
        size, times = sizes[number % 5]
        states.append(played(chance, times * (3 + number // 6), *size, over=False))
    for number, state in enumerate(states):
        pieces = chance.sample(sorted(state.board.items()), len(state.board))
        states[number] = state._replace(board=dict(pieces))
    found = ask_each(student.top_pieces, [(state,) for state in states])
    wrong = sum(value != top_count(state, "X") for value, state in zip(found, states, strict=True))
    assert not wrong, f"In {wrong} of {len(states)} boards the number is another one."


@pytest.mark.check(
    cell="top_pieces",
    points=2,
    hint="`state.utility` tells who has won, whatever the length of the winning line is.",
)
def test_won_boards(student, chance):
    """A board that X has won is worth infinity, one that O has won -infinity"""
    states = []
    for size in [(6, 7, 4), (4, 5, 3), (5, 6, 3), (8, 8, 5)]:
        for winner in (1, -1) * 3:
            state = played(chance, 99, *size)
            while state.utility != winner:
                state = played(chance, 99, *size)
            states.append(state)
    found = ask_each(student.top_pieces, [(state,) for state in states])
    wrong = sum(
        value != state.utility * infinity for value, state in zip(found, states, strict=True)
    )
    assert not wrong, f"{wrong} of {len(states)} boards that are won have another value."


def drawn(chance: random.Random, rows: int, columns: int, k: int) -> GameState:
    """Return a full board on which nobody has won, and in which one more column is X's or O's."""
    while True:
        state = played(chance, rows * columns, rows, columns, k)
        if not state.utility and top_count(state, "X"):
            return state


HALF_DONE = "OOO...O / XXX..XX / OOO..OO / XXX..XX / OOO..OO / XXX..XX"


@pytest.mark.check(
    cell="tree_size",
    points=4,
    hint="Each state counts itself and the trees below it; a game that is over has no children.",
)
def test_half_done_board(student, fast_connect_four):
    """On a board that is more than half full the size is right, before and after a move"""
    rules, state = ConnectFour(), picture(HALF_DONE)
    for lazy in False, True:
        game = fast_connect_four(lazy=lazy)
        assert student.tree_size(game, state) == 3034, "The size of the tree is another one."
        for move in state.moves:
            following = rules.result(state, move)
            answer = student.tree_size(game, following)
            assert answer == size_of(rules, following), "After a move the size is another one."


@pytest.mark.check(
    cell="tree_size",
    points=3,
    hint="Ask the game for moves and children: its states may be strings, or tuples.",
)
def test_trees(student):
    """In the textbook's tree, in full trees and in one that is not every state counts once"""
    figure = Trace(Fig52Game(), *"ABCD", "B1", "D3")
    for state, size in [("A", 13), ("B", 4), ("D", 4), ("B1", 1), ("D3", 1)]:
        assert student.tree_size(figure, state) == size, "In figure 5.2 the size is another one."
    for branching, plies in [(2, 3), (3, 2), (4, 3), (2, 6)]:
        tree = TreeGame([0] * branching**plies, branching)
        size = sum(branching**depth for depth in range(plies + 1))
        answer = student.tree_size(Trace(tree), ())
        assert answer == size, f"A full tree with {size} states has the size {answer}."
    state = ConnectFour().result(picture(HALF_DONE), 5)
    tree = drop_tree(state)
    assert student.tree_size(tree, tree.initial) == size_of(ConnectFour(), state), (
        "In a tree in which some paths end early the size is another one."
    )


@pytest.mark.check(
    cell="tree_size",
    points=3,
    hint="A win ends the game before the board is full. Two paths to one position count twice.",
)
def test_small_boards(student, chance, fast_connect_four):
    """In Connect Four on 16 small boards, from the start or later, the size is right"""
    for rows, columns, k in [(2, 2, 2), (2, 3, 2), (3, 2, 3), (2, 3, 3)]:
        game = ConnectFour(rows, columns, k)
        answer = student.tree_size(Trace(game), game.initial)
        assert answer == size_of(game, game.initial), "On a small board the size is another one."
    for size in [(4, 3, 3), (3, 4, 3), (4, 4, 4), (5, 3, 3)] * 3:
        state = played(chance, size[0] * size[1] - 7, *size, over=False)
        answer = student.tree_size(fast_connect_four(*size), state)
        assert answer == size_of(ConnectFour(*size), state), (
            "Late in a game the size is another one."
        )
