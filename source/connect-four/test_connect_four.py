"""The public checks of the assignment connect-four.

Run them in the notebook, `check("minimax")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.minimax` is what the notebook calls `minimax`. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from check import student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, Game, GameState, TreeGame, after, infinity

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
    assert isinstance(answer[0], int | float), (
        f"{call} returned {answer!r}: the value comes first, and it is a number."
    )


def assert_search(search, game, moves, depth, evaluate, value, best, why):
    """Fail unless a search finds `value` and a move in `best` in the state after `moves`."""
    state = after(game, moves)
    call = f"{search.__name__}(game, state, {depth}, ...)"
    answer = search(game, state, depth, evaluate)
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
    return WORTH[state] if player == "MAX" else -WORTH[state]


def scattered(state, player):
    """Estimate a state of Connect Four by a number between -50 and 50 that looks like chance."""
    held = ((7 * row + column + 1, piece) for (row, column), piece in state.board.items())
    number = sum(place**3 * (1 if piece == "X" else 2) for place, piece in held) % 101 - 50
    return number if player == "X" else -number


class Recorder(Game):
    """Another game, whose `actions` are a generator, and a list of the states generated in it."""

    def __init__(self, game):
        """Start with an empty list."""
        self.wrapped = game
        self.initial = game.initial
        self.generated = []

    def actions(self, state):
        """Offer the moves one after the other."""
        yield from self.wrapped.actions(state)

    def result(self, state, move):
        """Pass the question on, and write down the answer."""
        self.generated.append(self.wrapped.result(state, move))
        return self.generated[-1]

    def utility(self, state, player):
        """Pass the question on."""
        return self.wrapped.utility(state, player)

    def terminal_test(self, state):
        """Pass the question on."""
        return self.wrapped.terminal_test(state)

    def to_move(self, state):
        """Pass the question on."""
        return self.wrapped.to_move(state)


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
        assert (across, upwards, len(found)) == (24, 21, 69), (
            f"{len(found)} segments, of which {across} run across and {upwards} upwards; "
            "expected 69, of which 24 run across and 21 upwards."
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
            (pieces(c0="X", c1="X", c2="X", c3="X"), 1_000_101, "four, three and two X"),
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


class Test_top_pieces:
    """The estimate by the topmost pieces."""

    def test_examples(self, student):
        """It counts the columns, not the pieces, and leaves out empty ones"""
        for state, expected in (
            (pieces(), 0),
            (pieces(c2="XXO", c0="O", c1="X"), -1),
            (pieces(c3="OXXOXO", c0="X", c1="X", c2="X", c4="X", c5="X", c6="X"), 5),
            (pieces(c6="OOX"), 1),
        ):
            found = student.top_pieces(state)
            assert found == expected, (
                f"{drawn(state.board)}\ntop_pieces(state) returned {found}; expected {expected}."
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


# --- the searches ----------------------------------------------------------------------------


class Search:
    """What holds for both searches."""

    name = ""

    def test_figure_5_2(self, student):
        """On the numbers of figure 5.2 it finds the value 3 and the first move, and for MIN too"""
        search, game = getattr(student, self.name), Recorder(TreeGame([0] * 27))
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
        search = getattr(student, self.name)
        for moves, depth, value, best, why in (
            ([0, 1, 0, 1, 0, 1], 2, infinity, [0], "X completes column 0"),
            ([0, 1, 0, 1, 0, 1, 6], 2, infinity, [1], "O completes column 1"),
            ([0, 1, 0, 2, 0], 2, 0, [0], "otherwise X completes column 0"),
            ([3, 3, 2, 2], 3, infinity, [1, 4], "X then has three with both ends free"),
        ):
            game = ConnectFour()
            assert_search(search, game, moves, depth, lambda *_: 0, value, best, why)

    def test_all_moves_lose(self, student):
        """When every move loses it still returns a move"""
        search = getattr(student, self.name)
        moves, why = [3, 3, 2, 2, 4], "X has three in a row with both ends free"
        assert_search(search, ConnectFour(), moves, 2, middle, -infinity, range(7), why)


class Test_minimax(Search):
    """Depth-limited minimax."""

    name = "minimax"

    def test_all_states(self, student):
        """It looks at every state down to its depth, and no deeper"""
        for depth, expected in (1, 3), (2, 12):
            game = Recorder(TreeGame(range(27)))
            student.minimax(game, (), depth, lambda state, player: 0)
            found = len(game.generated)
            assert found == expected, (
                f"With depth {depth} in a tree with three moves everywhere, minimax generated "
                f"{found} states; expected {expected}."
            )


class Test_alphabeta(Search):
    """Depth-limited alpha-beta."""

    name = "alphabeta"

    def test_pruning(self, student):
        """It prunes on the numbers of figure 5.2, for MAX and for MIN"""
        for state, sign, who in ((), 1, "MAX"), ((0,), -1, "MIN"):
            game = Recorder(TreeGame([0] * 81))

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
        game = Recorder(ConnectFour())
        state = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
        student.alphabeta(game, state, 4, scattered)
        found = len(game.generated) + 1
        assert found < 2000, (
            f"{drawn(state.board)}\nalphabeta looked at {found:,} states here. Prune in both "
            "branches, and pass alpha and beta down."
        )


class Test_find_best_move:
    """The player."""

    def test_moves(self, student):
        """It wins, blocks, and makes a double threat"""
        for moves, depth, best, why in (
            ([0, 1, 0, 1, 0, 1], 2, [0], "X completes column 0"),
            ([0, 1, 0, 2, 0], 2, [0], "otherwise X completes column 0"),
            ([3, 3, 2, 2], 3, [1, 4], "X then has three with both ends free"),
        ):
            state = after(ConnectFour(), moves)
            move = student.find_best_move(ConnectFour(), state, depth)
            assert move in best, (
                f"{drawn(state.board)}\nHere {state.to_move} is to move, looks {depth} plies ahead "
                f"and plays {move!r}; expected {' or '.join(map(str, best))}: {why}."
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
            assert len(pair) == 2 and all(isinstance(count, int) for count in pair), (
                f"nodes[{depth}] is {pair!r}: expected (minimax, alphabeta), two whole numbers."
            )

    def test_first_depths(self, student):
        """Depth 1 takes 8 states with both, and depth 2 takes 57 with minimax"""
        assert tuple(student.nodes[1]) == (8, 8), f"nodes[1] is {student.nodes[1]}."
        assert student.nodes[2][0] == 57, (
            f"nodes[2] is {student.nodes[2]}: minimax looks at the start, 7 states after X's "
            "moves, and 49 after O's."
        )
