"""The public checks of the assignment tic-tac-toe.

Run them in the notebook, `check("MiniMax")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X", besides those that it has from `searches.py`; in each
check, `student` is your notebook and `student.MiniMax` is what the notebook calls `MiniMax`. You
are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

import contextlib
import copy
import io
import re

from canvas.boards import Board
from check import student  # noqa: F401 - pytest finds it by its name
from games import Fig52Game, TreeGame, infinity, state_from
from hints import Hints, expect, look  # noqa: F401 - `check` finds Hints by its name
from searches import DEEP, LONG, Choosing, Plain, Pruning, Tree

NOT_COVERED = "all: other boards, trees and positions decide the mark"

# --- part 1 ----------------------------------------------------------------------------------

ENDS = (  # h, v, k, the board, the last move, and whether it wins
    (3, 3, 3, "O X . / . X . / O . .", (2, 1), True),
    (6, 6, 5, "OO...X / O...X. / ...X.. / O.X... / ...... / ......", (4, 1), True),
    (4, 5, 4, "O X . . . / . . X . . / O . . X . / O . . . .", (3, 4), True),
    (3, 7, 3, "X X . X X . . / O O . O O . . / . . . . . . .", (0, 2), True),
    (3, 3, 3, "X X . / O O . / . X .", (1, 2), True),  # by O
    (4, 4, 4, ". X . . / . . X . / O . . . / O O . X", (2, 3), False),
    (3, 3, 3, "X O X / X O O / . X .", (2, 0), False),
    (2, 3, 3, "X O X / O X .", (1, 2), False),  # a draw
)
ROWS = (  # h, v, k, the board, a square, a direction, and whether k X stand in a row there
    (2, 5, 4, "X X X X . / O O O . .", (0, 2), (0, 1), True),
    (2, 5, 4, "X X . X X / O O O . .", (0, 3), (0, 1), False),
    (4, 4, 3, "X X X . / O X . . / O O . . / . . . .", (0, 1), (1, 0), False),
    (4, 4, 3, "X X X . / O X . . / O O . . / . . . .", (1, 1), (0, 1), False),
)


def step(game, state, move):
    """Return what `result` returns; fail unless it is another state, with a board."""
    before, call = copy.deepcopy(state), f"result(state, {move}) returned"
    new = game.result(state, move)
    for name in "board", "moves":
        prefix = f"result(state, {move}) has changed state.{name} to"
        expect(prefix, getattr(state, name), getattr(before, name))
    if not hasattr(new, "board"):
        look(new, state, call, "a GameState")
    expect_board(new, call)
    return new


def expect_board(state, prefix):
    """Fail unless the board of a state is a dict."""
    if not hasattr(state.board, "items"):
        order = "a dict, and the order is GameState(to_move, utility, board, moves)"
        look(state.board, {}, f"{prefix} {state}. Its board is", order)


def expect_state(game, h, v, state, where, board):
    """Fail unless a state has this board, its player to move, and all free squares as moves."""
    expect_board(state, f"{where} the state is")
    expect(f"{where} the board is", dict(state.board), board)
    expect(f"{where} to_move(state) is", game.to_move(state), "XO"[len(board) % 2])
    squares = {(row, column) for row in range(h) for column in range(v)}
    for again in "", " when it is asked again, and its first list was emptied,":
        moves, prefix = game.actions(state), f"{where} actions(state){again}"
        if not hasattr(moves, "__iter__"):
            look(moves, [], f"{prefix} returned", "the moves, a list or a generator")
        expect(f"{prefix} has", sorted(moves, key=str), sorted(squares - {*board}))
        if isinstance(moves, list):
            moves.clear()


class Test_TicTacToe:
    """The rules, on boards of several sizes."""

    def test_moves(self, student):
        """It begins with an empty board; a move puts a piece there and passes the turn"""
        sizes = {(3, 3, 3): "X O . / . . . / . . .", (2, 5, 3): "X O . . . / . . . . ."}
        games = [student.TicTacToe(*size) for size in sizes]
        for game, (size, picture) in zip(games, sizes.items(), strict=True):
            where, (h, v, _) = f"In TicTacToe{size}", size
            expect_state(game, h, v, game.initial, f"{where}, at the beginning,", {})
            state, board = state_from(picture), {(0, 0): "X", (0, 1): "O"}
            for who, move in ("X", (1, 1)), ("O", (1, 0)):
                state, board = step(game, state, move), {**board, move: who}
                prefix = f"{Board(h, v, board).text()}\n{where}, after {who} on {move},"
                expect_state(game, h, v, state, prefix, board)

    def test_illegal(self, student):
        """An illegal move raises a ValueError"""
        game, state = student.TicTacToe(2, 4, 3), state_from(". X . . / . . . .")
        for move in (0, 1), (2, 0), (0, 4), (-1, 0):
            where = "taken" if move in state.board else "beside the board"
            try:
                effect = f"returned {game.result(state, move)}"
            except ValueError:
                continue
            except (AssertionError, LookupError) as error:
                effect = f"raised {error!r}"
            prefix = f"{Board(2, 4, state.board).text()}\nHere {move} is {where}, and"
            raise AssertionError(f"{prefix} result(state, {move}) {effect}; expected a ValueError.")

    def test_ends(self, student):
        """A line of k or more wins, in each direction, at each edge; a full board ends the game"""
        games = [student.TicTacToe(h, v, k) for h, v, k, *_ in ENDS]
        for game, (h, v, k, picture, move, wins) in zip(games, ENDS, strict=True):
            state = state_from(picture)
            end, who = step(game, state, move), state.to_move
            game.result(game.initial, (0, 0))  # another state, which is not over
            prefix = f"{Board(h, v, end.board).text()}\nIn TicTacToe{h, v, k} after {who} on {move}"
            over, right = bool(game.terminal_test(end)), wins or len(end.board) == h * v
            why = "" if "terminal_test" in vars(type(game)) else "it is that of Game"
            expect(f"{prefix} terminal_test(state) is", over, right, why=why)
            utility = {"X": 1, "O": -1}[who] * wins
            answer = game.compute_utility(end.board, move, who)
            expect(f"{prefix} compute_utility(board, {move}, {who!r}) returned", answer, utility)
            for player, value in ("X", utility), ("O", -utility):
                answer = game.utility(end, player)
                expect(f"{prefix} utility(state, {player!r}) returned", answer, value)

    def test_k_in_row(self, student):
        """`k_in_row` looks along one direction, to both sides; a gap in a line does not count"""
        for h, v, k, picture, move, direction, right in ROWS:
            board = state_from(picture).board
            answer = bool(student.TicTacToe(h, v, k).k_in_row(board, move, "X", direction))
            prefix = f"{Board(h, v, board).text()}\nIn TicTacToe{h, v, k}"
            expect(f"{prefix} k_in_row(board, {move}, 'X', {direction}) is", answer, right)

    def test_display(self, student):
        """`display` prints the board"""
        with contextlib.redirect_stdout(io.StringIO()) as output:
            answer = student.TicTacToe(2, 4, 3).display(state_from("X . . O / . X . ."))
        lines = output.getvalue()
        text = re.sub(r"\033\[[\d;]*m|[A-Za-z]{2,}", "", lines)  # colours and words are welcome
        assert re.search(r"X[^XO\n]*O[^XO\n]*\n[^XO]*X", text), (
            f"display printed\n{lines}\nand expected were the rows\n    X . . O\n    . X . ."
            if lines or not isinstance(answer, str)
            else "display printed nothing, and returned a text: print it."
        )


# --- parts 2 and 3 ---------------------------------------------------------------------------

VALUES = (  # in figure 5.2: a method, a state, who searches, and the value
    ("max_value", "B2", "MAX", 12),
    ("min_value", "B", "MAX", 3),
    ("min_value", "D", "MAX", 2),
    ("max_value", "A", "MAX", 3),
    ("max_value", "B", "MIN", -3),
)
POSITIONS = (
    ("X O X / X . O / . . O", [(2, 0)], "which wins at once"),
    ("X . . / . . O / . X O", [(0, 2)], "or else O completes a line there"),
    ("X . . / . . O / O X .", [(0, 1), (1, 1)], "for X then threatens to win twice"),
    ("X . . / X O O / . X .", [(2, 0)], "which leads to a draw; all others lose"),
    ("X O X / . . . / O . X", [(1, 0), (1, 1), (1, 2), (2, 1)], "a move is needed though all lose"),
)


class Player(Choosing):
    """A class whose objects are players."""

    to_the_end, window = {}, ()

    def searching(self, student):
        """Return a function that makes a player and asks it for its move."""
        return lambda game, state: getattr(student, self.name)(**self.to_the_end)(game, state)

    def test_values(self, student):
        """`max_value` and `min_value` return numbers, seen by the player who is searching"""
        make, figure = getattr(student, self.name), Fig52Game()
        for method, *arguments, value in VALUES:
            arguments = (*arguments, *self.window)
            answer = getattr(make(game=figure), method)(*arguments)
            expect(f"In figure 5.2 {method}{arguments} returned", answer, value)
        move = make(game=figure).search("A")
        expect("In figure 5.2 search('A') returned", move, "a1", form="the move")

    def test_positions(self, student):
        """It wins, blocks, plans a win, holds a draw, and makes a move even if all moves lose"""
        player, game = getattr(student, self.name)(**self.to_the_end), student.TicTacToe()
        for picture, moves, why in POSITIONS:
            state = state_from(picture)
            prefix = f"{Board(3, 3, state.board).text()}\nHere {state.to_move} moves, and it chose"
            expect(prefix, player(game, state), *moves, why=why, form="the move")

    def test_handed(self, student):
        """It plays in the game that it is handed, whichever it had before"""
        old, new = Tree([[3, 4], [1, 2]]), Tree([[1, 2], [3, 4]])
        player, _ = (getattr(student, self.name)(game=game) for game in (old, new))
        start = f"Made with game=Tree({old.root}), before another one with Tree({new.root}),"
        expect(f"{start} search(()) returned", player.search(()), 0, form="the move")
        for game, best in (new, 1), (old, 0), (new, 1):
            prefix = f"{start} and handed Tree({game.root}), it chose"
            expect(prefix, player(game, ()), best, form="the move")


class Test_MiniMax(Player, Plain):
    """The plain search."""

    name = "MiniMax"


PLIES = (  # a state of DEEP, d, where cutoff_test says True, plies ahead, and the best move
    ((), 1, None, 1, 0),
    ((), 2, None, 2, 0),
    ((), 3, None, 3, 0),
    ((), 4, None, 4, 1),
    ((1,), 1, None, 1, 1),
    ((0, 0, 0), 1, None, 1, 1),
    ((), 4, 1, 1, 0),
    ((), 4, 4, 4, 1),
    ((), 1, 3, 3, 0),
    ((), 1, 9, 4, 1),
)


class Test_AlphaBeta(Player, Pruning):
    """The search that prunes, and that stops at a certain depth."""

    name, to_the_end, window = "AlphaBeta", {"d": 20}, (-infinity, infinity, 0)

    def test_window(self, student):
        """A window that is handed down says what still matters"""
        game = Tree([[3, 12, 1], 6])
        search = student.AlphaBeta(9, game)
        for alpha, skipped in (5, [12, 1]), (0, []):
            game.generated.clear()
            value = search.min_value((0,), "MAX", alpha, infinity, 1)
            call = f"min_value((0,), 'MAX', {alpha}, infinity, 1)"
            where = f"In Tree({game.root}), asked for {call},"
            look(value, 0, f"{where} it returned")
            right = "at most 5" if alpha else "1"
            assert value <= alpha or value == 1, f"{where} it returned {value}; expected {right}."
            game.expect_skipped(skipped, where)

    def test_depth(self, student):
        """It stops d plies ahead, or where cutoff_test says so, and asks eval_fn there alone"""
        for state, d, stop, plies, best in PLIES:
            game = Tree(DEEP)

            def cutoff_test(state, depth, *, stop=stop):
                label = f"The depth that cutoff_test was told with the state {state} of the tree is"
                expect(label, depth, len(state))
                return depth >= stop

            def eval_fn(state, *, game=game):
                return game.leftmost(state) / 100

            player = student.AlphaBeta(d, None, stop and cutoff_test, eval_fn)
            student.AlphaBeta(d=d + 1)  # another player, which looks further
            how = f"{game.place(state)} with d={d}, "
            how += f"a cutoff_test that says True from depth {stop} on, " if stop else ""
            how += "and an eval_fn that says a hundredth of the first number below,"
            for _ in range(2):
                expect(f"{how} it chose", player(game, state), best, form="the move")
            expect(f"{how} the number of plies that it looks ahead is", game.deepest(state), plies)

    def test_defaults(self, student):
        """Without a d it looks four plies ahead, and without an eval_fn it has numbers, too"""
        game = Tree(LONG)
        student.AlphaBeta()(game, ())
        expect("Without a d the number of plies that it looks ahead is", game.deepest(), 4)
        for game, state in (Fig52Game(), "B"), (TreeGame([1, 2, 3, 4], 2), (1,)):
            player = student.AlphaBeta(1, game)
            call = f"With d=1 and no eval_fn, min_value({state!r}, 'MAX', -infinity, infinity, 1)"
            look(player.min_value(state, "MAX", -infinity, infinity, 1), 0, f"{call} returned")


# --- parts 4 and 5 ---------------------------------------------------------------------------

NAMES = "MiniMax", "AlphaBeta"


class Test_playing:
    """The four games, as they stand in `results`."""

    def test_results(self, student):
        """`results` holds four games under their players; MiniMax and AlphaBeta lose none"""
        others = "random", "MiniMax"
        right = {(one, "AlphaBeta") for one in others} | {("AlphaBeta", one) for one in others}
        expect("The keys of results are", sorted(student.results, key=str), sorted(right))
        for names, value in student.results.items():
            losses = [-1 if name == names[0] else 1 for name in NAMES if name in names]
            right = [one for one in (0, 1, -1) if one not in losses]
            why = "a player that looks to the end of the game never loses on the usual board"
            expect(f"results[{names}] is", value, *right, why=why)


class Test_evaluation_a:
    """The measurements, as they stand in the two dicts."""

    def test_utilities(self, student):
        """`terminal_states` holds the ten utilities of each player, which are not all alike"""
        ten = {name: student.terminal_states[name] for name in NAMES}
        for name, values in ten.items():
            where = f"terminal_states[{name!r}] is"
            look(values, [0] * 10, where, "a list of ten utilities")
            for value in values:
                expect(f"{where} {values}; one of them is", value, 0, 1, -1)
            assert len(set(values)) > 1, (
                f"{where} {values}; expected some wins: after some of the openings X can force one."
            )
        assert [*ten["AlphaBeta"]] == [*ten["MiniMax"]], f"terminal_states is {ten}: these differ."

    def test_times(self, student):
        """`time_taken` holds the ten times of each player, in seconds"""
        for name in NAMES:
            where = f"time_taken[{name!r}] is"
            look(student.time_taken[name], [0] * 10, where, "a list of ten times")
            times = list(student.time_taken[name])
            assert min(times) >= 0, f"{where} {times}: no time is negative."
            grows = times == sorted(set(times))
            assert not grows, f"{where} {times}: each is longer than the one before."
        total = sum(sum(student.time_taken[name]) for name in NAMES)
        assert total < 120, (
            f"The times are {total:.0f} together: in seconds that is more than a cell may compute."
        )
