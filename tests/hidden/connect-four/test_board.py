"""Hidden checks of the cells about the board: segments, both estimates, and the size of a tree."""

import random
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import pytest

from adversarial.checks.connect_four import (
    SCORES,
    USUAL,
    by_segments,
    direction_of,
    drop,
    drop_tree,
    frozen_segments,
    own_scores,
    picture,
    random_state,
    segments,
    top_count,
    touches_an_edge,
)
from adversarial.checks.trees import ask_each, call_and_look, is_number
from adversarial.games.recorded import Trace
from games import ConnectFour, Fig52Game, Game, GameState, NestedTree, State, TreeGame, infinity


def own_counts(tree_size: Any) -> tuple[int, int, int]:
    """Return what the student counts for a state with moves, a final one, and a call as a whole.

    They follow from four answers. So a mistake in one of them costs its points once; where no
    such numbers explain the answers, the right ones are returned.
    """
    figure, tree = Trace(Fig52Game(), "B", "B1"), Trace(SEVEN)
    sizes = [tree_size(figure, state) for state in ("B1", "B", "A")] + [tree_size(tree, ())]
    if all(type(size) is int for size in sizes):
        first, second = sizes[1] - sizes[0], sizes[3] - sizes[1]
        moving, ending = (2 * second - first) // 3, (2 * first - second) // 3
        counts = moving, ending, sizes[0] - ending
        own_sizes = [own_size(counts, *states) for states in ((0, 1), (1, 3), (4, 9), (3, 4))]
        if own_sizes == sizes and min(moving, ending) >= 0 < max(moving, ending):
            return counts
    return 1, 1, 0


def own_size(counts: tuple[int, int, int], some: int, final: int) -> int:
    """Return the size, by these counts, of a tree of `some` states with moves and `final` ones."""
    return counts[0] * some + counts[1] * final + counts[2]


def expect_sizes(student: Any, questions: list[tuple[Game, State]], fast_game: Any = None) -> None:
    """Expect the number of states in trees, by what is counted in smaller ones."""
    counts = own_counts(student.tree_size)
    for game, state in questions:
        states = [state, *Trace(game).minimax_generates(state)]
        final = sum(map(game.terminal_test, states))
        answer = student.tree_size(fast_game or Trace(game, state), state)
        assert answer == own_size(counts, len(states) - final, final), (
            f"In a tree of {len(states)} states the size is another one."
        )


def expect_numbers(answers: list[Any], where: str) -> None:
    """Expect numbers and nothing else."""
    assert all(map(is_number, answers)), f"{where} must return a number."


def expect_sums(evaluate: Any, states: list[GameState], player: str) -> None:
    """Expect that it adds up its own scores of all segments."""
    scores = own_scores(evaluate, player)
    values = ask_each(evaluate, [(state, player) for state in states])
    expect_numbers(values, "`evaluate`")
    wrong = sum(
        value != by_segments(state, player, scores)
        for value, state in zip(values, states, strict=True)
    )
    assert not wrong, f"In {wrong} of {len(states)} boards the sum for {player} is another one."


def expect_score(evaluate: Any, chance: random.Random, number: int) -> None:
    """Expect the right score, above or below 0, where most segments hold so many pieces of X."""
    scores, states = own_scores(evaluate, "X"), []
    scores["X"][number] = SCORES[number] * (-1 if scores["X"][number] < 0 else 1)
    for segment in sorted(map(sorted, USUAL)):
        value = number
        while value == number:  # as for who counts pieces
            board = {square[::-1]: "X" for square in chance.sample(segment, number)}
            value = by_segments(state := GameState("X", 0, board, []), "X")
        states.append(state)
    values = ask_each(evaluate, [(state, "X") for state in states])
    pairs = zip(values, states, strict=True)
    right = sum(value == by_segments(state, "X", scores) for value, state in pairs)
    assert right >= 20, f"Only in {right} of 69 segments {number} pieces score {SCORES[number]:,}."


def expect_direction(generate_segments: Any, step: tuple[int, int], count: int) -> None:
    """Expect all segments of length 4 on the usual board that run in one direction."""
    lines = set(frozen_segments(generate_segments(7, 6, 4)))
    number = sum(direction_of(line) == step for line in lines & USUAL)
    assert number == count, f"{number} of these segments are there; there are {count}."


@pytest.mark.check(cell="generate_segments", points=1)
def test_across(student):
    """On the usual board the 24 segments of length 4 that run across are there
    Needed for wrong/segments_short_of_the_right_edge and wrong/segments_row_first."""
    expect_direction(student.generate_segments, (1, 0), 24)


@pytest.mark.check(cell="generate_segments", points=1)
def test_upwards(student):
    """On the usual board the 21 segments of length 4 that run upwards are there
    Needed for wrong/segments_across_only and wrong/segments_miss_the_edge."""
    expect_direction(student.generate_segments, (0, 1), 21)


@pytest.mark.check(cell="generate_segments", points=1)
def test_rising(student):
    """On the usual board the 12 segments of length 4 that rise to the right are there
    Needed for wrong/segments_miss_the_edge and wrong/segments_one_square_too_long."""
    expect_direction(student.generate_segments, (1, 1), 12)


@pytest.mark.check(cell="generate_segments", points=1)
def test_falling(student):
    """On the usual board the 12 segments of length 4 that fall to the right are there
    Needed for wrong/segments_one_diagonal and wrong/segments_above_the_first_row."""
    expect_direction(student.generate_segments, (1, -1), 12)


def with_own_mistake(generate_segments: Any) -> Callable[[int, int, int], list[Any]]:
    """Return what lists its segments, put right where all have the same mistake on the usual board.

    They may be one square too long, or too short, or name the row first: that has cost its points
    once.
    """
    usual = frozen_segments(generate_segments(7, 6, 4))
    lengths = {len(line) - 4 for line in usual}
    more = lengths.pop() if lengths in ({1}, {-1}) else 0
    row_first = {turned(line) for line in usual} == USUAL != set(usual)

    def own_segments(columns: int, rows: int, length: int) -> list[Any]:
        lines = frozen_segments(generate_segments(columns, rows, length - more))
        return [turned(line) for line in lines] if row_first else lines

    return own_segments


def turned(line: Iterable[Any]) -> frozenset[Any]:
    """Return a segment whose squares have columns for rows."""
    return frozenset(square[::-1] for square in line)


@pytest.mark.check(cell="generate_segments", points=3)
def test_other_boards(student):
    """On 44 boards of other sizes, with lengths 2 to 7, the segments are there as on the usual one

    Where some are wrong on the usual board, those at the edge and one direction are not asked.
    Needed for wrong/segments_of_four."""
    own_segments = with_own_mistake(student.generate_segments)
    usual, sizes = own_segments(7, 6, 4), product(range(2, 9), repeat=2)
    boards = [(*size, 2 + n % 4) for n, size in enumerate(sizes) if size[0] != size[1]]
    whole = set(usual) == USUAL and len(usual) == len(USUAL)
    for columns, rows, length in [*boards, (9, 11, 7), (11, 9, 6)]:
        lines = own_segments(columns, rows, length)
        right = segments(columns, rows, length)
        if not whole:
            right = {line for line in right if not touches_an_edge(line, columns, rows)}
        missing = right - set(lines)
        ways, more = {direction_of(line) for line in missing}, len(lines) - len(right)
        assert len(ways) < 2 and not (whole and (missing or more)), (
            f"On {columns} columns and {rows} rows {len(missing)} segments of length {length} are "
            f"missing, and there are {max(more, 0)} more than there should be."
        )


@pytest.mark.check(cell="generate_segments", points=3)
def test_nothing_else(student):
    """On 13 boards, most of them square, each segment is a line on the board and there once
    Needed for wrong/segments_both_ways and wrong/segments_through_the_floor."""
    own_segments = with_own_mistake(student.generate_segments)
    square = (3, 2), (3, 4), (4, 3), (4, 4), (5, 2), (5, 4), (5, 5), (6, 4), (7, 3), (8, 4)
    boards = [(n, n, length) for n, length in square]
    for columns, rows, length in [*boards, (7, 6, 4), (4, 7, 3), (7, 4, 3)]:
        lines = own_segments(columns, rows, length)
        where = f"on {columns} columns and {rows} rows, length {length}"
        strange = len(set(lines) - segments(columns, rows, length))
        assert not strange, f"{strange} segments are no lines of neighbours {where}."
        assert len(lines) == len(set(lines)), f"A segment is there twice {where}."
        ways = {direction_of(line) for line in lines}
        assert len(ways) > 2 or length > min(columns, rows) - 2, (
            f"There are hardly any segments {where}."
        )


@pytest.mark.check(cell="evaluate", points=1)
def test_one_or_none(evaluate):
    """The empty board and one piece on any of the 42 squares are worth 0
    Needed for wrong/evaluate_one_piece_counts and wrong/evaluate_counts_pieces."""
    boards = [{}, *({(row, column): "X"} for row in range(6) for column in range(7))]
    values = ask_each(evaluate, [(GameState("O", 0, board, []), "X") for board in boards])
    assert all(value == 0 for value in values), (
        "A board with one piece or none has another value than 0."
    )


@pytest.mark.check(cell="evaluate", points=1)
def test_two(evaluate, chance):
    """Two pieces score 1 in most of the 69 segments, whatever other numbers score
    Needed for wrong/evaluate_powers_of_ten."""
    expect_score(evaluate, chance, 2)


@pytest.mark.check(cell="evaluate", points=1)
def test_three(evaluate, chance):
    """Three pieces score 100 in most of the 69 segments, and not 1 as well
    Needed for wrong/evaluate_scores_add_up."""
    expect_score(evaluate, chance, 3)


@pytest.mark.check(cell="evaluate", points=1)
def test_four(evaluate, chance):
    """Four pieces score 1,000,000 in most of the 69 segments, and no 100 as well
    Needed for wrong/evaluate_four_has_a_zero_less and wrong/evaluate_scores_add_up."""
    expect_score(evaluate, chance, 4)


@pytest.mark.check(cell="evaluate", points=2)
def test_both_players(evaluate, chance):
    """On 44 boards O's value is the negative of X's, and lines of one's own count above 0
    Needed for wrong/evaluate_always_for_x and wrong/evaluate_own_lines_only."""
    states = []
    for number in range(40):  # with X and O so far apart that no segment holds both
        board = dict[tuple[int, int], str]()
        for column in (0, 1, 5, 6):
            high = range(chance.randrange(1, 7))
            board |= {(row, column): "X" if column < 2 else "O" for row in high}
        states.append(GameState("XO"[number % 2], 0, board, [2, 3, 4]))
    states += [drop("X1 X1 X1"), drop("O7 O6 O5"), drop("X1 X2 X3 O7 O7"), drop("O1 O1 O1 X6 X7")]
    values = ask_each(evaluate, [(state, player) for state in states for player in "XO"])
    expect_numbers(values, "`evaluate`")
    pairs = list(zip(values[::2], values[1::2], strict=True))
    wrong = sum(x != -o for x, o in pairs)
    assert not wrong, f"In {wrong} of {len(states)} positions the two players' values do not fit."
    signs = [x > 0 for x, _ in pairs[-4:]]
    assert signs == [True, False, True, False], "Who has three in a line alone stands better."


@pytest.mark.check(cell="evaluate", points=2)
def test_blocked(evaluate, chance):
    """A segment that holds pieces of both players scores nothing, however full it is
    Needed for wrong/evaluate_blocked_lines_count."""
    states = []
    for segment in sorted(map(sorted, USUAL)):
        begin, end = chance.choice([(0, 2), (2, 4), (0, 3), (1, 4), (0, 4)])  # without a gap
        first, *rest = chance.sample(segment[begin:end], end - begin)
        piece, other = chance.sample("XO", 2)
        board = {(row, column): piece for column, row in rest} | {first[::-1]: other}
        states.append(GameState("X", 0, board, []))
    expect_sums(evaluate, states, "X")


@pytest.mark.check(cell="evaluate", points=2)
def test_positions(evaluate, chance):
    """In 80 positions from games it adds up its scores of all segments, whoever is to move
    Needed for wrong/evaluate_no_gaps and wrong/evaluate_row_first."""
    states = [random_state(chance, moves) for moves in range(2, 42) for _ in range(2)]
    for player in "XO":
        expect_sums(evaluate, states, player)
    for state in states[::16]:
        _, after_it = call_and_look(evaluate, state, "X")
        assert after_it[0] == state, "`evaluate` has changed the state that it was given."


BY_EYE = [  # boards drawn by hand, and their values
    ("X3 X2 X3 O3 O1", -1),
    ("O4 X4 X4 O4 X4 O4 X1 X2 X3 X5 X6 X7", 5),
    ("O1 O2 X2 O3 O3 X3 X6", 2),
    ("O7 O7 O7 X7", 1),
    ("O1 X1 O2 X2 X3", 3),
]


@pytest.mark.check(cell="top_pieces", points=2)
def test_boards(student):
    """On five boards drawn by hand the number is right, whichever player it is counted for
    Needed for wrong/top_all_pieces and wrong/top_is_row_zero."""
    for pieces, value in BY_EYE:
        state = drop(pieces)
        number, after_it = call_and_look(student.top_pieces, state)
        assert after_it[0] == state, "`top_pieces` has changed the state that it was given."
        expect_numbers([number], "`top_pieces`")
        assert abs(number) == abs(value), "On a board `top_pieces` finds another number."


@pytest.mark.check(cell="top_pieces", points=2)
def test_seen_by_x(student):
    """On the same boards it is above 0 where X has more on top, whoever is to move
    Needed for wrong/top_for_the_side_to_move and wrong/top_o_minus_x."""
    swaps = [(pieces.translate(str.maketrans("XO", "OX")), -value) for pieces, value in BY_EYE]
    for to_move, (pieces, value) in product("XO", BY_EYE + swaps):
        number = student.top_pieces(drop(pieces, to_move))
        expect_numbers([number], "`top_pieces`")
        assert number * value > 0, f"With {to_move} to move the number has another sign."


@pytest.mark.check(cell="top_pieces", points=2)
def test_boards_of_other_sizes(student, chance):
    """On 66 boards of 4 to 12 columns they are counted, in whatever order pieces are stored
    Needed for wrong/top_stored_last and wrong/top_seven_columns."""
    # Where more than four must be in line there are many pieces, so that four are.
    # On six boards all columns are full, and nobody has won.
    states = [full_board(chance, *size) for size in ((4, 4, 5), (4, 4, 4), (9, 4, 5)) * 2]
    sizes = ((4, 4, 4), 1), ((6, 7, 4), 1), ((8, 9, 5), 3), ((4, 12, 5), 1), ((9, 5, 6), 2)
    for number in range(60):
        size, times = sizes[number % 5]
        states.append(random_state(chance, times * (3 + number // 6), *size, over=False))
    for number, state in enumerate(states):
        pieces = chance.sample(sorted(state.board.items()), len(state.board))
        states[number] = state._replace(board=dict(pieces))
    values = ask_each(student.top_pieces, [(state,) for state in states])
    pairs = zip(values, states, strict=True)
    wrong = sum(value not in (n := top_count(state, "X"), -n) for value, state in pairs)
    assert not wrong, f"In {wrong} of {len(states)} boards the number is another one."


@pytest.mark.check(cell="top_pieces", points=2)
def test_won_boards(student, chance):
    """A board that X has won is worth infinity, one that O has won -infinity
    Needed for wrong/top_any_win_is_good and wrong/top_win_is_no_matter."""
    states = []
    for size in [(6, 7, 4), (4, 5, 3), (5, 6, 3), (8, 8, 5)]:
        for winner in (1, -1) * 3:
            state = random_state(chance, 99, *size)
            while state.utility != winner:
                state = random_state(chance, 99, *size)
            states.append(state)
    values = ask_each(student.top_pieces, [(state,) for state in states])
    wrong = sum(
        value != state.utility * infinity for value, state in zip(values, states, strict=True)
    )
    assert not wrong, f"{wrong} of {len(states)} boards that are won have another value."


def full_board(chance: random.Random, rows: int, columns: int, k: int) -> GameState:
    """Return a full board on which nobody has won, and on which the highest row counts."""
    while True:
        state = random_state(chance, rows * columns, rows, columns, k)
        lower = {square: piece for square, piece in state.board.items() if square[0] < rows - 1}
        counts = [top_count(one, "X") for one in (state, state._replace(board=lower))]
        if not state.utility and counts[0] and abs(counts[0]) != abs(counts[1]):
            return state


SEVEN = NestedTree([[1, 2, 3], [4]])  # the number of its states
HALF_DONE = "OOO...O / XXX..XX / OOO..OO / XXX..XX / OOO..OO / XXX..XX"


@pytest.mark.check(cell="tree_size", points=3)
def test_every_kind_of_state(student):
    """In figure 5.2, and a smaller tree, the root, inner and final states count 1 each, once
    Needed for wrong/tree_leaves_only and wrong/tree_without_the_root."""
    figure = Trace(Fig52Game(), *"ABCD", "B1", "D3")
    assert student.tree_size(Trace(SEVEN), ()) == 7, (
        "In a tree of seven states the size is another one."
    )
    for state, size in [("A", 13), ("B", 4), ("D", 4), ("B1", 1), ("D3", 1)]:
        assert student.tree_size(figure, state) == size, "In figure 5.2 the size is another one."


@pytest.mark.check(cell="tree_size", points=3)
def test_trees(student):
    """In full trees and in one that is not it counts what it counts in figure 5.2, to the end
    Needed for wrong/tree_remembers_states and crash/tree_looks_into_the_state."""
    trees: list[Game] = [
        TreeGame([0] * branching**plies, branching)
        for branching, plies in [(2, 3), (3, 2), (4, 3), (2, 5)]
    ]
    state = ConnectFour().result(picture(HALF_DONE), 5)
    expect_sizes(student, [(game, game.initial) for game in [*trees, drop_tree(state).game]])


@pytest.mark.check(cell="tree_size", points=4)
def test_half_done_board(student, chance, fast_connect_four):
    """On small boards, and on one that is more than half full, it counts to the end
    Needed for wrong/tree_of_different_boards and loop/tree_state_stays."""
    games = [ConnectFour(*size) for size in [(2, 2, 2), (2, 3, 2), (3, 2, 3)]]
    questions = [(game, game.initial) for game in games]
    for size in (4, 3, 3), (3, 4, 3):
        state = random_state(chance, size[0] * size[1] - 6, *size, over=False)
        questions.append((ConnectFour(*size), state))
    expect_sizes(student, questions)
    rules, state = ConnectFour(), picture(HALF_DONE)
    states = [state, *(rules.result(state, move) for move in state.moves)]
    for lazy in False, True:
        game = fast_connect_four(lazy=lazy)
        expect_sizes(student, [(rules, state) for state in states[not lazy :]], game)
