"""The public checks of the assignment connect-four.

Run them in the notebook, `check("minimax")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.minimax` is what the notebook calls `minimax`. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from canvas import recorded
from canvas.first_wrong import SURE, by_depth, drawn_trees, full_tree
from canvas.recorded import DEEP, RecordedGame
from canvas.stepper import beyond_the_figure, first_wrong_number
from check import look, student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, GameState, TreeGame, after, infinity

NOT_COVERED = "all: other boards, estimates and depths decide the mark"
DEFINED_IN = {"top_count": "top-count"}  # a cell that has no checks of its own

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


def ask(search, call, example, game, state, depth, estimate):
    """Return the value and the move of a search; fail unless they are a pair."""
    answer = search(game, state, depth, estimate)
    wanted = tuple(0 if part is None else part for part in example)
    look(answer, wanted, f"{call} returned", "a pair (value, move)")
    look(answer[0], 0, f"{call} returned {answer}; the value comes first, and it is")
    return tuple(answer)


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
        f"The state {state} was estimated, with depth 2: only states two moves from the root are. "
        "Does each call hand on depth - 1, and stop at 0?"
    )
    return WORTH[state] if player == "MAX" else -WORTH[state]


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

# --- the board -------------------------------------------------------------------------------


def squares_of(segments, call):
    """Return the segments as sets of squares; fail unless they are lists of pairs."""
    if not isinstance(segments, list | tuple):
        look(segments, [], f"{call} returned", "a list of segments")
    for segment in segments:
        squares = segment if isinstance(segment, list | tuple | set | frozenset) else [segment]
        assert all(isinstance(one, tuple | list) and len(one) == 2 for one in squares), (
            f"{call} has the segment {segment!r}: a segment is a list of pairs (column, row)."
        )
    return [frozenset(map(tuple, segment)) for segment in segments]


FAR = (  # segments of the usual board that end at its last column
    [(3, 0), (4, 0), (5, 0), (6, 0)],
    [(6, 2), (6, 3), (6, 4), (6, 5)],
    [(3, 2), (4, 3), (5, 4), (6, 5)],
    [(3, 3), (4, 2), (5, 1), (6, 0)],
)


class Test_generate_segments:
    """All places for a line."""

    def test_usual_board(self, student):
        """The usual board has 69 segments: 24 across, 21 upwards, 12 + 12 diagonal"""
        found = squares_of(student.generate_segments(7, 6, 4), "generate_segments(7, 6, 4)")
        heights = [len({row for _, row in segment}) for segment in found]
        widths = [len({column for column, _ in segment}) for segment in found]
        across, upwards = heights.count(1), widths.count(1)
        diagonal = len(found) - across - upwards
        missing = [f" {segment} is missing." for segment in FAR if frozenset(segment) not in found]
        first = all(min(segment)[0] == 0 for segment in found)
        assert (across, upwards, diagonal) == (24, 21, 24), (
            f"{across} segments run across, {upwards} upwards and {diagonal} along the diagonals; "
            f"expected 24, 21 and 12 + 12.{''.join(missing[:1])}"
            + " All begin in column 0: does `return` stand in the loop?"
            * first
        )
        assert len(set(found)) == 69, "A segment is in the list twice."

    def test_other_boards(self, student):
        """On boards of all shapes it lists as many segments as fit, and all lie on the board"""
        for columns, rows, length, expected in (
            (3, 2, 2, 11),
            (4, 5, 3, 34),
            (5, 3, 4, 6),
            (2, 6, 5, 4),
            (8, 9, 3, 194),
            (4, 4, 5, 0),
        ):
            call = f"generate_segments({columns}, {rows}, {length})"
            found = squares_of(student.generate_segments(columns, rows, length), call)
            for segment in found:
                on_board = all(0 <= c < columns and 0 <= r < rows for c, r in segment)
                assert len(segment) == length and on_board, (
                    f"{call} has the segment {sorted(segment)}: expected {length} squares "
                    f"(column, row) on a board with {columns} columns and {rows} rows."
                )
            assert len(set(found)) == expected, (
                f"{call} has {len(set(found))} different segments; expected {expected}."
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
            (pieces(c0="XXO", c1="X", c2="O"), 0, "each segment with two X holds an O, too"),
        ):
            for player, expected in ("X", value), ("O", -value):
                found = student.evaluate(state, player)
                said = f"{drawn(state.board)}\nevaluate(state, {player!r}) returned"
                look(found, 0, said)
                assert found == expected, (
                    f"{said} {found}; expected {expected}: {why}. (The keys of `board` are (row, "
                    "column), and the squares of a segment are (column, row).)"
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
            for how in "", " with O to move and the keys of `board` in another order":
                board = dict(state.board)
                found = student.top_pieces(state)
                said = f"{drawn(board)}\ntop_pieces(state){how} returned"
                look(found, 0, said)
                assert found == expected, f"{said} {found}; expected {expected}."
                assert state.board == board, f"top_pieces changed this board:\n{drawn(board)}"
                state = state._replace(board=dict(reversed(board.items())), to_move="O")

    def test_other_boards(self, student):
        """On boards of all sizes a won game is worth infinity or -infinity, and no other is"""
        wide, high, full, small = (4, 9, 5), (8, 3, 5), (2, 3, 5), (4, 5, 3)
        for (rows, columns, k), moves, expected in (
            (wide, [8, 0, 8, 0, 8, 0, 8], 0),
            (wide, [8, 7, 8, 8], -2),
            (wide, [8, 0, 7], 1),
            (high, [1, 1, 1, 1, 1, 1, 1], 1),
            (full, [0, 1, 2, 0, 1, 2], -1),
            (small, [0, 1, 0, 1, 0], infinity),
            (small, [0, 1, 0, 1, 3, 1], -infinity),
        ):
            state = after(ConnectFour(rows, columns, k), moves)
            found = student.top_pieces(state)
            assert found == expected, (
                f"{drawn(state.board, rows, columns)}\nHere {k} in a line win. top_pieces(state) "
                f"returned {found}; expected {expected}."
            )


class Test_tree_size:
    """The number of states in a tree."""

    def test_trees(self, student):
        """The tree of figure 5.2 has 13 states, and one with 27 leaves has 40"""
        two, three = ConnectFour(rows=2, columns=2, k=2), ConnectFour(rows=2, columns=3, k=3)
        for game, name, state, expected in (
            (Fig52Game(), "Fig52Game()", "A", 13),
            (Fig52Game(), "Fig52Game()", "C", 4),
            (Fig52Game(), "Fig52Game()", "D2", 1),
            (TreeGame(range(27)), "TreeGame(range(27))", (), 40),
            (Tree([["draw", ["MIN", "MAX", "draw"]], "MAX"]), "a tree", (), 8),
            # X moves into one of two columns; O answers on top of it, and X wins in the other one;
            # or O answers in the other, and X wins in either: 1 + 2 * (1 + 1 + 1 + 1 + 2).
            (two, "ConnectFour(2, 2, 2)", two.initial, 13),
            (three, "ConnectFour(2, 3, 3)", three.initial, 265),
        ):
            found = student.tree_size(game, state)
            said = f"In {name}, tree_size(game, {state!r}) returned"
            look(found, 0, said)
            assert found == expected, (
                f"{said} {found}; expected {expected}."
                + " A state that can be reached in two ways counts twice." * (found < expected)
            )


# --- the searches ----------------------------------------------------------------------------


class Search:
    """What holds for both searches."""

    name = ""

    def test_figure_5_2(self, student):
        """On the numbers of figure 5.2 it finds the value 3 and the first move, and for MIN too"""
        search = getattr(student, self.name)
        for state, depth, expected in (
            ((), 2, (3, 0)),
            ((0,), 1, (-3, 0)),
            ((1,), 1, (-2, 0)),
            ((2,), 1, (-2, 2)),
        ):
            game = RecordedGame(TreeGame([0] * 27))
            call = f"{self.name}(game, {state}, {depth}, figure)"
            answer = ask(search, call, expected, game, state, depth, figure)
            deepest = max(map(len, game.generated), default=0)
            assert deepest <= 2, (
                f"{call} generated states {deepest - len(state)} plies ahead, and the depth is "
                f"{depth}: does each call hand on depth - 1, and stop at 0?"
            )
            swapped = (
                f"{call} returned {answer}: the other way round, please; the value comes first."
            )
            assert answer[::-1] != expected, swapped
            assert answer == expected, (
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
            call = f"{self.name}(game, state, {depth}, middle)"
            answer = ask(search, call, expected, rules, state, depth, middle)
            board = drawn(state.board, rules.rows, rules.columns)
            assert answer == expected, (
                f"{board}\nHere it is {state.to_move}'s turn. {call} returned {answer}; "
                f"expected {expected}. (middle: X in column 3 minus O, seen by X; for O minus X.)"
            )

    def test_win_and_block(self, student):
        """It wins if it can, sees a win three plies ahead, blocks, and moves if all is lost"""
        search, rules = getattr(student, self.name), ConnectFour()

        def none(state, player):
            return 0

        for moves, depth, estimate, value, best, why in (
            ([0, 1, 0, 1, 0, 1], 2, none, infinity, [0], "X completes column 0"),
            ([0, 1, 0, 1, 0, 1, 6], 2, none, infinity, [1], "O completes column 1"),
            ([0, 1, 0, 2, 0], 2, none, 0, [0], "otherwise X completes column 0"),
            ([3, 3, 2, 2], 3, none, infinity, [1, 4], "X then has three with both ends free"),
            ([3, 3, 2, 2, 4], 2, middle, -infinity, range(7), "X has three, both ends are free"),
        ):
            state, call = after(rules, moves), f"{self.name}(game, state, {depth}, ...)"
            answer = ask(search, call, (value, 0), rules, state, depth, estimate)
            assert state == after(rules, moves), (
                f"{call} has changed `state`:\n{drawn(state.board)}"
            )
            assert answer[0] == value and answer[1] in best, (
                f"{drawn(state.board)}\nHere {state.to_move} is to move. {call} returned {answer}; "
                f"expected ({value}, {' or '.join(map(str, best))}): {why}."
            )

    def test_trees(self, student):
        """It finds the value and a best move in trees: deep, with ties, lost, over at any depth"""
        search = getattr(student, self.name)
        for tree, state, depth, value, best in TREES:
            game = Tree(tree)
            call = f"{self.name}(game, {state}, {depth}, game.leftmost)"
            answer = ask(search, call, (value, 0), game, state, depth, game.leftmost)
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

        def estimate(state, player):
            value = {"B": 1, "C": 5, "D": 3}.get(state, 0)
            return value if player == "MAX" else -value

        call = f"{self.name}(game, 'A', 1, estimate)"
        answer = ask(search, call, (5, "a2"), game, "A", 1, estimate)
        assert answer == (5, "a2"), (
            f"In figure 5.2, {call} returned {answer} with an estimate that says B 1, C 5, D 3 to "
            "MAX; expected (5, 'a2'). (The game lists a3 before a1 and a2.)"
        )


class Test_minimax(Search):
    """Depth-limited minimax."""

    name = "minimax"

    def test_all_states(self, student):
        """It looks at every state down to its depth, and no deeper"""
        for state, depth, expected in ((), 2, 6), ((), 4, 31), ((1,), 3, 15):
            game = Tree(DEEP)
            student.minimax(game, state, depth, game.leftmost)
            found = len(game.generated)
            assert found == expected, (
                f"{game.place(state)} with depth {depth} minimax generated {found} states; "
                f"expected {expected}."
            )

    def test_states_twice(self, student):
        """It remembers no states, and where a move wins it looks at the others as well"""
        game = RecordedGame(ConnectFour(rows=3, columns=3, k=3))
        student.minimax(game, after(game.wrapped, [0, 1, 0, 1]), 5, middle)
        assert len(game.generated) == 33, (
            "On 3 rows and 3 columns, with three in a line to win, after the moves 0, 1, 0, 1 "
            f"minimax generated {len(game.generated)} states with depth 5; expected 33, one for "
            "each way to come to a state, also after a move that wins."
        )


class Test_alphabeta(Search):
    """Depth-limited alpha-beta."""

    name = "alphabeta"

    def test_prunes_deep_down(self, student):
        """In a tree of nine plies it prunes at every depth"""
        game = Tree(full_tree())
        call = "alphabeta(game, (), 9, game.leftmost)"
        answer = ask(student.alphabeta, call, (629, 0), game, (), 9, game.leftmost)
        assert answer == (629, 0), (
            f"In Tree(canvas.first_wrong.full_tree()), nine plies ahead, alphabeta returned "
            f"{answer}, not (629, 0).{beyond_the_figure(by_depth(student.alphabeta))}"
        )
        found = len(game.generated)
        assert found <= (297 if game.from_the_left() else 900), (
            f"In Tree(canvas.first_wrong.full_tree()), with nine plies, it generated {found} of "
            "1,022 states; alpha-beta needs 297 from the left. Does MAX raise alpha, and MIN lower "
            "beta, at every depth?"
        )

    def test_pruning_in_trees(self, student):
        """From the left, it generates the leaves that matter in a tree, and no others"""
        for tree, state, depth, leaves in PRUNED:
            game = Tree(tree)
            student.alphabeta(game, state, depth, game.leftmost)
            seen = [game.at(path) for path in game.generated if len(path) == len(state) + depth]
            wrong = game.astray(state, leaves, seen)
            assert not wrong, f"With depth {depth}: {wrong}"


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
            shown = f"{drawn(state.board)}\nHere {state.to_move} is to move, and with depth {depth}"
            look(move, 0, f"{shown} find_best_move returned", "the column", None, range(7))
            assert move in best, (
                f"{shown} find_best_move chose {move!r}; expected {' or '.join(map(str, best))}: "
                f"{why}."
            )

    def test_depth(self, student):
        """It looks as many plies ahead as it is told, on any board"""
        for depth in 1, 2, 3:
            game = RecordedGame(ConnectFour(rows=4, columns=5, k=3))
            state = after(game.wrapped, [0, 1])
            move = student.find_best_move(game, state, depth)
            board = drawn(state.board, 4, 5)
            look(move, 0, f"{board}\nHere find_best_move returned", "the column", None, range(5))
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
            look(move, 0, f"{drawn(state.board)}\nHere it returned", "the column", None, range(7))
            best = [other for other in values if values[other] == max(values.values())]
            assert move in best, (
                f"{drawn(state.board)}\nHere {state.to_move} plays {move!r}. By your evaluate the "
                f"moves are worth {values}."
            )


class Test_nodes:
    """The table of counts."""

    def test_table(self, student):
        """`nodes` has a pair of counts for each of the depths 1 to 6, such as 8 and 8 for 1"""
        look(student.nodes, dict.fromkeys(range(1, 7), (0, 0)), "nodes is")
        first, second = student.nodes[1], student.nodes[2]
        assert tuple(first) == (8, 8), (
            f"nodes[1] is {first}, and depth 1 takes 8 states with both searches: the start and 7 "
            "more. Does each search have a count of its own, which starts at 0?"
        )
        assert second[0] == 57, (
            f"nodes[2] is {second}, and minimax looks at the start, 7 states after X's moves, and "
            "49 after O's, which is 57. The pair is (minimax, alphabeta)."
        )
        for depth, (plain, pruned) in student.nodes.items():
            assert pruned <= plain, (
                f"nodes[{depth}] is {(plain, pruned)}: minimax comes first, and it prunes nothing."
            )

    def test_counted_again(self, student):
        """Counted again, with your two searches, the numbers for small depths are the same"""
        look(student.nodes, dict.fromkeys(range(1, 7), (0, 0)), "nodes is")
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
