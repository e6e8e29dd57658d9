"""The public checks of the assignment connect-four.

Run them in the notebook, `check("minimax")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.minimax` is what the notebook calls `minimax`. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from numbers import Integral, Real  # numpy's numbers and Fractions are some, too

from canvas import recorded
from canvas.first_wrong import SURE, by_depth, drawn_trees, full_tree
from canvas.recorded import DEEP, RecordedGame
from canvas.stepper import beyond_the_figure, first_wrong_number
from check import student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, GameState, TreeGame, after, infinity

NOT_COVERED = "all: other boards, estimates and depths decide the mark"

# --- helpers: what the checks below share ----------------------------------------------------


def drawn(board, rows=6, columns=7):
    """Draw a board, row 0 at the bottom, to be shown in a message."""
    lines = [
        "    " + " ".join(board.get((row, column), ".") for column in range(columns))
        for row in reversed(range(rows))
    ]
    return "\n".join([*lines, "    " + " ".join(map(str, range(columns)))])


def pieces(**columns):
    """Return a state with these pieces, from the bottom up: pieces(c0="XXO", c3="O")."""
    board = {
        (row, int(name[1:])): piece
        for name, column in columns.items()
        for row, piece in enumerate(column)
    }
    full = [column for column in range(7) if (5, column) in board]
    return GameState("X", 0, board, [column for column in range(7) if column not in full])


def assert_pair(answer, call):
    """Fail unless `answer` is a pair of a number and something else."""
    assert isinstance(answer, tuple | list) and len(answer) == 2, (
        f"{call} returned {answer!r}: return a pair (value, move)."
    )
    assert isinstance(answer[0], Real), (
        f"{call} returned {answer!r}: the value comes first, and it is a number."
    )


def assert_search(student, name, game, moves, depth, evaluate, value, best, why):
    """Fail unless a search finds `value` and a move in `best` in the state after `moves`."""
    state = after(game, moves)
    call = f"{name}(game, state, {depth}, ...)"
    answer = getattr(student, name)(game, state, depth, evaluate)
    assert state == after(game, moves), (
        f"After {call} the board of `state` is\n{drawn(state.board, game.rows, game.columns)}\n"
        f"and before it was\n{drawn(after(game, moves).board, game.rows, game.columns)}"
    )
    assert_pair(answer, call)
    shown = f"{drawn(state.board, game.rows, game.columns)}\nHere {state.to_move} is to move."
    assert answer[0] == value, f"{shown} {call} has the value {answer[0]}; expected {value}: {why}."
    assert answer[1] in best, (
        f"{shown} {call} chose {answer[1]!r}; expected {' or '.join(map(str, best))}: {why}."
    )


def middle(state, player):
    """Estimate a state of Connect Four: the pieces in column 3, seen by `player`."""
    column = [piece for (_, column), piece in state.board.items() if column == 3]
    return 2 * column.count(player) - len(column)


# Figure 5.2 with one ply more below it: with depth 2 a search stops at the nine states in which
# MAX is to move again, and `figure` is what they are worth.
WORTH = {(0, 0): 3, (0, 1): 12, (0, 2): 8, (1, 0): 2, (1, 1): 4, (1, 2): 6}
WORTH |= {(2, 0): 14, (2, 1): 5, (2, 2): 2}


def figure(state, player):
    """Return the number of figure 5.2 for a state at depth 2, seen by `player`."""
    assert state in WORTH, (
        f"The state {state} was estimated, but the search goes on there: only states two moves "
        "from the root are estimated."
    )
    return WORTH[state] if player == "MAX" else -WORTH[state]


def scattered(state, player):
    """Estimate a state of Connect Four by a number between -50 and 50 that looks like chance."""
    held = ((7 * row + column + 1, piece) for (row, column), piece in state.board.items())
    number = sum(place**3 * (1 if piece == "X" else 2) for place, piece in held) % 101 - 50
    return number if player == "X" else -number


class Tree(recorded.Tree):
    """A tree of nested lists: a number is an estimate, and a text says who has won: MAX, MIN, draw.

    A state is the path from the root, and MAX moves first. Below a number the game goes on.
    """

    def actions(self, state):
        """Offer the numbers of the children one after the other, by a generator."""
        node = self.at(state)
        if not isinstance(node, str):
            yield from range(len(node) if isinstance(node, list) else 2)

    def result(self, state, move):
        """Return the path that is one child longer, and write it down."""
        self.generated.append((*state, move))
        return self.generated[-1]

    def terminal_test(self, state):
        """Tell whether a path ends in a text."""
        return isinstance(self.at(state), str)

    def utility(self, state, player):
        """Return 1, 0 or -1."""
        return {player: 1, "draw": 0}.get(self.at(state), -1)

    def leftmost(self, state, player):
        """Estimate a state by the first number in it or below it, seen by a player."""
        assert not self.terminal_test(state), (
            f"In Tree({self.root}) the estimate was asked about {state}, where the game is over: "
            "its value is infinity, -infinity or 0."
        )
        number = super().leftmost(state)
        return number if player == "MAX" else -number


def going_on(node, plies):
    """Return a tree in which the game goes on for one ply more, unless it is won, lost or drawn."""
    if isinstance(node, list):
        return [going_on(child, plies - 1) for child in node]
    if abs(node) == SURE:
        return "MAX" if node > 0 else "MIN"
    return node if plies else [node, 9 - node] if node else "draw"


TREES = (  # a tree, where to search, how deep, the value, and the best moves
    (DEEP, (), 1, 82, [0]),
    (DEEP, (), 2, 61, [0]),
    (DEEP, (), 4, 50, [1]),
    (DEEP, (1,), 3, -50, [1]),
    (DEEP, (1, 0), 1, 77, [1]),
    (DEEP, (1, 0), 2, 51, [1]),
    ([[5, 9], [5, 1]], (), 2, 5, [0]),
    ([[[1, 5], [5, 9]], 0], (0,), 2, -5, [0]),
    ([[2000, 1500], [1800.5, 1600.5]], (), 2, 1600.5, [1]),
    (["MIN", [3, "MAX"], "draw"], (), 2, 3, [1]),
    ([["MAX", 4], ["draw", 6]], (), 2, 4, [0]),
    ([[-3, "draw"], [-2, "draw"], ["MIN", 5]], (), 2, -2, [1]),
    ([["MIN", 7], "MIN"], (), 2, -infinity, [0, 1]),
    ([[n + 9, n] for n in range(6)], (), 2, 5, [5]),
    ([[3, 4], ["MAX", "MAX"]], (), 2, infinity, [1]),
    ([[[4, 9]], [[5, 1], 6]], (), 2, 5, [1]),
    ([[5, 9], [8, 2], [7]], (), 2, 7, [2]),
    ([[[[5, 1]], [[7], 8]]], (0,), 2, -5, [0]),
    ([[["MAX", 1], "draw"], [[2, 3], [9, "MIN"]]], (), 3, 3, [1]),
    ([[["MAX", 1], "draw"], [[2, 3], [9, "MIN"]]], (0,), 2, 0, [1]),
    *(
        (going_on(tree, plies), (), plies, infinity if value == SURE else value, best)
        for tree, plies, value, best in drawn_trees()
    ),
)

PRUNED = (  # a tree, where to search, how deep, and the leaves that matter from the left
    ([[5, 6], [3, 9], [4, 8]], (), 2, [5, 6, 3, 4]),
    ([[[5, 4], [7, 1], [6, 2]]], (0,), 2, [5, 4, 7, 6]),
    (DEEP, (), 4, [82, 30, 97, 49, 61, 94, 7, 77, 51, 50, 68, 34]),
    (DEEP, (1,), 3, [7, 32, 45, 77, 51, 50, 68, 34]),
    (DEEP, (0,), 3, [82, 30, 97, 49, 61, 94]),
    ([[0, 3], [-1, 5]], (), 2, [0, 3, -1]),
    ([[[-2, 0], [4, 9]], [[-7, -8], [1, 2]]], (), 3, [-2, 0, 4, -7, -8]),
    ([[5, 8], [2, 7], [3, 9]], (), 2, [5, 8, 2, 3]),
    ([[[5, 1], [8, 2], [7, 9]]], (), 3, [5, 1, 8, 7]),
)

# Leaves without which a search from the left may be right, too, in one of these trees.
SPARE = {32, 45, 61, 94}


# --- the board -------------------------------------------------------------------------------


def squares_of(segments, call):
    """Return the segments as sets of squares; fail unless they are lists of pairs."""
    assert isinstance(segments, list | tuple), f"{call} returned {segments!r}, which is no list."
    for segment in segments:
        pairs = [len(square) for square in segment if isinstance(square, tuple | list)]
        assert pairs == [2] * len(segment), (
            f"{call} has the segment {segment!r}: a segment is a list of pairs (column, row)."
        )
    return [frozenset(map(tuple, segment)) for segment in segments]


class Test_generate_segments:
    """All places for a line."""

    def test_usual_board(self, student):
        """The usual board has 69 segments: 24 across, 21 upwards, 12 + 12 diagonal"""
        found = squares_of(student.generate_segments(7, 6, 4), "generate_segments(7, 6, 4)")
        heights = [len({row for _, row in segment}) for segment in found]
        widths = [len({column for column, _ in segment}) for segment in found]
        across, upwards = heights.count(1), widths.count(1)
        diagonal = len(found) - across - upwards
        assert (across, upwards, diagonal) == (24, 21, 24), (
            f"{across} segments run across, {upwards} upwards and {diagonal} along the diagonals; "
            "expected 24, 21 and 12 + 12."
        )
        assert len(set(found)) == 69, "A segment is in the list twice."

    def test_small_board(self, student):
        """A board with 3 columns and 2 rows has 11 segments of length 2, listed as (column, row)"""
        found = squares_of(student.generate_segments(3, 2, 2), "generate_segments(3, 2, 2)")
        across = [{(0, 0), (1, 0)}, {(1, 0), (2, 0)}, {(0, 1), (1, 1)}, {(1, 1), (2, 1)}]
        upwards = [{(0, 0), (0, 1)}, {(1, 0), (1, 1)}, {(2, 0), (2, 1)}]
        rising = [{(0, 0), (1, 1)}, {(1, 0), (2, 1)}]
        falling = [{(0, 1), (1, 0)}, {(1, 1), (2, 0)}]
        for segment in map(frozenset, across + upwards + rising + falling):
            assert segment in found, f"The segment {sorted(segment)} is missing."
        assert len(found) == 11, f"{len(found)} segments; expected 11."

    def test_other_boards(self, student):
        """On boards of all shapes it lists as many segments as fit, and all lie on the board"""
        for columns, rows, length, expected in (
            (4, 5, 3, 34),
            (5, 3, 4, 6),
            (2, 6, 5, 4),
            (8, 9, 3, 194),
            (4, 4, 4, 10),
            (4, 4, 5, 0),
        ):
            call = f"generate_segments({columns}, {rows}, {length})"
            found = squares_of(student.generate_segments(columns, rows, length), call)
            assert len(set(found)) == expected, (
                f"{call} has {len(set(found))} different segments; expected {expected}."
            )
            for segment in found:
                on_board = all(0 <= c < columns and 0 <= r < rows for c, r in segment)
                assert len(segment) == length and on_board, (
                    f"{call} has the segment {sorted(segment)}: expected {length} squares on a "
                    f"board with {columns} columns and {rows} rows."
                )


class Test_evaluate:
    """The estimate by segments."""

    def test_pieces_alone(self, student):
        """Two, three and four pieces in a line count 1, 100 and 1,000,000"""
        for state, value, why in (
            (pieces(), 0, "the board is empty"),
            (pieces(c3="X"), 0, "one piece in a segment is worth nothing"),
            (pieces(c0="XX"), 1, "one segment holds two X"),
            (pieces(c2="X", c3="X"), 3, "three segments hold two X"),
            (pieces(c0="XXX"), 101, "one segment holds three X, another one two"),
            (
                pieces(c0="X", c1="X", c2="X", c3="X")._replace(utility=1),
                1_000_101,
                "four, three and two X, and that X has won makes no difference",
            ),
            (pieces(c6="XXX"), 101, "one segment holds three X, another one two"),
            (pieces(c2="XXXXXX"), 3_000_000, "three segments hold four X"),
            (pieces(c0="X", c1="X", c3="X"), 101, "the gap can still be filled"),
        ):
            for player, expected in ("X", value), ("O", -value):
                found = student.evaluate(state, player)
                assert found == expected, (
                    f"{drawn(state.board)}\nevaluate(state, {player!r}) returned {found}; "
                    f"expected {expected}: {why}."
                )

    def test_both_players(self, student):
        """A segment that holds pieces of both is worth nothing"""
        state = pieces(c0="XXO", c1="X", c2="O")
        found = student.evaluate(state, "X")
        assert found == 0, (
            f"{drawn(state.board)}\nevaluate(state, 'X') returned {found}; expected 0."
        )

    def test_together(self, student):
        """It adds up what both players have, whoever is to move, and changes nothing"""
        for state, expected in (
            (pieces(c0="XX", c6="OOO"), -100),
            (pieces(c0="OOXX", c1="OXX", c2="XO"), 2),
            (pieces(c0="X", c2="X", c3="X", c6="O"), 102),
            (pieces(c3="X", c4="OX", c5="OOX", c6="OOOX"), 999_999),
            (pieces(c0="O", c1="O", c2="OX", c3="O"), -1_000_101),
        ):
            for turn in "X", "O":
                board = dict(state.board)
                found = student.evaluate(state._replace(to_move=turn, board=board), "X")
                assert found == expected, (
                    f"{drawn(state.board)}\n{turn} is to move. evaluate(state, 'X') returned "
                    f"{found}; expected {expected}."
                )
                assert board == state.board, f"evaluate changed this board:\n{drawn(board)}"


class Test_top_pieces:
    """The estimate by the topmost pieces."""

    def test_examples(self, student):
        """It counts the columns, not the pieces, and leaves out empty ones"""
        for state, expected in (
            (pieces(), 0),
            (pieces(c2="XXO", c0="O", c1="X"), -1),
            (pieces(c3="OXXOXO", c0="X", c1="X", c2="X", c4="X", c5="X", c6="X"), 5),
            (pieces(c6="OOX"), 1),
            (pieces(c0="XOXOXO", c6="XOXOOX", c3="O"), -1),
        ):
            found = student.top_pieces(state)
            assert found == expected, (
                f"{drawn(state.board)}\ntop_pieces(state) returned {found}; expected {expected}."
            )
            board = dict(reversed(state.board.items()))
            found = student.top_pieces(state._replace(board=board, to_move="O"))
            assert found == expected, (
                f"{drawn(board)}\nHere O is to move, and the keys of `board` come in another "
                f"order; top_pieces(state) returned {found}, and {expected} as before is right."
            )

    def test_other_boards(self, student):
        """It works on wide, high and full boards, on which four in a line do not win"""
        wide, high, full = (4, 9), (8, 3), (2, 3)
        for (rows, columns), moves, expected in (
            (wide, [8, 0, 8, 0, 8, 0, 8], 0),
            (wide, [8, 7, 8, 8], -2),
            (wide, [8, 0, 7], 1),
            (high, [1, 1, 1, 1, 1, 1, 1], 1),
            (full, [0, 1, 2, 0, 1, 2], -1),
        ):
            state = after(ConnectFour(rows, columns, k=5), moves)
            found = student.top_pieces(state)
            assert found == expected, (
                f"{drawn(state.board, rows, columns)}\ntop_pieces(state) returned {found}; "
                f"expected {expected}."
            )

    def test_won(self, student):
        """A game that X has won is worth infinity, one that O has won -infinity"""
        game = ConnectFour(rows=4, columns=5, k=3)
        for moves, expected in ([0, 1, 0, 1, 0], infinity), ([0, 1, 0, 1, 3, 1], -infinity):
            state = after(game, moves)
            found = student.top_pieces(state)
            assert found == expected, (
                f"{drawn(state.board, 4, 5)}\nThe game is won. top_pieces(state) returned {found}; "
                f"expected {expected}."
            )


class Test_tree_size:
    """The number of states in a tree."""

    def test_trees(self, student):
        """The tree of figure 5.2 has 13 states, and one with 27 leaves has 40"""
        for game, state, expected in (
            (Fig52Game(), "A", 13),
            (Fig52Game(), "C", 4),
            (Fig52Game(), "D2", 1),
            (TreeGame(range(27)), (), 40),
            (Tree([["draw", ["MIN", "MAX", "draw"]], "MAX"]), (), 8),
        ):
            found = student.tree_size(game, state)
            name = type(game).__name__
            assert found == expected, (
                f"In {name}, tree_size(game, {state!r}) returned {found}; expected {expected}."
            )

    def test_connect_four(self, student):
        """The tree of Connect Four with 2 rows, 2 columns and k=2 has 13 states"""
        game = ConnectFour(rows=2, columns=2, k=2)
        found = student.tree_size(game, game.initial)
        # X moves into one of two columns; O answers on top of it, and X wins in the other column;
        # or O answers in the other column, and X wins in either: 1 + 2 * (1 + 1 + 1 + 1 + 2).
        assert found == 13, f"tree_size(game, game.initial) returned {found}; expected 13."

    def test_wider(self, student):
        """With 2 rows, 3 columns and three in a line to win, the tree has 265 states"""
        game = ConnectFour(rows=2, columns=3, k=3)
        found = student.tree_size(game, game.initial)
        assert found == 265, (
            f"tree_size(game, game.initial) returned {found}; expected 265. A state that can be "
            "reached in two ways counts twice."
        )


# --- the searches ----------------------------------------------------------------------------


class Search:
    """What holds for both searches."""

    name = ""

    def test_figure_5_2(self, student):
        """On the numbers of figure 5.2 it finds the value 3 and the first move, and for MIN too"""
        search, game = getattr(student, self.name), RecordedGame(TreeGame([0] * 27))
        for state, depth, expected in (
            ((), 2, (3, 0)),
            ((0,), 1, (-3, 0)),
            ((1,), 1, (-2, 0)),
            ((2,), 1, (-2, 2)),
        ):
            call = f"{self.name}(game, {state}, {depth}, figure)"
            answer = search(game, state, depth, figure)
            assert_pair(answer, call)
            assert tuple(answer) == expected, (
                f"{call} returned {answer}; expected {expected}. In figure 5.2, "
                f"{game.to_move(state)} is to move there. The value is seen by that player."
                f"{first_wrong_number(by_depth(search))}"
            )

    def test_no_move(self, student):
        """With depth 0, and when the game is over, the move is None"""
        search, game = getattr(student, self.name), ConnectFour(rows=3, columns=3, k=3)
        won, quiet = after(game, [0, 1, 0, 1, 0]), after(ConnectFour(), [3])
        for rules, state, depth, expected in (
            (ConnectFour(), quiet, 0, (-1, None)),
            (game, won, 2, (-infinity, None)),
            (ConnectFour(1, 2, 2), after(ConnectFour(1, 2, 2), [0, 1]), 2, (0, None)),
        ):
            answer = search(rules, state, depth, middle)
            call = f"{self.name}(game, state, {depth}, middle)"
            assert_pair(answer, call)
            board = drawn(state.board, rules.rows, rules.columns)
            assert tuple(answer) == expected, (
                f"{board}\nHere it is {state.to_move}'s turn. {call} returned {answer}; "
                f"expected {expected}. (middle: X in column 3 minus O, seen by X; for O minus X.)"
            )

    def test_win_and_block(self, student):
        """It wins if it can, sees a win three plies ahead, and blocks"""
        for moves, depth, value, best, why in (
            ([0, 1, 0, 1, 0, 1], 2, infinity, [0], "X completes column 0"),
            ([0, 1, 0, 1, 0, 1, 6], 2, infinity, [1], "O completes column 1"),
            ([0, 1, 0, 2, 0], 2, 0, [0], "otherwise X completes column 0"),
            ([3, 3, 2, 2], 3, infinity, [1, 4], "X then has three with both ends free"),
        ):
            searching = student, self.name, ConnectFour()
            assert_search(*searching, moves, depth, lambda *_: 0, value, best, why)

    def test_all_moves_lose(self, student):
        """When every move loses it still returns a move"""
        searching = student, self.name, ConnectFour()
        moves, why = [3, 3, 2, 2, 4], "X has three in a row with both ends free"
        assert_search(*searching, moves, 2, middle, -infinity, range(7), why)

    def test_trees(self, student):
        """It finds the value and a best move in trees: deep, with ties, lost, over at any depth"""
        search = getattr(student, self.name)
        for tree, state, depth, value, best in TREES:
            game = Tree(tree)
            call = f"{self.name}(game, {state}, {depth}, game.leftmost)"
            answer = search(game, state, depth, game.leftmost)
            assert_pair(answer, call)
            assert answer[0] == value and answer[1] in best, (
                f"{game.place(state)} {game.to_move(state)} is to move and {call} returned "
                f"{answer}; expected ({value}, {' or '.join(map(str, best))}). (A text says who "
                "has won; leftmost estimates a state by the first number in it or below it.)"
                f"{beyond_the_figure(by_depth(search))}"
            )
            deepest = game.deepest(state)
            assert deepest <= depth, (
                f"{game.place(state)} {call} generated states {deepest} plies ahead."
            )

    def test_texts(self, student):
        """It works in a game whose states and moves are texts"""
        search, game = getattr(student, self.name), RecordedGame(Fig52Game())
        game.actions = lambda state: sorted(Fig52Game().actions(state), key=lambda m: m[-1] != "3")
        worth = {"B": 1, "C": 5, "D": 3}
        sign = {"MAX": 1, "MIN": -1}
        answer = search(game, "A", 1, lambda state, player: sign[player] * worth[state])
        assert_pair(answer, f"{self.name}(game, 'A', 1, ...)")
        assert tuple(answer) == (5, "a2"), (
            f"In figure 5.2, {self.name}(game, 'A', 1, ...) returned {answer} with an estimate "
            "that says B 1, C 5, D 3 to MAX; expected (5, 'a2'). (The game lists a3 before a1 and "
            "a2.)"
        )


class Test_minimax(Search):
    """Depth-limited minimax."""

    name = "minimax"

    def test_all_states(self, student):
        """It looks at every state down to its depth, and no deeper"""
        for depth, expected in (1, 3), (2, 12):
            game = RecordedGame(TreeGame(range(27)))
            student.minimax(game, (), depth, lambda state, player: 0)
            found = len(game.generated)
            assert found == expected, (
                f"With depth {depth} in a tree with three moves everywhere, minimax generated "
                f"{found} states; expected {expected}."
            )
        for state, depth, expected in ((), 4, 31), ((1,), 3, 15), ((), 2, 6):
            game = Tree(DEEP)
            student.minimax(game, state, depth, game.leftmost)
            found = len(game.generated)
            assert found == expected, (
                f"{game.place(state)} with depth {depth} minimax generated {found} states; "
                f"expected {expected}."
            )

    def test_states_twice(self, student):
        """It remembers no states: one that is reached in two ways is looked at twice"""
        game = RecordedGame(ConnectFour(rows=2, columns=3, k=3))
        student.minimax(game, game.initial, 6, middle)
        assert len(game.generated) == 264, (
            "From the empty board with 2 rows, 3 columns and three in a line to win, minimax "
            f"generated {len(game.generated)} states with depth 6; expected 264, one for each way "
            "to come to a state."
        )


class Test_alphabeta(Search):
    """Depth-limited alpha-beta."""

    name = "alphabeta"

    def test_pruning(self, student):
        """It prunes on the numbers of figure 5.2, for MAX and for MIN"""
        for state, sign, who in ((), 1, "MAX"), ((0,), -1, "MIN"):
            game = RecordedGame(TreeGame([0] * 81))

            def worth(leaf, player, sign=sign):
                return sign * figure(leaf[-2:], player)

            student.alphabeta(game, state, 2, worth)
            first, second = ((*state, number) for number in (0, 1))
            order = [leaf[:-1] for leaf in game.generated if len(leaf) == len(state) + 2]
            late = [leaf for leaf in game.generated if leaf[:-1] == second]
            if order[:1] == [first] and late[:1] == [(*second, 0)]:
                assert len(late) == 1, (
                    f"With {who} to move, all of {late} were generated below the second move. The "
                    "first of them, worth 2, is enough: the first move is worth 3."
                )

    def test_fewer_states(self, student):
        """In Connect Four, four plies ahead, it looks at fewer than 2,000 of 2,800 states"""
        game = RecordedGame(ConnectFour())
        state = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
        student.alphabeta(game, state, 4, scattered)
        found = len(game.generated) + 1
        assert found < 2000, (
            f"{drawn(state.board)}\nalphabeta looked at {found:,} states here. Prune in both "
            "branches, and pass alpha and beta down."
        )

    def test_prunes_deep_down(self, student):
        """In a tree of nine plies it prunes at every depth"""
        game = Tree(full_tree())
        answer = student.alphabeta(game, (), 9, game.leftmost)
        assert_pair(answer, "alphabeta(game, (), 9, game.leftmost)")
        assert tuple(answer) == (629, 0), (
            f"In Tree(canvas.first_wrong.full_tree()), nine plies ahead, alphabeta returned "
            f"{answer}, not (629, 0).{beyond_the_figure(by_depth(student.alphabeta))}"
        )
        found = len(game.generated)
        assert not game.from_the_left() or found <= 297, (
            f"In Tree(canvas.first_wrong.full_tree()), with nine plies, it generated {found} of "
            "1,022 states; alpha-beta needs 297 from the left. Prune at every depth."
        )

    def test_pruning_in_trees(self, student):
        """From the left, it generates the leaves that matter in a tree, and no others"""
        for tree, state, depth, leaves in PRUNED:
            game = Tree(tree)
            student.alphabeta(game, state, depth, game.leftmost)
            where = f"{game.place(state)} with depth {depth}"
            twice = game.twice()
            assert not twice, f"{where} it generated the state {twice[0]} more than once."
            found = [game.at(path) for path in game.generated if len(path) == len(state) + depth]
            late = [leaf for leaf in found if leaf not in leaves]
            assert not game.from_the_left() or not late, (
                f"{where} it looked at the leaves {found}. When it comes to {late}, alpha and beta "
                "have met already."
            )
            missing = sorted(set(leaves) - SPARE - set(found))
            assert not game.from_the_left() or not missing, (
                f"{where} it looked at the leaves {found} and skipped {missing}, on which the "
                "answer may depend."
            )


class Test_find_best_move:
    """The player."""

    def test_moves(self, student):
        """It wins, blocks, and makes a double threat"""
        for moves, depth, best, why in (
            ([0, 1, 0, 1, 0, 1], 2, [0], "X completes column 0"),
            ([0, 1, 0, 1, 0, 1, 6], 1, [1], "O completes column 1"),
            ([0, 1, 0, 2, 0], 2, [0], "otherwise X completes column 0"),
            ([3, 3, 2, 2], 3, [1, 4], "X then has three with both ends free"),
            ([3, 3, 2, 2, 4], 2, range(7), "all moves lose, and one has to be made"),
        ):
            state = after(ConnectFour(), moves)
            move = student.find_best_move(ConnectFour(), state, depth)
            assert move in best, (
                f"{drawn(state.board)}\nHere {state.to_move} is to move, and with depth {depth} "
                f"find_best_move chose {move!r}; expected {' or '.join(map(str, best))}: {why}."
            )

    def test_depth(self, student):
        """It looks as many plies ahead as it is told, on any board"""
        for depth in 1, 2, 3:
            game = RecordedGame(ConnectFour(rows=4, columns=5, k=3))
            state = after(game.wrapped, [0, 1])
            move = student.find_best_move(game, state, depth)
            board = drawn(state.board, 4, 5)
            assert move in range(5), f"{board}\nHere X plays {move!r}; the columns are 0 to 4."
            deepest = max((len(child.board) for child in game.generated), default=2) - 2
            assert deepest == depth, (
                f"{board}\nHere find_best_move(game, state, {depth}) looked {deepest} "
                f"{'ply' if deepest == 1 else 'plies'} ahead."
            )

    def test_estimate(self, student):
        """One ply ahead it goes where your `evaluate` says most"""
        for moves in [3, 0, 3, 0], [2, 5, 3, 4, 0], [6, 6, 5], [1, 5, 2, 4, 4]:
            game = ConnectFour()
            state = after(game, moves)
            values = {
                move: student.evaluate(game.result(state, move), state.to_move)
                for move in game.actions(state)
            }
            move = student.find_best_move(game, state, 1)
            best = [other for other in values if values[other] == max(values.values())]
            assert move in best, (
                f"{drawn(state.board)}\nHere {state.to_move} plays {move!r}. By your evaluate the "
                f"moves are worth {values}."
            )


class Test_nodes:
    """The table of counts."""

    def test_table(self, student):
        """`nodes` has a pair of counts for each of the depths 1 to 6"""
        nodes = student.nodes
        assert isinstance(nodes, dict) and sorted(nodes) == [1, 2, 3, 4, 5, 6], (
            f"`nodes` is {nodes!r}: expected a dict with the keys 1 to 6."
        )
        for depth, pair in nodes.items():
            assert len(pair) == 2 and all(isinstance(count, Integral) for count in pair), (
                f"nodes[{depth}] is {pair!r}: expected (minimax, alphabeta), two whole numbers."
            )

    def test_first_depths(self, student):
        """Depth 1 takes 8 states with both, and depth 2 takes 57 with minimax"""
        assert tuple(student.nodes[1]) == (8, 8), f"nodes[1] is {student.nodes[1]}."
        assert student.nodes[2][0] == 57, (
            f"nodes[2] is {student.nodes[2]}: minimax looks at the start, 7 states after X's "
            "moves, and 49 after O's."
        )

    def test_counted_again(self, student):
        """Counted again, with your two searches, the numbers for small depths are the same"""
        assert student.nodes, "`nodes` is empty."
        start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
        for depth, pair in student.nodes.items():
            for name, number in zip(("minimax", "alphabeta"), pair, strict=True):
                if depth > (3 if name == "minimax" else 5):
                    continue  # it would take long
                counts = set()
                for _ in range(2):
                    game = RecordedGame(ConnectFour())
                    getattr(student, name)(game, start, depth, student.top_count)
                    counts.add(1 + len(game.generated))
                assert len(counts) > 1 or number in counts, (  # who draws lots counts anew
                    f"nodes[{depth}] is {pair}, but {name} looks at {counts.pop():,} states from "
                    f"`start` with depth {depth}, the start included."
                )

    def test_savings(self, student):
        """At no depth does alphabeta look at more states than minimax"""
        assert student.nodes, "`nodes` is empty."
        for depth, (plain, pruned) in student.nodes.items():
            assert pruned <= plain, (
                f"nodes[{depth}] is {(plain, pruned)}: minimax comes first, and it prunes nothing."
            )
