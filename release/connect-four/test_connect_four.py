"""The public checks of the assignment connect-four.

Run them in the notebook, `check("minimax")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X", besides those that it has from `searches.py`; in each
check, `student` is your notebook and `student.minimax` is what the notebook calls `minimax`. You
are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from adapters import by_depth, plies
from canvas.boards import Board
from check import student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, GameState, NestedTree, TreeGame, after, infinity
from hints import Hints, expect, look  # noqa: F401 - `check` finds Hints by its name
from recorded import LastFirst, RecordedGame
from searches import Plain, Pruning, Search, Tree

NOT_COVERED = "all: other boards, estimates and depths decide the mark"

# --- the board -------------------------------------------------------------------------------


def draw(state, rows=6, columns=7):
    """Draw a state, to be shown in a message."""
    return Board(rows, columns, state.board, from_bottom=True).text()


def pieces(**columns):
    """Return a state with these pieces, from the bottom up: pieces(c0="XXO", c3="O")."""
    board = {
        (row, int(name[1:])): piece
        for name, column in columns.items()
        for row, piece in enumerate(column)
    }
    return GameState("X", 0, board, [column for column in range(7) if (5, column) not in board])


def expect_value(student, name, state, drawing, arguments, right, why=""):
    """Fail unless a function returns this of a state, whoever is to move, and leaves its board."""
    for turn in "XO":  # and whatever the order in which the board was filled
        board = dict(state.board if turn == "X" else reversed(state.board.items()))
        answer = getattr(student, name)(state._replace(to_move=turn, board=board), *arguments)
        call = ", ".join(["state", *map(repr, arguments)])
        prefix = f"{drawing}state.to_move is {turn!r}. {name}({call})"
        expect(f"{prefix} returned", answer, right, why=why)
        expect(f"{prefix} changed the board to", board, state.board)


class Test_generate_segments:
    """All places for a line."""

    def test_segments(self, student):
        """It lists as many segments as fit on boards of all shapes, and all lie on the board"""
        for size, across, upwards, diagonal in (
            ((7, 6, 4), 24, 21, 24),
            ((5, 3, 4), 6, 0, 0),
            ((8, 9, 3), 54, 56, 84),
        ):
            columns, rows, length = size
            call = f"generate_segments{size}"
            segments = student.generate_segments(*size)
            if not isinstance(segments, list | tuple):
                look(segments, [], f"{call} returned", "a list of segments")
            for segment in segments:
                squares = list(segment) if isinstance(segment, set | frozenset) else segment
                form = f"{length} squares (column, row)"
                look(squares, [(0, 0)] * length, f"{call} has a segment", form)
                for column, row in squares:
                    assert 0 <= column < columns and 0 <= row < rows, (
                        f"{call} has a segment {segment}; expected columns below {columns} and "
                        f"rows below {rows}, and none below 0."
                    )
            different = {frozenset(map(tuple, segment)) for segment in segments}
            prefix = f"{call} has segments across, upwards, diagonal, and some twice:"
            flat = [len({row for _, row in one}) == 1 for one in different].count(True)
            high = [len({column for column, _ in one}) == 1 for one in different].count(True)
            counts = flat, high, len(different) - flat - high, len(segments) - len(different)
            expect(prefix, counts, (across, upwards, diagonal, 0))


class Test_evaluate:
    """The estimate by segments."""

    def test_boards(self, student):
        """It adds up what both players have: 1, 100, 1,000,000 for two, three, four in a segment"""
        for state, value, why in (
            (pieces(), 0, "the board is empty"),
            (pieces(c3="X"), 0, "one piece in a segment is worth nothing"),
            (pieces(c0="XX"), 1, "one segment holds two X"),
            (pieces(c2="X", c3="X"), 3, "three segments hold two X"),
            (pieces(c0="XXX"), 101, "one segment holds three X, another one two"),
            (pieces(c0="X", c1="X", c2="X", c3="X")._replace(utility=1), 1_000_101, "X has won"),
            (pieces(c2="XXXXXX"), 3_000_000, "three segments hold four X"),
            (pieces(c0="X", c1="X", c3="X"), 101, "the gap can still be filled"),
            (pieces(c0="XXO", c1="X", c2="O"), 0, "each segment with two X holds an O, too"),
            (pieces(c0="XX", c6="OOO"), -100, "1 for X, 101 for O"),
            (pieces(c3="X", c4="OX", c5="OOX", c6="OOOX"), 999_999, ""),
        ):
            for player, right in ("X", value), ("O", -value):
                expect_value(student, "evaluate", state, f"{draw(state)}\n", [player], right, why)


class Test_top_pieces:
    """The estimate by the topmost pieces."""

    def test_boards(self, student):
        """It counts the columns with a piece, on boards of all sizes; who has won has infinity"""
        usual, wide, high = ConnectFour(), ConnectFour(4, 9, 5), ConnectFour(8, 3, 5)
        full, small = ConnectFour(2, 3, 5), ConnectFour(4, 5, 3)
        for game, state, value in (
            (usual, pieces(), 0),
            (usual, pieces(c2="XXO", c0="O", c1="X"), -1),
            (usual, pieces(c3="OXXOXO", c0="X", c1="X", c2="X", c4="X", c5="X", c6="X"), 5),
            (wide, after(wide, [8, 0, 8, 0, 8, 0, 8]), 0),
            (high, after(high, [1, 1, 1, 1, 1, 1, 1]), 1),
            (full, after(full, [0, 1, 2, 0, 1, 2]), -1),
            (small, after(small, [0, 1, 0, 1, 0]), infinity),
            (small, after(small, [0, 1, 0, 1, 3, 1]), -infinity),
        ):
            drawing = f"{draw(state, game.rows, game.columns)}\nHere {game.k} in a line win, and "
            expect_value(student, "top_pieces", state, drawing, [], value)


class Test_tree_size:
    """The number of states in a tree."""

    def test_trees(self, student):
        """The tree of figure 5.2 has 13 states, and one with 27 leaves has 40"""
        three = ConnectFour(rows=2, columns=3, k=3)
        for game, name, state, size in (
            (Fig52Game(), "Fig52Game()", "A", 13),
            (Fig52Game(), "Fig52Game()", "D2", 1),
            (TreeGame(range(27)), "TreeGame(range(27))", (), 40),
            (NestedTree([[0, [-1, 1, 0]], 1]), "NestedTree([[0, [-1, 1, 0]], 1])", (), 8),
            (three, "ConnectFour(2, 3, 3)", three.initial, 265),
        ):
            answer = student.tree_size(game, state)
            expect(f"In {name}, tree_size(game, {state!r}) returned", answer, size)


# --- the searches ----------------------------------------------------------------------------


def middle(state, player):
    """Estimate a state of Connect Four: the pieces in column 3, seen by `player`."""
    column = [piece for (_, column), piece in state.board.items() if column == 3]
    return 2 * column.count(player) - len(column)


BOARDS = (  # moves, how deep, the value by `middle`, the best moves, why
    ([0, 1, 0, 1, 0, 1], 2, infinity, [0], "X completes column 0"),
    ([0, 1, 0, 1, 0, 1, 6], 2, infinity, [1], "O completes column 1"),
    ([0, 1, 0, 2, 0], 2, -1, [0], "X threatens to complete column 0"),
    ([3, 3, 2, 2], 3, infinity, [1, 4], "X then has three with both ends free"),
    ([3, 3, 2, 2, 4], 2, -infinity, [0, 1, 2, 3, 4, 5, 6], "X has three, both ends are free"),
    ([3], 0, -1, [None], "the depth is 0"),
    ([0, 1, 0, 1, 0, 1, 0], 2, -infinity, [None], "X has won"),
)


class Valued(Search):
    """A function that returns a value and a move."""

    def searching(self, student):
        """Return the function as one that searches to the leaves of a tree, or to the end."""
        search = getattr(student, self.name)
        deep = by_depth(search)
        return lambda game, state: (
            deep(game, state) if hasattr(game, "at") else search(game, state, 9, middle)
        )

    def rows(self):
        """Yield trees, where to search, the value, and the best moves."""
        yield from super().rows()
        yield Tree([["draw", "MAX"], ["MIN", 9]]), (), 0, [0]  # so the game has ended there

    def expect_best(self, student, where, game, state, value, best):
        """Fail unless the search returns the value and one of the best moves."""
        depth = plies(game.at(state)) if hasattr(game, "at") else 9
        call = f"{where} {game.to_move(state)} is to move. With depth {depth} {self.name} returned"
        right = [(value, move) for move in best]
        expect(call, self.searching(student)(game, state), *right, form="a pair (value, move)")

    def test_boards(self, student):
        """It wins, blocks, and moves if all is lost; where the depth is 0 or the game over, None"""
        game = LastFirst(ConnectFour())
        for moves, depth, value, best, why in BOARDS:
            state, call = after(game.wrapped, moves), f"{self.name}(game, state, {depth}, middle)"
            answer = getattr(student, self.name)(game, state, depth, middle)
            prefix = f"{draw(state)}\nHere {state.to_move} is to move. {call} returned"
            right = [(value, move) for move in best]
            expect(prefix, answer, *right, why=why, form="a pair (value, move)")
            expect(f"{call} has changed `state` to", state, after(game.wrapped, moves))


class Test_minimax(Valued, Plain):
    """Depth-limited minimax."""

    name = "minimax"


class Test_alphabeta(Valued, Pruning):
    """Depth-limited alpha-beta."""

    name = "alphabeta"


class Test_find_best_move:
    """The player."""

    def test_moves(self, student):
        """It wins, blocks, makes a double threat, and moves if all is lost"""
        for moves, depth, _, best, why in BOARDS[:-2]:
            state = after(ConnectFour(), moves)
            prefix = f"{draw(state)}\nHere {state.to_move} is to move, and with depth {depth}"
            move = student.find_best_move(ConnectFour(), state, depth)
            expect(f"{prefix} it chose", move, *best, why=why, form="the column")

    def test_depth(self, student):
        """It looks as many plies ahead as it is told, on any board"""
        for depth in 1, 2, 3:
            game = RecordedGame(ConnectFour(rows=4, columns=5, k=3))
            state = after(game.wrapped, [0, 1])
            move = student.find_best_move(game, state, depth)
            board, call = draw(state, 4, 5), f"find_best_move(game, state, {depth})"
            expect(f"{board}\nHere {call} returned", move, *range(5), form="the column")
            deepest = max((len(child.board) for child in game.generated), default=2) - 2
            expect(f"{board}\nHere the number of plies that {call} looks ahead is", deepest, depth)

    def test_estimate(self, student):
        """One ply ahead it goes where your `evaluate` says most"""
        game = ConnectFour()
        for moves in [3, 0, 3, 0], [2, 5, 3, 4, 0], [6, 6, 5], [1, 5, 2, 4, 4]:
            state = after(game, moves)
            next_states = {move: game.result(state, move) for move in state.moves}
            values = {move: student.evaluate(it, state.to_move) for move, it in next_states.items()}
            best = [move for move, value in values.items() if value == max(values.values())]
            prefix = f"{draw(state)}\nHere {state.to_move} is to move, evaluate says {values}, and"
            move = student.find_best_move(game, state, 1)
            expect(f"{prefix} it chose", move, *best, form="the column")


class Test_nodes:
    """The table of counts."""

    def test_table(self, student):
        """`nodes` has a pair of counts for each of the depths 1 to 6, those of your two searches"""
        look(student.nodes, dict.fromkeys(range(1, 7), (0, 0)), "nodes is")
        start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
        for depth, pair in student.nodes.items():
            plain, pruned = pair
            assert pruned <= plain, f"nodes[{depth}] is {pair}, and minimax prunes nothing."
            for name, number in ("minimax", plain), ("alphabeta", pruned):
                if depth > (3 if name == "minimax" else 5):
                    continue  # it would take long
                games = [RecordedGame(ConnectFour()) for _ in range(2)]
                for game in games:
                    getattr(student, name)(game, start, depth, student.top_count)
                if games[0].generated == games[1].generated:  # who draws lots counts anew
                    prefix = f"nodes[{depth}] is {pair}, (minimax, alphabeta). Of {name} it has"
                    count = 1 + len(games[0].generated)
                    expect(prefix, number, count, why="so many it looks at, with the start")
