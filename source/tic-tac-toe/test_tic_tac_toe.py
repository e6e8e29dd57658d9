"""The public checks of the assignment tic-tac-toe.

Run them in the notebook, `check("MiniMax")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.MiniMax` is what the notebook calls `MiniMax`. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

import re
from numbers import Real  # numpy's numbers are some, too

import pytest

from canvas import recorded
from canvas.first_wrong import drawn_trees, full_tree
from canvas.recorded import DEEP, UNEVEN, RecordedGame
from canvas.stepper import beyond_the_figure, first_wrong_number
from check import student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, TreeGame, after, infinity, state_from

NOT_COVERED = "all: other boards, trees and positions decide the mark"

# --- helpers: what the checks below share ----------------------------------------------------


def drawn(board, h=3, v=3):
    """Draw a board, to be shown in a message."""
    return "\n".join(
        "    " + " ".join(board.get((row, column), ".") for column in range(v)) for row in range(h)
    )


def squares(moves):
    """Return moves in the order of the board, be they lists, tuples or a generator."""
    return sorted(tuple(move) for move in moves)


def assert_number(value, call):
    """Fail unless `value` is a number."""
    assert isinstance(value, Real) and not isinstance(value, bool), (
        f"{call} is {value!r}: a value is a number, not a {type(value).__name__}."
    )


def assert_value(value, expected, call, why):
    """Fail unless `value` is the number `expected`."""
    assert_number(value, call)
    assert value == expected, f"{call} returned {value}, and {expected} is right: {why}."


def assert_move(player, game, picture, expected, why):
    """Fail unless `player` answers the tic-tac-toe position in `picture` by an `expected` move."""
    state = state_from(picture)
    shown = f"{drawn(state.board)}\nHere {state.to_move} is to move"
    move = player(game, state)
    assert (tuple(move) if isinstance(move, list) else move) in expected, (
        f"{shown} and played {move}. Expected: {' or '.join(map(str, expected))}, {why}.\n"
        "(This check uses your TicTacToe: if that has failing checks, mend them first.)"
    )


def final_states(game):
    """Return the terminal states that were generated, each of them once."""
    return sorted({state for state in game.generated if game.terminal_test(state)})


class LastFirst(RecordedGame):
    """Another game, which lists the last move first."""

    def actions(self, state):
        """Offer the moves one after the other."""
        moves = list(self.wrapped.actions(state))
        yield from moves[-1:] + moves[:-1]


class Tree(recorded.Tree):
    """A tree that lists a move at each leaf, too: only `terminal_test` tells the end."""

    def actions(self, state):
        """Return the numbers of the children; at a leaf, a move that cannot be made."""
        return [0] if self.terminal_test(state) else list(super().actions(state))

    def result(self, state, move):
        """Return the path that is one child longer, and write it down; ValueError at a leaf."""
        if self.terminal_test(state):
            raise ValueError(
                f"the game is over in {state}: ask `terminal_test` first, whatever `actions` lists"
            )
        return super().result(state, move)

    def leftmost(self, state):
        """Estimate a state, for whoever is searching, by the first number below it."""
        assert not self.terminal_test(state), (
            f"In Tree({self.root}) eval_fn was asked about {state}, where the game is over."
        )
        return super().leftmost(state)


WIDE = [[n + 9, n] for n in range(6)]
TREES = (  # a tree, where to search, the value, the best moves, leaves that matter from the left
    ([[5, 9], [5, 1]], (), 5, [0], [5, 9, 5, 1]),
    ([6, [9, [3, 8]], 7], (), 8, [1], [6, 9, 3, 8, 7]),
    ([[[1, 5], [5, 9]], 0], (0,), -5, [0], [1, 5, 5, 9]),
    ([[[[[[[[[[[[3]]]]]]]]]]], [[[[[[[[[[[8]]]]]]]]]]], 5], (), 8, [1], [3, 8, 5]),
    ([[-5, -9], [-7, -4], [-3, -8]], (), -7, [1], [-5, -9, -7, -4, -3, -8]),
    ([[0.25, 3], [0.75, 0.5]], (), 0.5, [1], [0.25, 3, 0.75, 0.5]),
    ([[2000.5, 1500.25], [2000, 1500.5]], (), 1500.5, [1], [2000.5, 1500.25, 2000, 1500.5]),
    (UNEVEN, (), 53, [1], [5, 20, 39, 38, 2, 69, 89, 53]),
    (UNEVEN, (0, 1), 20, [0], [20, 39, 38, 26, 19, 6]),
    (DEEP, (), 50, [1], [82, 30, 97, 49, 61, 94, 7, 77, 51, 50, 68, 34]),
    (DEEP, (1,), -50, [1], [7, 32, 45, 77, 51, 50, 68, 34]),
    ([[0, 3], [-1, 5]], (), 0, [0], [0, 3, -1]),
    ([[[-2, 0], [4, 9]], -7], (), 0, [0], [-2, 0, 4, -7]),
    ([[5, 8], [2, 7], [3, 9]], (), 5, [0], [5, 8, 2, 3]),
    ([[[5, 1], [8, 2], [7, 9]], 0], (), 5, [0], [5, 1, 8, 7, 0]),
    (WIDE, (), 5, [5], [leaf for pair in WIDE for leaf in pair]),
    *((tree, (), value, best, None) for tree, _, value, best in drawn_trees()),  # any that decide
)
# Leaves without which a search from the left may be right, too, in one of the trees above.
SPARE = {0, 1, 3, 20, 32, 34, 38, 39, 45, 61, 68, 94}


def going_on(node, plies):
    """Return a tree of smaller numbers that goes on for one ply more where it is so deep."""
    if isinstance(node, list):
        return [going_on(child, plies - 1) for child in node]
    return node / 4 if plies else [node / 4, 9 - node]


def assert_tree_move(player, game, state, best, how=""):
    """Fail unless `player` makes a best move in a tree."""
    move = player(game, state)
    assert move in best, (
        f"{game.place(state)} {game.to_move(state)} is to move{how} and played {move!r}; "
        f"expected {' or '.join(map(str, best))}."
        f"{'' if how else beyond_the_figure(player)}"
    )


def assert_leaves(game, state, leaves):
    """Fail unless a search has generated what matters in a tree, and nothing else or twice."""
    assert not game.twice(), (
        f"{game.place(state)} it generated the state {game.twice()[0]} more than once. Go through "
        "the tree once, and remember the best move on the way."
    )
    # Where there are ties to stop early is right, and not to, too.
    if leaves is None or len(set(leaves)) < len(leaves) or not game.from_the_left():
        return
    late = [leaf for leaf in game.seen() if leaf not in leaves]
    assert not late, (
        f"{game.place(state)} it looked at the leaves {game.seen()}. When it comes to {late}, "
        "alpha and beta have met already."
    )
    missing = sorted(set(leaves) - SPARE - set(game.seen()))
    assert not missing, (
        f"{game.place(state)} it looked at the leaves {game.seen()} and skipped {missing}, on "
        "which the decision may depend."
    )


def assert_new_game(player_class, old, new):
    """Fail unless a player that was made with one game plays another one that it is handed."""
    player = player_class(game=old)
    for game, best in ((new, 1), (old, 0), (new, 1)):
        move = player(game, ())
        assert move == best, (
            f"A player made with game=Tree({old.root}) was handed Tree({game.root}), where move "
            f"{best} is best, and played {move!r}: the game to use is always the last one handed."
        )


# --- part 1 ----------------------------------------------------------------------------------


class Test_TicTacToe:
    """The rules, on boards of several sizes."""

    def test_beginning(self, student):
        """The game begins with an empty board, X to move and all squares free"""
        for h, v in (3, 3), (2, 5):
            game = student.TicTacToe(h, v, 3)
            state = game.initial
            board = f"on the board with {h} rows and {v} columns"
            assert state.board == {}, f"initial.board is {state.board} {board}: expected {{}}."
            assert game.to_move(state) == "X", f"{game.to_move(state)!r} begins: X should."
            free = squares(game.actions(state))
            expected = [(row, column) for row in range(h) for column in range(v)]
            assert free == expected, f"{board} the moves are\n{free}\nand expected were\n{expected}"

    def test_move(self, student):
        """A move puts a piece on the board and passes the turn"""
        game = student.TicTacToe()
        state = game.result(game.result(game.initial, (0, 1)), (2, 2))
        expected = {(0, 1): "X", (2, 2): "O"}
        assert state.board == expected, (
            f"After X on (0, 1) and O on (2, 2) the board is\n{state.board}\nexpected:\n{expected}"
        )
        assert game.to_move(state) == "X", "After one move each it is X's turn again."
        free = squares(game.actions(state))
        assert len(free) == 7 and not set(free) & set(expected), (
            f"{drawn(state.board)}\nHere the seven empty squares are the moves; yours: {free}"
        )

    def test_no_change(self, student):
        """`result` leaves the state that it is given as it was"""
        game = student.TicTacToe()
        state = state_from("X O . / . . . / . . .")
        before = dict(state.board), squares(state.moves), state.to_move
        game.result(state, (1, 1))
        now = dict(state.board), squares(state.moves), state.to_move
        assert now == before, (
            f"{drawn(before[0])}\nAfter result(state, (1, 1)) this state itself has become\n"
            f"{drawn(now[0])}\nwith the moves {now[1]}.\n"
            "Make a new board and a new list of moves for the new state."
        )

    def test_illegal(self, student):
        """An illegal move raises a ValueError"""
        game = student.TicTacToe(2, 4, 3)
        state = after(game, [(0, 1)])
        for move, why in (
            ((0, 1), "is taken"),
            ((2, 0), "is not on the board"),
            ((0, 4), "is not on the board"),
            ((-1, 0), "is not on the board"),
        ):
            try:
                did = f"returned\n{game.result(state, move)}\n"
            except ValueError:
                continue
            except (AssertionError, LookupError) as error:
                did = f"raised {type(error).__name__} "
            pytest.fail(
                f"{drawn(state.board, 2, 4)}\nHere {move} {why}, but result(state, {move}) {did}"
                "instead of raising a ValueError.",
                pytrace=False,
            )

    def test_lines(self, student):
        """Three in a row, in a column or in a diagonal win, for X and for O"""
        game = student.TicTacToe()
        for picture, move in (
            (". X X / O O . / . . .", (0, 0)),
            ("O X . / . X . / O . .", (2, 1)),
            ("X O . / . . O / . . X", (1, 1)),
            (". . X / . . O / X O .", (1, 1)),
            ("X X . / O . O / X . .", (1, 1)),
        ):
            state = state_from(picture)
            who = state.to_move
            end = game.result(state, move)
            assert game.terminal_test(end), (
                f"{drawn(end.board)}\n{who} has just won by {move}, but terminal_test says False."
            )
            won = 1 if who == "X" else -1
            value = game.compute_utility(end.board, move, who)
            assert value == won, (
                f"{drawn(end.board)}\n{who} has just won by {move}, but "
                f"compute_utility(board, {move}, {who!r}) returned {value}; expected {won}."
            )

    def test_gap(self, student):
        """A line may be completed in its middle; a gap in it does not count"""
        game = student.TicTacToe(2, 5, 4)
        for picture, move, expected in (
            ("X X X X . / O O O . .", (0, 2), True),
            ("X X . X X / O O O . .", (0, 3), False),
        ):
            board = state_from(picture).board
            answer = game.k_in_row(board, move, "X", (0, 1))
            assert bool(answer) is expected, (
                f"{drawn(board, 2, 5)}\nDoes X have 4 in a row through {move}? "
                f"k_in_row returned {answer!r}, expected was {expected}."
            )

    def test_sizes(self, student):
        """Boards that are not square work up to their edges"""
        for h, v, k, moves in (
            (2, 5, 3, [(1, 2), (0, 2), (1, 3), (0, 3), (1, 4)]),
            (5, 2, 3, [(2, 0), (2, 1), (3, 0), (3, 1), (4, 0)]),
            (3, 5, 3, [(0, 4), (0, 3), (1, 3), (0, 2), (2, 2)]),
            (6, 6, 5, [(0, 5), (0, 0), (1, 4), (0, 1), (2, 3), (1, 0), (3, 2), (1, 1), (4, 1)]),
        ):
            game = student.TicTacToe(h, v, k)
            state = after(game, moves)
            assert game.utility(state, "X") == 1, (
                f"{drawn(state.board, h, v)}\nX has won on this board with {h} rows and {v} "
                f"columns, {k} in a line. utility(state, 'X') returned "
                f"{game.utility(state, 'X')}; expected 1."
            )
            game.result(game.initial, (0, 0))  # another state, which is not over
            again = game.utility(state, "O")
            assert again == -1, (
                f"{drawn(state.board, h, v)}\nX has won. Asked again, when `result` was called "
                f"in another state, utility(state, 'O') returned {again}; expected -1."
            )

    def test_wins_at_edges(self, student):
        """Lines at the edges and in the corners win, and so do more than k, for both players"""
        for h, v, k, picture, move in (
            (4, 5, 4, ". . . . . / O O O . . / . . . . . / . X X . X", (3, 3)),
            (4, 5, 4, ". . . . X / . . . . X / O O . . . / . O . . X", (2, 4)),
            (4, 5, 4, "O X . . . / . . X . . / O . . X . / O . . . .", (3, 4)),
            (4, 5, 4, ". O . . X / . O . . . / . O X . . / . X . . .", (1, 3)),
            (5, 4, 4, "O . . . / X . . . / X . O . / . . O . / X . . .", (3, 0)),
            (3, 7, 3, "X X . X X . . / O O . O O . . / . . . . . . .", (0, 2)),
            (2, 5, 3, "X X . X . / O O . . .", (1, 2)),
            (1, 4, 2, "X . . O", (0, 1)),
        ):
            game, state = student.TicTacToe(h, v, k), state_from(picture)
            end = game.result(state, move)
            value = 1 if state.to_move == "X" else -1
            shown = (
                f"{drawn(end.board, h, v)}\nOn this board of {h} by {v} squares, with {k} in a "
                f"line, {state.to_move} has just won by {move}"
            )
            found = game.utility(end, "X")
            assert found == value, f"{shown}: utility(state, 'X') is {found}; expected {value}."
            assert game.terminal_test(end), f"{shown}: terminal_test says False."

    def test_no_wins(self, student):
        """Too short a line, one with a gap, with a bend, or round the edge does not win"""
        for h, v, k, picture, move in (
            (4, 5, 4, "X X . . . / O O . . . / . . . . . / . . . . .", (0, 2)),
            (2, 6, 4, "X X . . X . / O O . O . .", (0, 3)),
            (3, 3, 3, ". . X / X . . / O O .", (1, 1)),
            (3, 4, 3, "X . . X / O O . . / . . . .", (0, 1)),
            (3, 3, 3, "X O . / . . . / . . .", (0, 2)),
            (3, 3, 3, "X X . / . . . / O . O", (1, 0)),
            (4, 4, 4, ". X . . / . . X . / O . . . / O O . X", (2, 3)),
        ):
            game, state = student.TicTacToe(h, v, k), state_from(picture)
            end = game.result(state, move)
            found, over = game.utility(end, "X"), game.terminal_test(end)
            assert found == 0 and not over, (
                f"{drawn(end.board, h, v)}\nOn this board of {h} by {v} squares, with {k} in a "
                f"line nobody has won by {move}: utility(state, 'X') is {found}, expected 0, and "
                f"terminal_test says {over}."
            )

    def test_directions(self, student):
        """`k_in_row` looks along one direction, to both sides"""
        board = state_from("X X X . / O X . . / O O . . / . . . .").board
        game = student.TicTacToe(4, 4, 3)
        for move, direction, expected in (
            ((0, 0), (0, 1), True),
            ((0, 1), (0, 1), True),
            ((0, 2), (0, 1), True),
            ((0, 1), (1, 0), False),
            ((1, 1), (0, 1), False),
            ((0, 0), (1, 1), False),
            ((0, 2), (1, -1), False),
        ):
            answer = game.k_in_row(board, move, "X", direction)
            assert bool(answer) is expected, (
                f"{drawn(board, 4, 4)}\nk_in_row(board, {move}, 'X', {direction}) returned "
                f"{answer!r}; expected {expected}, with 3 in a line."
            )

    def test_apart(self, student):
        """Two games, and the lists of moves that they hand out, keep apart"""
        wide, usual = student.TicTacToe(2, 5, 4), student.TicTacToe()
        end = after(usual, [(0, 0), (1, 1), (0, 1), (2, 2), (0, 2)])
        assert usual.utility(end, "X") == 1, f"{drawn(end.board)}\nX has won, with 3 in a line."
        state = after(wide, [(0, 0), (1, 1), (0, 1), (1, 2), (0, 2)])
        assert wide.utility(state, "X") == 0, f"{drawn(state.board, 2, 5)}\nHere 4 win, not 3."
        moves = wide.actions(wide.initial)
        if isinstance(moves, list):
            moves.clear()
        assert len(list(wide.actions(wide.initial))) == 10, (
            "The list that actions(initial) returned was emptied by its receiver, and then "
            "actions(initial) had no moves any more: return a new list each time."
        )

    def test_sides(self, student):
        """What is worth 1 to the winner is worth -1 to the loser"""
        game = student.TicTacToe()
        end = after(game, [(0, 0), (1, 1), (0, 1), (0, 2), (2, 2), (2, 0)])
        for player, expected in ("O", 1), ("X", -1):
            value = game.utility(end, player)
            assert value == expected, (
                f"{drawn(end.board)}\nO has won. utility(state, {player!r}) returned {value}; "
                f"expected {expected}."
            )

    def test_end(self, student):
        """The game ends with a win or with a full board, not before"""
        game = student.TicTacToe()
        moves = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 0), (1, 2), (2, 1), (2, 0), (2, 2)]
        for made in (0, 5, 8, 9):
            state = after(game, moves[:made])
            over = game.terminal_test(state)
            assert bool(over) == (made == 9), (
                f"{drawn(state.board)}\nterminal_test says {over}, but here nobody has won and "
                f"{9 - made} squares are empty."
            )
        assert game.utility(state, "X") == 0, f"{drawn(state.board)}\nThis is a draw, worth 0."
        small = student.TicTacToe(1, 4, 3)
        state = after(small, [(0, 0), (0, 1), (0, 2), (0, 3)])
        over = small.terminal_test(state)
        assert over, (
            f"{drawn(state.board, 1, 4)}\nterminal_test says {over}, but the board is full."
        )

    def test_display(self, student, capsys):
        """`display` prints the board"""
        student.TicTacToe(2, 4, 3).display(state_from("X . . O / . X . ."))
        printed = capsys.readouterr().out
        lines = re.sub(r"\033\[[\d;]*m", "", printed).splitlines()  # colours are welcome
        piece = re.compile("(?<![A-NP-WYZa-z])[XO](?![A-NP-WYZa-z])")  # no letter of a word
        rows = [[found.start() for found in piece.finditer(line)] for line in lines]
        upper = next((n for n, row in enumerate(rows) if len(row) == 2), len(rows))
        lower = next((row for row in rows[upper + 1 :] if row), [])
        assert len(lower) == 1 and rows[upper][0] < lower[0] < rows[upper][1], (
            f"display printed\n{printed}\nand expected were the rows\n    X . . O\n    . X . ."
        )


# --- parts 2 and 3 ---------------------------------------------------------------------------


class Search:
    """What holds for both searches."""

    name, to_the_end = "", {}

    def whole(self, search):
        """Return a search that goes to the end of any tree, as a function."""
        return lambda game, state: search(**self.to_the_end)(game, state)

    def test_figure(self, student):
        """It finds the right move in A, B, C and D of figure 5.2"""
        search = getattr(student, self.name)
        for state, expected in ("A", "a1"), ("B", "b1"), ("C", "c1"), ("D", "d3"):
            move = search()(Fig52Game(), state)
            assert move == expected, (
                f"In {state}, {Fig52Game().to_move(state)} is to move and your {self.name} played "
                f"{move!r}; expected was {expected!r}."
                f"{first_wrong_number(self.whole(search))}"
            )
            move = search(game=Fig52Game()).search(state)
            assert move == expected, (
                f"{self.name}(game=Fig52Game()).search({state!r}) returned {move!r}; expected was "
                f"{expected!r}."
            )

    def test_wins(self, student):
        """It wins at once when it can, as X and as O"""
        player, game = getattr(student, self.name)(), student.TicTacToe()
        why = "which wins at once"
        assert_move(player, game, "X O X / X . O / . . O", [(2, 0)], why)
        assert_move(player, game, "X X . / O O . / X . .", [(1, 2)], why)

    def test_lost(self, student):
        """It makes a legal move even when all moves lose"""
        player = getattr(student, self.name)(**self.to_the_end)
        free = [(1, 0), (1, 1), (1, 2), (2, 1)]
        why = "for a legal move is needed even though all of them lose"
        assert_move(player, student.TicTacToe(), "X O X / . . . / O . X", free, why)

    def test_games(self, student):
        """It plays other games too, and the game that it is handed, whichever it had before"""
        search = getattr(student, self.name)
        assert_new_game(search, Tree([[3, 4], [1, 2]]), Tree([[1, 2], [3, 4]]))
        tiny = ConnectFour(rows=2, columns=3, k=2)
        player = search(game=Fig52Game())
        value = tiny.play_game(player, player)
        assert value == 1, (
            "In Connect Four with 2 rows, 3 columns and two in a line, the first player can always "
            f"win. Your {self.name}, on both sides, ended with the utility {value} for the first."
        )
        move = search()(LastFirst(Fig52Game()), "A")
        assert move == "a1", (
            f"With `actions` that are a generator, first a3, then a1 and a2, it played {move!r}, "
            "not 'a1'."
        )

    def test_trees(self, student):
        """It finds the best move in other trees: uneven, deep, with ties, where all moves lose"""
        for tree, state, _, best, _ in TREES:
            player = getattr(student, self.name)(**self.to_the_end)
            assert_tree_move(player, Tree(tree), state, best)


class Test_MiniMax(Search):
    """The plain search."""

    name = "MiniMax"

    def test_values(self, student):
        """`max_value` and `min_value` return numbers, seen by the player who is searching"""
        search = student.MiniMax(Fig52Game())
        for state, value in ("B2", 12), ("C1", 2):
            call, why = f"max_value({state!r}, 'MAX')", f"the game is over, worth {value} to MAX"
            assert_value(search.max_value(state, "MAX"), value, call, why)
        for state, value in ("B", 3), ("C", 2), ("D", 2):
            why = f"MIN takes the smallest leaf of {state}"
            assert_value(search.min_value(state, "MAX"), value, f"min_value({state!r}, 'MAX')", why)
        why = "MAX takes the best of 3, 2 and 2"
        assert_value(search.max_value("A", "MAX"), 3, "max_value('A', 'MAX')", why)
        why = "MIN is searching, takes the leaf worth 3 to MAX, and loses 3"
        assert_value(search.max_value("B", "MIN"), -3, "max_value('B', 'MIN')", why)

    def test_plain(self, student):
        """It looks at all nine leaves of figure 5.2"""
        game = RecordedGame(Fig52Game())
        student.MiniMax()(game, "A")
        assert len(final_states(game)) == 9, (
            f"These are the leaves that it generated: {final_states(game)}. "
            "Plain minimax looks at all nine."
        )

    def test_whole(self, student):
        """In tic-tac-toe too it looks at every state, each time that the game can come to it"""
        game = RecordedGame(student.TicTacToe())
        state = state_from("X . . / X O O / . X .")
        game.generate(state)
        expected = len(game.generated)
        game.generated.clear()
        student.MiniMax()(game, state)
        assert len(game.generated) == expected, (
            f"{drawn(state.board)}\nFrom here there are {expected} ways to come to a state, and "
            f"your MiniMax generated {len(game.generated)} states. Go each way once: prune "
            "nothing, remember no boards, and do not search again for the move."
        )

    def test_blocks(self, student):
        """It blocks when the opponent threatens to win"""
        why = "or else O completes a line there"
        player, game = student.MiniMax(), student.TicTacToe()
        assert_move(player, game, "X . . / . . O / . X O", [(0, 2)], why)

    def test_plans(self, student):
        """It finds a move that wins by force"""
        why = "after which X threatens to win in two places"
        player, game = student.MiniMax(), student.TicTacToe()
        assert_move(player, game, "X . . / . . O / O X .", [(0, 1), (1, 1)], why)

    def test_tree_values(self, student):
        """It finds the value of these trees, and looks at each leaf once"""
        for tree, state, value, _, _ in TREES:
            game = Tree(tree)
            who = game.to_move(state)
            found = student.MiniMax(game).max_value(state, who)
            call = f"max_value({state}, {who!r}) in Tree({tree})"
            assert_value(found, value, call, f"seen by {who}")
            valued = game.seen()
            game.generated.clear()
            student.MiniMax()(game, state)
            whole = Tree(tree)
            whole.generate(state)
            for seen, name in (valued, "max_value"), (game.seen(), "the player"):
                assert sorted(seen) == sorted(whole.seen()), (
                    f"{game.place(state)} {name} looked at the leaves {seen}; expected all of "
                    f"{whole.seen()}, once."
                )

    def test_sides(self, student):
        """The same player serves O and then X, and finds the only move that holds a draw"""
        player, game = student.MiniMax(), student.TicTacToe()
        why = "which leads to a draw; all others lose"
        assert_move(player, game, "X . . / X O O / . X .", [(2, 0)], why)
        assert_move(player, game, ". . X / . O O / X . .", [(1, 0)], why)


class Test_AlphaBeta(Search):
    """The search that prunes, and that stops at a certain depth."""

    name, to_the_end = "AlphaBeta", {"d": 20}

    def test_values(self, student):
        """`max_value` and `min_value` return numbers, seen by the player who is searching"""
        search, open_window = student.AlphaBeta(game=Fig52Game()), (-infinity, infinity)
        for method, state, player, expected, why in (
            ("max_value", "B2", "MAX", 12, "the game is over, worth 12 to MAX"),
            ("min_value", "B", "MAX", 3, "MIN takes the smallest leaf"),
            ("max_value", "A", "MAX", 3, "MAX takes the best of 3, 2 and 2"),
            ("max_value", "B", "MIN", -3, "MIN is searching, and loses 3 to MAX at least"),
        ):
            value = getattr(search, method)(state, player, *open_window, 0)
            call = f"{method}({state!r}, {player!r}, -infinity, infinity, 0)"
            assert_value(value, expected, call, why)

    def test_prunes(self, student):
        """It does not generate the leaves C2 and C3 of figure 5.2"""
        game = RecordedGame(Fig52Game())
        student.AlphaBeta()(game, "A")
        order = game.generated
        if "C1" in order and "B" in order[: order.index("C1")]:  # another order is fine, too
            assert not {"C2", "C3"} & set(order[order.index("C1") :]), (
                f"It generated {' '.join(order)}.\nWhen C1 turns out to be worth 2, MAX has 3 "
                "from B already: C2 and C3 cannot matter any more."
            )

    def test_prunes_for_both(self, student):
        """`max_value` and `min_value` both skip what cannot matter"""
        leaves = [8, 9, 7, 1, 2, 3, 7, 9, 8]
        for method, player in ("max_value", "MAX"), ("min_value", "MIN"):
            game = RecordedGame(TreeGame(leaves))
            search = student.AlphaBeta(game=game)
            getattr(search, method)((), player, -infinity, infinity, 0)
            middle_first = game.generated[:1] == [(1,)]
            assert middle_first or len(final_states(game)) < 9, (
                f"The root of TreeGame({leaves}) was valued by {method}((), {player!r}, "
                "-infinity, infinity, 0), and all nine leaves were generated.\n"
                "Once the first or the last child is known to be 7, one leaf shows that the "
                "middle one does not matter: its other leaves can be skipped."
            )

    def test_tree_values(self, student):
        """It finds the value of these trees, and generates no leaf that cannot matter"""
        for tree, state, value, _, leaves in TREES:
            game = Tree(tree)
            who = game.to_move(state)
            window = f"{who!r}, -infinity, infinity, 0"
            found = student.AlphaBeta(20, game).max_value(state, who, -infinity, infinity, 0)
            assert_value(
                found, value, f"max_value({state}, {window}) in Tree({tree})", f"seen by {who}"
            )
            assert_leaves(game, state, leaves)
            game.generated.clear()
            student.AlphaBeta(d=20)(game, state)
            assert_leaves(game, state, leaves)

    def test_prunes_deep_down(self, student):
        """In a tree of nine plies it prunes at every depth"""
        game = Tree(full_tree())
        move, found = student.AlphaBeta(d=9)(game, ()), len(game.generated)
        assert move == 0, (
            f"In Tree(canvas.first_wrong.full_tree()) it played {move!r}, not 0."
            f"{beyond_the_figure(self.whole(student.AlphaBeta))}"
        )
        assert not game.from_the_left() or found <= 297, (
            f"In Tree(canvas.first_wrong.full_tree()), with nine plies, it generated {found} of "
            "1,022 states; alpha-beta needs 297 from the left. Prune at every depth."
        )

    def test_window(self, student):
        """A window that is handed down says what still matters"""
        game = Tree([[3, 12, 1], 6])
        search = student.AlphaBeta(9, game)
        for alpha, least, most, leaves in (5, -infinity, 5, [3]), (0, 1, 1, [3, 12, 1]):
            game.generated.clear()
            call = f"min_value((0,), 'MAX', {alpha}, infinity, 1)"
            found = search.min_value((0,), "MAX", alpha, infinity, 1)
            assert_number(found, call)
            assert least <= found <= most, (
                f"In Tree({game.root}), {call} returned {found}; expected "
                f"{1 if alpha == 0 else 'at most 5'}."
            )
            assert not game.from_the_left() or game.seen() == leaves, (
                f"In Tree({game.root}), {call} generated the leaves {game.seen()}; expected "
                f"{leaves}: after the 3 it cannot reach 5 any more, and may still reach 0."
            )

    def test_blocks_and_plans(self, student):
        """It blocks a threat, and finds a move that wins by force"""
        player, game = student.AlphaBeta(d=9), student.TicTacToe()
        why = "or else O completes a line there"
        assert_move(player, game, "X . . / . . O / . X O", [(0, 2)], why)
        why = "after which X threatens to win in two places"
        assert_move(player, game, "X . . / . . O / O X .", [(0, 1), (1, 1)], why)

    def test_depth(self, student):
        """With d=1 it goes no deeper than the children of the root"""
        estimates = {"B": 1, "C": 5, "D": 3}
        game = RecordedGame(Fig52Game())
        move = student.AlphaBeta(d=1, eval_fn=lambda state: estimates.get(state, 0))(game, "A")
        assert set(game.generated) == {"B", "C", "D"}, (
            f"With d=1 it generated {' '.join(game.generated)}; B, C and D are one ply away."
        )
        assert move == "a2", (
            f"With d=1 and an eval_fn that says B 1, C 5, D 3, MAX played {move!r}; expected 'a2'."
        )

    def test_depths(self, student):
        """In deep trees it looks d plies ahead, and no further, whoever is to move there"""
        for state, d, move in ((), 1, 0), ((), 2, 0), ((), 3, 0), ((), 4, 1), ((1,), 1, 1):
            game = Tree(DEEP)
            how = f" with d={d} and an eval_fn that says the first number below a state,"
            player = student.AlphaBeta(d=d, eval_fn=game.leftmost)
            student.AlphaBeta(d=d + 1)  # another player, which looks further
            assert_tree_move(player, game, state, [move], how)
            deepest = game.deepest(state)
            assert deepest == d, (
                f"{game.place(state)}{how} it generated states that are {deepest} plies away."
            )
            assert_tree_move(player, game, state, [move], f"{how} for the second time,")
        game = Tree(going_on(DEEP, 4))
        student.AlphaBeta()(game, ())
        deepest = game.deepest()
        assert deepest == 4, (
            f"{game.place(())} without a d it generated states that are {deepest} plies away; "
            "expected were 4, which is d unless told otherwise."
        )
        for tree, d, _, best in drawn_trees():
            game = Tree(going_on(tree, d))
            how = f" with d={d} and an eval_fn that says the first number below a state,"
            assert_tree_move(student.AlphaBeta(d=d, eval_fn=game.leftmost), game, (), best, how)
            deepest = game.deepest()
            assert deepest <= d, f"{game.place(())}{how} it generated states {deepest} plies away."

    def test_told_depth(self, student):
        """It tells `cutoff_test` how deep a state is, and asks it instead of d"""
        for tree, d, best in (DEEP, 4, 1), (DEEP, 1, 1), (WIDE, 1, 5):
            game = Tree(tree)

            def never(state, depth, game=game):
                assert depth == len(state), (
                    f"{game.place(())} cutoff_test was called with the state {state!r} and the "
                    f"depth {depth!r}. A state that is n moves away from the root is at depth n."
                )
                return False

            player = student.AlphaBeta(d=d, cutoff_test=never)
            how = f" with d={d} and a cutoff_test that never says True"
            assert_tree_move(player, game, (), [best], how)

    def test_cutoff(self, student):
        """A given `cutoff_test` takes the place of d"""
        game = RecordedGame(Fig52Game())
        student.AlphaBeta(cutoff_test=lambda state, depth: depth >= 1)(game, "A")
        assert set(game.generated) == {"B", "C", "D"}, (
            "With a cutoff_test that says True from depth 1 on it generated "
            f"{' '.join(game.generated)}; expected were B, C and D only."
        )
        move = student.AlphaBeta(cutoff_test=lambda state, depth: False)(Fig52Game(), "A")
        assert move == "a1", (
            f"With a cutoff_test that never says True it played {move!r}, not 'a1'."
        )
        estimates = {"B": 1, "C": 5, "D": 3}
        given = (lambda state, depth: depth >= 1), (lambda state: estimates.get(state, 0))
        move = student.AlphaBeta(4, None, *given)(Fig52Game(), "A")
        assert move == "a2", (
            "AlphaBeta(4, None, cutoff_test, eval_fn) with a cutoff_test that says True from depth "
            f"1 on, and an eval_fn that says B 1, C 5, D 3, played {move!r}; expected 'a2'."
        )

    def test_own_estimate(self, student):
        """Its own estimate is a number, whatever the states of a game are"""
        for game, state in (Fig52Game(), "B"), (TreeGame([1, 2, 3, 4], 2), (1,)):
            player = student.AlphaBeta(1, game)
            call = f"With d=1 and no eval_fn, min_value({state!r}, 'MAX', -infinity, infinity, 1)"
            assert_number(player.min_value(state, "MAX", -infinity, infinity, 1), call)

    def test_over(self, student):
        """A finished game counts with its utility, whatever `eval_fn` says"""
        for state, expected, how, options in (
            ("A", "a1", "d=2", {"d": 2}),
            ("A", "a1", "d=4", {"d": 4}),
            (
                "A",
                "a1",
                "a cutoff_test that says True from depth 2 on",
                {"cutoff_test": lambda _, n: n >= 2},
            ),
            ("B", "b1", "d=1", {"d": 1}),
        ):
            sign = -1 if state == "A" else 1  # so that it is wrong for whoever is to move
            wrong = {leaf: sign * value for leaf, value in Fig52Game.leaves.items()}
            player = student.AlphaBeta(**options, eval_fn=lambda state, w=wrong: w.get(state, 0))
            move = player(Fig52Game(), state)
            assert move == expected, (
                f"In {state}, with {how}, leaves of figure 5.2 are within sight, but it played "
                f"{move!r} and not {expected!r}. It seems to have asked eval_fn about them, which "
                "is wrong on purpose."
            )


# --- parts 4 and 5 ---------------------------------------------------------------------------


class Test_playing:
    """The four games, as they stand in `results`."""

    def test_names(self, student):
        """`results` holds the four games under the names of the players"""
        expected = {
            ("random", "AlphaBeta"),
            ("AlphaBeta", "random"),
            ("MiniMax", "AlphaBeta"),
            ("AlphaBeta", "MiniMax"),
        }
        names = set(student.results)
        assert names == expected, (
            f"The keys are      {sorted(names, key=str)};\nthey should be    {sorted(expected)}."
        )

    def test_utilities(self, student):
        """Each result is the utility for the player who went first"""
        assert student.results, "`results` is empty: no game has been played yet."
        for names, value in student.results.items():
            assert_number(value, f"results[{names}]")
            assert value in (-1, 0, 1), f"results[{names}] is {value}: expected -1, 0 or 1."

    def test_no_defeat(self, student):
        """MiniMax and AlphaBeta lose no game"""
        assert student.results, "`results` is empty: no game has been played yet."
        for names, value in student.results.items():
            for name in {"MiniMax", "AlphaBeta"} & set(names):
                lost = -1 if names[0] == name else 1
                assert value != lost, (
                    f"results[{names}] is {value}, so {name} lost. On the usual board a player "
                    "that looks to the end of the game can always have a draw at least: is it "
                    "AlphaBeta(d=9), and is the first name in the key the one that went first?"
                )


class Test_evaluation_a:
    """The measurements, as they stand in the two dicts."""

    def test_utilities(self, student):
        """`terminal_states` holds the ten utilities of each player"""
        for name in "MiniMax", "AlphaBeta":
            values = student.terminal_states[name]
            where = f"terminal_states[{name!r}] is {values}"
            assert hasattr(values, "__len__"), f"{where}: it should be a list, to append to."
            assert len(values) == 10, f"{where}: it should hold 10 utilities, not {len(values)}."
            assert set(values) <= {-1, 0, 1}, f"{where}: each should be -1, 0 or 1."

    def test_openings(self, student):
        """The ten games are not all alike"""
        values = list(student.terminal_states["MiniMax"])
        assert len(set(values)) > 1, (
            f"terminal_states['MiniMax'] is {values}. After some of the openings X can force a "
            "win, and after others not: did each game start from its own opening?"
        )

    def test_alike(self, student):
        """Both players look to the end, so each opening ends the same for both"""
        first, second = (list(student.terminal_states[name]) for name in ("MiniMax", "AlphaBeta"))
        assert first == second != [], (
            f"terminal_states['MiniMax'] is {first},\nterminal_states['AlphaBeta'] is {second}.\n"
            "Is it AlphaBeta(d=9), and are the openings the same, in the same order?"
        )

    def test_times(self, student):
        """`time_taken` holds the ten times of each player, in seconds"""
        for name in "MiniMax", "AlphaBeta":
            times = student.time_taken[name]
            where = f"time_taken[{name!r}] is {times}"
            assert hasattr(times, "__len__"), f"{where}: it should be a list, to append to."
            times = list(times)
            assert len(times) == 10, f"{where}: it should hold 10 times, not {len(times)}."
            for seconds in times:
                assert_number(seconds, f"a time in time_taken[{name!r}]")
                assert seconds >= 0, f"{where}: no time is negative."
                assert seconds < 600, (
                    f"{where}: expected seconds. A time is the clock after the game "
                    "minus the clock before it."
                )
            assert times != sorted(set(times)), (
                f"{where}: each is longer than the one before. Start the clock anew for each game."
            )
