"""The public checks of the assignment tic-tac-toe.

Run them in the notebook, `check("MiniMax")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.MiniMax` is what the notebook calls `MiniMax`. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

import re

import pytest

from canvas import recorded
from canvas.first_wrong import drawn_trees, full_tree
from canvas.recorded import DEEP, TREES, WIDE, RecordedGame
from canvas.stepper import beyond_the_figure, first_wrong_number
from check import look, student, uses  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, GameState, IllegalMove, TreeGame, infinity, state_from

NOT_COVERED = "all: other boards, trees and positions decide the mark"

# --- helpers: what the checks below share ----------------------------------------------------


def drawn(board, h=3, v=3):
    """Draw a board, to be shown in a message."""
    return "\n".join(
        "    " + " ".join(board.get((row, column), ".") for column in range(v)) for row in range(h)
    )


def squares(moves, call):
    """Return moves in the order of the board, be they lists, tuples or a generator."""
    if not hasattr(moves, "__iter__"):
        look(moves, [], f"{call} returned", "the moves, a list or a generator")
    moves = list(moves)
    for move in moves:
        look(move, (0, 0), f"a move in {call} is", "a square, (row, column)")
        round_ = tuple(move)
        assert move == round_, f"A move in {call} is {move}: write a square as {round_}, no list."
    return sorted(moves)


def step(game, state, move):
    """Return what `result` returns; fail unless it is a state with a board."""
    new, call = game.result(state, move), f"result(state, {move}) returned"
    if not hasattr(new, "board"):
        look(new, GameState("X", 0, {}, []), call, "a GameState")
    if not hasattr(new.board, "items"):
        order = "a dict, and the order is GameState(to_move, utility, board, moves)"
        look(new.board, {}, f"{call} {new}. Its board is", order)
    return new


def after(game, moves):
    """Return the state after some moves from the beginning."""
    state = game.initial
    for move in moves:
        state = step(game, state, move)
    return state


def assert_value(value, expected, call, why):
    """Fail unless `value` is the number `expected`."""
    look(value, expected, f"{call} returned")
    assert value == expected, f"{call} returned {value}, and {expected} is right: {why}."


def ask(player, game, state, best, said, worth=None):
    """Return the move of a player; fail if it is no move."""
    move = player(game, state)
    look(move, best, said, "the move", worth, list(game.actions(state)))
    return move


def assert_move(player, game, picture, expected, why):
    """Fail unless `player` answers the tic-tac-toe position in `picture` by an `expected` move."""
    state = state_from(picture)
    shown = f"{drawn(state.board)}\nHere {state.to_move} is to move and your player chose"
    move = player(game, state)
    if move is not None or len(expected) < 4:
        look(move, (0, 0), shown, "the move")
        move = tuple(move)
    assert move in expected, (
        f"{shown} {move}. Expected: {' or '.join(map(str, expected))}, {why}.{uses('TicTacToe')}"
    )


def estimating(**numbers):
    """Return an eval_fn that says these numbers of states, and 0 of others."""

    def eval_fn(state):
        return numbers.get(state, 0)

    return eval_fn


def cutting(least):
    """Return a cutoff_test that says True from a depth on."""

    def cutoff_test(state, depth):
        return depth >= least

    return cutoff_test


class Tree(recorded.Tree):
    """A tree that lists a move at each leaf, too: only `terminal_test` tells the end."""

    def actions(self, state):
        """Return the numbers of the children; at a leaf, a move that cannot be made."""
        return [0] if self.terminal_test(state) else list(super().actions(state))

    def result(self, state, move):
        """Return the path that is one child longer, and write it down; IllegalMove at a leaf."""
        if self.terminal_test(state):
            raise IllegalMove(
                f"the game is over in {state}: ask `terminal_test` first, whatever `actions` lists"
            )
        return super().result(state, move)

    def leftmost(self, state):
        """Estimate a state, for whoever is searching, by the first number below it."""
        assert not self.terminal_test(state), (
            f"In Tree({self.root}) eval_fn was asked about {state}, where the game is over."
        )
        return super().leftmost(state)


def going_on(node, plies):
    """Return a tree of smaller numbers that goes on for one ply more where it is so deep."""
    if isinstance(node, list):
        return [going_on(child, plies - 1) for child in node]
    return node / 4 if plies else [node / 4, 9 - node]


def assert_tree_move(player, game, state, best, how="", worth=None):
    """Fail unless `player` makes a best move in a tree."""
    where = f"{game.place(state)} {game.to_move(state)} is to move{how} and"
    move = ask(player, game, state, best[0], f"{where} it chose", worth)
    assert move in best, (
        f"{where} it chose {move!r}; expected {' or '.join(map(str, best))}."
        f"{'' if how else beyond_the_figure(player)}"
    )


WINS = (
    (3, 3, 3, ". X X / O O . / . . .", (0, 0)),
    (3, 3, 3, "O X . / . X . / O . .", (2, 1)),
    (3, 3, 3, "X O . / . . O / . . X", (1, 1)),
    (3, 3, 3, ". . X / . . O / X O .", (1, 1)),
    (3, 3, 3, "X X . / O . O / X . .", (1, 1)),
    (5, 2, 3, "O O / . . / X . / X . / . .", (4, 0)),
    (3, 5, 3, ". . O O X / . . . X . / . . . . .", (2, 2)),
    (
        6,
        6,
        5,
        "OO...X / O...X. / ...X.. / O.X... / ...... / ......",
        (4, 1),
    ),
    (4, 5, 4, ". . . . . / O O O . . / . . . . . / . X X . X", (3, 3)),
    (4, 5, 4, ". . . . X / . . . . X / O O . . . / . O . . X", (2, 4)),
    (4, 5, 4, "O X . . . / . . X . . / O . . X . / O . . . .", (3, 4)),
    (4, 5, 4, ". O . . X / . O . . . / . O X . . / . X . . .", (1, 3)),
    (5, 4, 4, "O . . . / X . . . / X . O . / . . O . / X . . .", (3, 0)),
    (3, 7, 3, "X X . X X . . / O O . O O . . / . . . . . . .", (0, 2)),
    (2, 5, 3, "X X . X . / O O . . .", (1, 2)),
    (1, 4, 2, "X . . O", (0, 1)),
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
            free = squares(game.actions(state), "actions(initial)")
            expected = [(row, column) for row in range(h) for column in range(v)]
            assert free == expected, f"{board} the moves are\n{free}\nand expected were\n{expected}"

    def test_move(self, student):
        """A move puts a piece on the board and passes the turn"""
        game = student.TicTacToe()
        state = step(game, step(game, game.initial, (0, 1)), (2, 2))
        expected = {(0, 1): "X", (2, 2): "O"}
        assert state.board == expected, (
            f"After X on (0, 1) and O on (2, 2) the board is\n{state.board}\nexpected:\n{expected}"
        )
        assert game.to_move(state) == "X", "After one move each it is X's turn again."
        free = squares(game.actions(state), "actions(state)")
        assert len(free) == 7 and not set(free) & set(expected), (
            f"{drawn(state.board)}\nHere the seven empty squares are the moves; yours: {free}"
        )

    def test_no_change(self, student):
        """`result` leaves the state that it is given as it was"""
        game = student.TicTacToe()
        state = state_from("X O . / . . . / . . .")
        before = drawn(state.board), sorted(state.moves), state.to_move
        game.result(state, (1, 1))
        now = drawn(state.board), sorted(state.moves), state.to_move
        part = "board" if now[0] != before[0] else "list of moves"
        assert now == before, (
            f"{before[0]}\nAfter result(state, (1, 1)) the {part} of this state itself has become\n"
            f"{now[0] if part == 'board' else now[1]}\nMake a new {part} for the new state."
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

    def test_wins(self, student):
        """A line wins, in each direction, at each edge, of k pieces or more, for X and for O"""
        for h, v, k, picture, move in WINS:
            game, state = student.TicTacToe(h, v, k), state_from(picture)
            end, who = step(game, state, move), state.to_move
            shown = (
                f"{drawn(end.board, h, v)}\nOn this board of {h} by {v} squares, with {k} in a "
                f"line, {who} has just won by {move}, but"
            )
            game.result(game.initial, (0, 0))  # another state, which is not over
            over, won = game.terminal_test(end), 1 if who == "X" else -1
            assert over, look(over, True, f"{shown} terminal_test returned") or (
                f"{shown} terminal_test says {over}."
                + " It is that of Game: yours has no such method."
                * ("terminal_test" not in vars(type(game)))
            )
            for call, found, expected in (
                ("utility(state, 'X')", game.utility(end, "X"), won),
                ("utility(state, 'O')", game.utility(end, "O"), -won),
                (
                    f"compute_utility(board, {move}, {who!r})",
                    game.compute_utility(end.board, move, who),
                    won,
                ),
            ):
                look(found, 0, f"{shown} {call} returned")
                assert found == expected, f"{shown} {call} returned {found}; expected {expected}."

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
            end = step(game, state, move)
            found, over = game.utility(end, "X"), game.terminal_test(end)
            assert found == 0 and not over, (
                f"{drawn(end.board, h, v)}\nOn this board of {h} by {v} squares, with {k} in a "
                f"line nobody has won by {move}: utility(state, 'X') is {found}, expected 0, and "
                f"terminal_test says {over}."
            )

    def test_k_in_row(self, student):
        """`k_in_row` looks along one direction, to both sides; a gap in a line does not count"""
        square = 4, 4, 3, "X X X . / O X . . / O O . . / . . . ."
        for h, v, k, picture, move, direction, expected in (
            (2, 5, 4, "X X X X . / O O O . .", (0, 2), (0, 1), True),
            (2, 5, 4, "X X . X X / O O O . .", (0, 3), (0, 1), False),
            (*square, (0, 0), (0, 1), True),
            (*square, (0, 2), (0, 1), True),
            (*square, (0, 1), (1, 0), False),
            (*square, (1, 1), (0, 1), False),
            (*square, (0, 0), (1, 1), False),
            (*square, (0, 2), (1, -1), False),
        ):
            board = state_from(picture).board
            answer = student.TicTacToe(h, v, k).k_in_row(board, move, "X", direction)
            said = f"{drawn(board, h, v)}\nk_in_row(board, {move}, 'X', {direction}) returned"
            assert bool(answer) is expected, look(answer, True, said) or (
                f"{said} {answer!r}; expected {expected}, with {k} in a line."
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

    def test_display(self, student, capsys):
        """`display` prints the board"""
        shown = student.TicTacToe(2, 4, 3).display(state_from("X . . O / . X . ."))
        printed = capsys.readouterr().out
        lines = re.sub(r"\033\[[\d;]*m", "", printed).splitlines()  # colours are welcome
        piece = re.compile("(?<![A-NP-WYZa-z])[XO](?![A-NP-WYZa-z])")  # no letter of a word
        rows = [[found.start() for found in piece.finditer(line)] for line in lines]
        upper = next((n for n, row in enumerate(rows) if len(row) == 2), len(rows))
        lower = next((row for row in rows[upper + 1 :] if row), [])
        assert len(lower) == 1 and rows[upper][0] < lower[0] < rows[upper][1], (
            f"display printed\n{printed}\nand expected were the rows\n    X . . O\n    . X . ."
            if printed or not isinstance(shown, str)
            else "display printed nothing, and returned a text: print it."
        )


# --- parts 2 and 3 ---------------------------------------------------------------------------


class Search:
    """What holds for both searches."""

    name, to_the_end, window = "", {}, ()

    def whole(self, search):
        """Return a search that goes to the end of any tree, as a function."""
        return lambda game, state: search(**self.to_the_end)(game, state)

    def test_figure(self, student):
        """It finds the right move in A, B, C and D of figure 5.2"""
        search, game = getattr(student, self.name), Fig52Game()
        for state, best, worth in ("A", "a1", 3), ("B", "b1", 3), ("C", "c1", 2), ("D", "d3", 2):
            where = f"In {state} of figure 5.2, {game.to_move(state)} is to move and"
            move = ask(search(), game, state, best, f"{where} it returned", worth)
            assert move == best, (
                f"{where} it played {move!r}; expected was {best!r}."
                f"{first_wrong_number(self.whole(search))}"
            )
            move = search(game=game).search(state)
            assert move == best, (
                f"{self.name}(game=Fig52Game()).search({state!r}) returned {move!r}, not {best!r}."
            )

    def test_values(self, student):
        """`max_value` and `min_value` return numbers, seen by the player who is searching"""
        search = getattr(student, self.name)(game=Fig52Game())
        for method, state, player, expected, why in (
            ("max_value", "B2", "MAX", 12, "the game is over, worth 12 to MAX"),
            ("min_value", "B", "MAX", 3, "MIN takes the smallest leaf of B"),
            ("min_value", "D", "MAX", 2, "MIN takes the smallest leaf of D"),
            ("max_value", "A", "MAX", 3, "MAX takes the best of 3, 2 and 2"),
            ("max_value", "B", "MIN", -3, "MIN is searching, and loses 3 to MAX at least"),
        ):
            found = getattr(search, method)(state, player, *self.window)
            call = f"{method}{(state, player, *self.window)}"
            assert_value(found, expected, call, why)

    def test_wins(self, student):
        """It wins at once when it can, as X and as O"""
        player, game = getattr(student, self.name)(), student.TicTacToe()
        why = "which wins at once"
        assert_move(player, game, "X O X / X . O / . . O", [(2, 0)], why)
        assert_move(player, game, "X X . / O O . / X . .", [(1, 2)], why)

    def test_positions(self, student):
        """It blocks, plans a win by force, holds a draw, and makes a move even if all moves lose"""
        player, game = getattr(student, self.name)(**self.to_the_end), student.TicTacToe()
        free = [(1, 0), (1, 1), (1, 2), (2, 1)]
        for picture, moves, why in (
            ("X . . / . . O / . X O", [(0, 2)], "or else O completes a line there"),
            ("X . . / . . O / O X .", [(0, 1), (1, 1)], "for X then threatens to win twice"),
            ("X . . / X O O / . X .", [(2, 0)], "which leads to a draw; all others lose"),
            (". . X / . O O / X . .", [(1, 0)], "which leads to a draw; all others lose"),
            ("X O X / . . . / O . X", free, "for a move is needed though all lose"),
        ):
            assert_move(player, game, picture, moves, why)

    def test_games(self, student):
        """It plays other games too, and the game that it is handed, whichever it had before"""
        search = getattr(student, self.name)
        old, new = Tree([[3, 4], [1, 2]]), Tree([[1, 2], [3, 4]])
        player = search(game=old)
        for game, best in ((new, 1), (old, 0), (new, 1)):
            where = f"Made with game=Tree({old.root}) and handed Tree({game.root}),"
            move = ask(player, game, (), best, f"{where} it chose")
            assert move == best, (
                f"{where} it played {move!r}, and {best} is best: the game to use is always the "
                "last one handed."
            )
        tiny = ConnectFour(rows=2, columns=3, k=2)
        value = tiny.play_game(player, player)
        assert value == 1, (
            "In Connect Four with 2 rows, 3 columns and two in a line, the first player can always "
            f"win. Your {self.name}, on both sides, ended with the utility {value} for the first."
        )
        other = RecordedGame(Fig52Game())
        other.actions = lambda state: reversed(other.wrapped.actions(state))
        move = search()(other, "A")
        assert move == "a1", (
            f"With `actions` a generator, a3, a2, a1, it played {move!r}, not 'a1'."
        )

    def test_trees(self, student):
        """It finds the best move in other trees: uneven, deep, with ties, where all moves lose"""
        for tree, state, value, best, _ in TREES:
            player = getattr(student, self.name)(**self.to_the_end)
            assert_tree_move(player, Tree(tree), state, best, worth=value)

    def test_tree_values(self, student):
        """It finds the value of these trees, and looks at the leaves that it needs, once"""
        for tree, state, value, _, leaves in TREES:
            game, make = Tree(tree), getattr(student, self.name)
            arguments = state, game.to_move(state), *self.window
            found = make(game=game, **self.to_the_end).max_value(*arguments)
            call = f"In Tree({tree}), max_value{arguments}"
            assert_value(found, value, call, f"seen by {game.to_move(state)}")
            self.assert_leaves(game, state, leaves)
            game.generated.clear()
            make(**self.to_the_end)(game, state)
            self.assert_leaves(game, state, leaves)


class Test_MiniMax(Search):
    """The plain search."""

    name = "MiniMax"

    def assert_leaves(self, game, state, leaves):
        """Fail unless it has looked at each leaf once."""
        whole = Tree(game.root)
        whole.generate(state)
        assert sorted(game.seen()) == sorted(whole.seen()), (
            f"{game.place(state)} it looked at the leaves {game.seen()}; expected all of "
            f"{whole.seen()}, once."
        )

    def test_whole(self, student):
        """In tic-tac-toe too it looks at every state, each time that the game can come to it"""
        game = RecordedGame(student.TicTacToe())
        state = state_from("X . . / X O O / . X .")
        game.generate(state)
        expected = len(game.generated)
        game.generated.clear()
        student.MiniMax()(game, state)
        assert game.generated, (
            "Your MiniMax generated no state of the game that it was handed: ask self.game."
        )
        assert len(game.generated) == expected, (
            f"{drawn(state.board)}\nFrom here there are {expected} ways to come to a state, and "
            f"your MiniMax generated {len(game.generated)} states. Go each way once: prune "
            "nothing, remember no boards, and do not search again for the move."
        )


class Test_AlphaBeta(Search):
    """The search that prunes, and that stops at a certain depth."""

    name, to_the_end, window = "AlphaBeta", {"d": 20}, (-infinity, infinity, 0)

    def assert_leaves(self, game, state, leaves):
        """Fail unless it has looked at the leaves that matter, and at no other or twice."""
        wrong = game.astray(state, leaves, game.seen())
        assert not wrong, wrong

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

    def test_prunes_deep_down(self, student):
        """In a tree of nine plies it prunes at every depth"""
        game = Tree(full_tree())
        move, found = student.AlphaBeta(d=9)(game, ()), len(game.generated)
        assert move == 0, (
            f"In Tree(canvas.first_wrong.full_tree()) it played {move!r}, not 0."
            f"{beyond_the_figure(self.whole(student.AlphaBeta))}"
        )
        assert found <= (297 if game.from_the_left() else 900), (
            f"In Tree(canvas.first_wrong.full_tree()), with nine plies, it generated {found} of "
            "1,022 states; alpha-beta needs 297 from the left. Does MAX raise alpha, and MIN lower "
            "beta, at every depth?"
        )

    def test_window(self, student):
        """A window that is handed down says what still matters"""
        game = Tree([[3, 12, 1], 6])
        search = student.AlphaBeta(9, game)
        for alpha, least, most, leaves in (5, -infinity, 5, [3]), (0, 1, 1, [3, 12, 1]):
            game.generated.clear()
            call = f"min_value((0,), 'MAX', {alpha}, infinity, 1)"
            found = search.min_value((0,), "MAX", alpha, infinity, 1)
            look(found, 0, f"{call} returned")
            assert least <= found <= most, (
                f"In Tree({game.root}), {call} returned {found}; expected "
                f"{1 if alpha == 0 else 'at most 5'}."
            )
            assert not game.from_the_left() or game.seen() == leaves, (
                f"In Tree({game.root}), {call} generated the leaves {game.seen()}; expected "
                f"{leaves}: after the 3 it cannot reach 5 any more, and may still reach 0."
            )

    def test_depth(self, student):
        """With d=1, or a `cutoff_test` in its place, it goes no deeper than the root's children"""
        make, eval_fn, cutoff_test = student.AlphaBeta, estimating(B=1, C=5, D=3), cutting(1)
        for how, player in (
            ("d=1", make(d=1, eval_fn=eval_fn)),
            ("AlphaBeta(4, None, cutoff_test, eval_fn)", make(4, None, cutoff_test, eval_fn)),
            ("a cutoff_test", make(cutoff_test=cutoff_test, eval_fn=eval_fn)),
        ):
            game = RecordedGame(Fig52Game())
            move = player(game, "A")
            assert set(game.generated) == {"B", "C", "D"}, (
                f"With {how} it generated {' '.join(game.generated)}; B, C and D are one ply away."
                " (cutoff_test says True from depth 1 on.)"
            )
            look(move, "a2", f"With {how} it returned", "the move", 5)
            assert move == "a2", (
                f"With {how} and an eval_fn that says B 1, C 5, D 3, MAX played {move!r}; expected "
                "'a2'."
            )

    def test_depths(self, student):
        """In deep trees it looks d plies ahead, and no further, whoever is to move there"""
        how = " and an eval_fn that says the first number below a state,"
        for state, d, move in ((), 1, 0), ((), 2, 0), ((), 3, 0), ((), 4, 1), ((1,), 1, 1):
            game = Tree(DEEP)
            player = student.AlphaBeta(d=d, eval_fn=game.leftmost)
            student.AlphaBeta(d=d + 1)  # another player, which looks further
            for _ in range(2):
                assert_tree_move(player, game, state, [move], f" with d={d}{how}")
            deepest = game.deepest(state)
            assert deepest == d, (
                f"{game.place(state)} with d={d}{how} it generated states that are {deepest} plies "
                "away. Which depth does `search` hand to the children of the root?"
            )
        game = Tree(going_on(DEEP, 4))
        student.AlphaBeta()(game, ())
        assert game.deepest() == 4, f"Without a d it looks {game.deepest()} plies ahead, not 4."
        for tree, d, _, best in drawn_trees():
            game = Tree(going_on(tree, d))
            player = student.AlphaBeta(d=d, eval_fn=game.leftmost)
            assert_tree_move(player, game, (), best, f" with d={d}{how}")
            deepest = game.deepest()
            assert deepest <= d, f"{game.place(())} with d={d} it looked {deepest} plies ahead."

    def test_told_depth(self, student):
        """It tells `cutoff_test` how deep a state is, and asks it instead of d"""
        for tree, d, best in (DEEP, 4, 1), (DEEP, 1, 1), (WIDE, 1, 5):
            game = Tree(tree)

            def cutoff_test(state, depth, game=game):
                assert depth == len(state), (
                    f"{game.place(())} cutoff_test was called with the state {state!r} and the "
                    f"depth {depth!r}. A state that is n moves away from the root is at depth n."
                )
                return False

            player = student.AlphaBeta(d=d, cutoff_test=cutoff_test)
            how = f" with d={d} and a cutoff_test that never says True"
            assert_tree_move(player, game, (), [best], how)

    def test_own_estimate(self, student):
        """Its own estimate is a number, whatever the states of a game are"""
        for game, state in (Fig52Game(), "B"), (TreeGame([1, 2, 3, 4], 2), (1,)):
            player = student.AlphaBeta(1, game)
            call = f"With d=1 and no eval_fn, min_value({state!r}, 'MAX', -infinity, infinity, 1)"
            look(player.min_value(state, "MAX", -infinity, infinity, 1), 0, f"{call} returned")

    def test_over(self, student):
        """A finished game counts with its utility, whatever `eval_fn` says"""
        for state, expected, how, options in (
            ("A", "a1", "d=2", {"d": 2}),
            ("A", "a1", "d=4", {"d": 4}),
            ("A", "a1", "a cutoff_test, True from depth 2 on", {"cutoff_test": cutting(2)}),
            ("B", "b1", "d=1", {"d": 1}),
        ):
            sign = -1 if state == "A" else 1  # so that it is wrong for whoever is to move
            wrong = estimating(**{leaf: sign * one for leaf, one in Fig52Game.leaves.items()})
            move = student.AlphaBeta(**options, eval_fn=wrong)(Fig52Game(), state)
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
        others = "random", "MiniMax"
        expected = {(one, "AlphaBeta") for one in others} | {("AlphaBeta", one) for one in others}
        missing, strange = expected - set(student.results), set(student.results) - expected
        assert not missing, f"No result has the key {min(missing)}: has the cell run to its end?"
        assert not strange, f"results has the key {min(strange, key=str)}, which is no game here."

    def test_utilities(self, student):
        """Each result is the utility for who went first, and MiniMax and AlphaBeta lose no game"""
        assert student.results, "`results` is empty: no game has been played yet."
        for names, value in student.results.items():
            look(value, 0, f"results[{names}] is")
            assert value in (-1, 0, 1), f"results[{names}] is {value}: expected -1, 0 or 1."
            for name in {"MiniMax", "AlphaBeta"} & set(names):
                assert value != (-1 if names[0] == name else 1), (
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
                look(seconds, 0, f"A time in time_taken[{name!r}] is")
                assert seconds >= 0, f"{where}: no time is negative."
            assert sum(times) < 240, (
                f"{where}: longer than a cell may take. Expected seconds: the clock after a game "
                "minus the clock before it."
            )
            assert times != sorted(set(times)), (
                f"{where}: each is longer than the one before. Start the clock anew for each game."
            )
