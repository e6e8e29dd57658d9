"""The public checks of the assignment tic-tac-toe.

Run them in the notebook, `check("MiniMax")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.MiniMax` is what the notebook calls `MiniMax`. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

import pytest

from check import student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, Game, TreeGame, after, infinity, state_from

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
    assert isinstance(value, int | float), (
        f"{call} returned {value!r}: a value is a number, not a {type(value).__name__}."
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


class Recorder(Game):
    """Another game, and a list of all the states that are generated in it."""

    def __init__(self, game):
        """Start with an empty list."""
        self.wrapped = game
        self.initial = game.initial
        self.generated = []

    def actions(self, state):
        """Pass the question on."""
        return self.wrapped.actions(state)

    def result(self, state, move):
        """Pass the question on, and write down the answer."""
        child = self.wrapped.result(state, move)
        self.generated.append(child)
        return child

    def utility(self, state, player):
        """Pass the question on."""
        return self.wrapped.utility(state, player)

    def terminal_test(self, state):
        """Pass the question on."""
        return self.wrapped.terminal_test(state)

    def to_move(self, state):
        """Pass the question on."""
        return self.wrapped.to_move(state)

    def leaves(self):
        """Return the terminal states that were generated, each of them once."""
        return sorted({state for state in self.generated if self.wrapped.terminal_test(state)})


class Lazy(Recorder):
    """Another game, whose `actions` are a generator."""

    def actions(self, state):
        """Offer the moves one after the other."""
        yield from self.wrapped.actions(state)


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
        for move, why in ((0, 1), "is taken"), ((2, 0), "is not on the board"):
            with_what = None
            try:
                with_what = game.result(state, move)
            except ValueError:
                continue
            pytest.fail(
                f"{drawn(state.board, 2, 4)}\nHere {move} {why}, but result(state, {move}) "
                f"returned\n{with_what}\ninstead of raising a ValueError.",
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
        ):
            game = student.TicTacToe(h, v, k)
            state = after(game, moves)
            assert game.utility(state, "X") == 1, (
                f"{drawn(state.board, h, v)}\nX has won on this board with {h} rows and {v} "
                f"columns, {k} in a line. utility(state, 'X') returned "
                f"{game.utility(state, 'X')}; expected 1."
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

    def test_display(self, student, capsys):
        """`display` prints the board"""
        student.TicTacToe(2, 4, 3).display(state_from("X . . O / . X . ."))
        printed = capsys.readouterr().out
        assert [character for character in printed if character in "XO"] == ["X", "O", "X"], (
            f"display printed\n{printed}\nand expected were the rows\n    X . . O\n    . X . ."
        )


# --- part 2 ----------------------------------------------------------------------------------


class Test_MiniMax:
    """The plain search."""

    def test_figure(self, student):
        """It finds the right move in A, B, C and D of figure 5.2"""
        for state, expected in ("A", "a1"), ("B", "b1"), ("C", "c1"), ("D", "d3"):
            move = student.MiniMax()(Fig52Game(), state)
            assert move == expected, (
                f"In {state}, {Fig52Game().to_move(state)} is to move and your MiniMax played "
                f"{move!r}; expected was {expected!r}."
            )

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
        game = Recorder(Fig52Game())
        student.MiniMax()(game, "A")
        assert len(game.leaves()) == 9, (
            f"These are the leaves that it generated: {game.leaves()}. "
            "Plain minimax looks at all nine."
        )

    def test_wins(self, student):
        """It wins at once when it can, as X and as O"""
        game, why = student.TicTacToe(), "which wins at once"
        assert_move(student.MiniMax(), game, "X O X / X . O / . . O", [(2, 0)], why)
        assert_move(student.MiniMax(), game, "X X . / O O . / X . .", [(1, 2)], why)

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

    def test_lost(self, student):
        """It makes a legal move even when all moves lose"""
        free = [(1, 0), (1, 1), (1, 2), (2, 1)]
        why = "for a legal move is needed even though all of them lose"
        assert_move(student.MiniMax(), student.TicTacToe(), "X O X / . . . / O . X", free, why)

    def test_games(self, student):
        """It plays other games too, and the game that it is handed"""
        tiny = ConnectFour(rows=2, columns=3, k=2)
        player = student.MiniMax(Fig52Game())
        value = tiny.play_game(player, player)
        assert value == 1, (
            "In Connect Four with 2 rows, 3 columns and two in a line, the first player can always "
            f"win. Your MiniMax, on both sides, ended with the utility {value} for the first."
        )
        move = student.MiniMax()(Lazy(Fig52Game()), "A")
        assert move == "a1", f"With `actions` that are a generator it played {move!r}, not 'a1'."


# --- part 3 ----------------------------------------------------------------------------------


class Test_AlphaBeta:
    """The search that prunes, and that stops at a certain depth."""

    def test_figure(self, student):
        """It finds the right move in A, B, C and D of figure 5.2"""
        for state, expected in ("A", "a1"), ("B", "b1"), ("C", "c1"), ("D", "d3"):
            move = student.AlphaBeta()(Fig52Game(), state)
            assert move == expected, (
                f"In {state}, {Fig52Game().to_move(state)} is to move and your AlphaBeta played "
                f"{move!r}; expected was {expected!r}."
            )

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
        game = Recorder(Fig52Game())
        student.AlphaBeta()(game, "A")
        if game.generated[0] == "B":  # another order of the moves is fine, and prunes elsewhere
            assert not {"C2", "C3"} & set(game.generated), (
                f"It generated {' '.join(game.generated)}.\nWhen C1 turns out to be worth 2, MAX "
                "has 3 from B already: C2 and C3 cannot matter any more."
            )

    def test_prunes_for_both(self, student):
        """`max_value` and `min_value` both skip what cannot matter"""
        leaves = [8, 9, 7, 1, 2, 3, 7, 9, 8]
        for method, player in ("max_value", "MAX"), ("min_value", "MIN"):
            game = Recorder(TreeGame(leaves))
            search = student.AlphaBeta(game=game)
            getattr(search, method)((), player, -infinity, infinity, 0)
            assert len(game.leaves()) < 9, (
                f"The root of TreeGame({leaves}) was valued by {method}((), {player!r}, "
                "-infinity, infinity, 0), and all nine leaves were generated.\n"
                "Once the first or the last child is known to be 7, one leaf shows that the "
                "middle one does not matter: its other leaves can be skipped."
            )

    def test_wins(self, student):
        """It wins at once when it can, as X and as O"""
        game, why = student.TicTacToe(), "which wins at once"
        assert_move(student.AlphaBeta(), game, "X O X / X . O / . . O", [(2, 0)], why)
        assert_move(student.AlphaBeta(), game, "X X . / O O . / X . .", [(1, 2)], why)

    def test_blocks_and_plans(self, student):
        """It blocks a threat, and finds a move that wins by force"""
        player, game = student.AlphaBeta(d=9), student.TicTacToe()
        why = "or else O completes a line there"
        assert_move(player, game, "X . . / . . O / . X O", [(0, 2)], why)
        why = "after which X threatens to win in two places"
        assert_move(player, game, "X . . / . . O / O X .", [(0, 1), (1, 1)], why)

    def test_lost(self, student):
        """It makes a legal move even when all moves lose"""
        free = [(1, 0), (1, 1), (1, 2), (2, 1)]
        why = "for a legal move is needed even though all of them lose"
        assert_move(student.AlphaBeta(d=9), student.TicTacToe(), "X O X / . . . / O . X", free, why)

    def test_depth(self, student):
        """With d=1 it goes no deeper than the children of the root"""
        estimates = {"B": 1, "C": 5, "D": 3}
        game = Recorder(Fig52Game())
        move = student.AlphaBeta(d=1, eval_fn=lambda state: estimates.get(state, 0))(game, "A")
        assert set(game.generated) == {"B", "C", "D"}, (
            f"With d=1 it generated {' '.join(game.generated)}; B, C and D are one ply away."
        )
        assert move == "a2", (
            f"With d=1 and an eval_fn that says B 1, C 5, D 3, MAX played {move!r}; expected 'a2'."
        )

    def test_cutoff(self, student):
        """A given `cutoff_test` takes the place of d"""
        game = Recorder(Fig52Game())
        student.AlphaBeta(cutoff_test=lambda state, depth: depth >= 1)(game, "A")
        assert set(game.generated) == {"B", "C", "D"}, (
            "With a cutoff_test that says True from depth 1 on it generated "
            f"{' '.join(game.generated)}; expected were B, C and D only."
        )
        move = student.AlphaBeta(cutoff_test=lambda state, depth: False)(Fig52Game(), "A")
        assert move == "a1", (
            f"With a cutoff_test that never says True it played {move!r}, not 'a1'."
        )

    def test_over(self, student):
        """A finished game counts with its utility, whatever `eval_fn` says"""
        wrong = {leaf: -value for leaf, value in Fig52Game.leaves.items()}
        for d in 2, 4:
            move = student.AlphaBeta(d=d, eval_fn=lambda state: wrong.get(state, 0))(
                Fig52Game(), "A"
            )
            assert move == "a1", (
                f"With d={d} the leaves of figure 5.2 are within sight, but it played {move!r} and "
                "not 'a1'. It seems to have asked eval_fn about them, which is wrong on purpose."
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

    def test_minimax(self, student):
        """MiniMax loses no game"""
        assert student.results, "`results` is empty: no game has been played yet."
        for names, value in student.results.items():
            lost = -1 if names[0] == "MiniMax" else 1
            assert "MiniMax" not in names or value != lost, (
                f"results[{names}] is {value}, so MiniMax lost. On the usual board a player that "
                "looks to the end of the game can always have a draw at least."
            )


class Test_evaluation_a:
    """The measurements, as they stand in the two dicts."""

    def test_utilities(self, student):
        """`terminal_states` holds the ten utilities of each player"""
        for name in "MiniMax", "AlphaBeta":
            values = list(student.terminal_states[name])
            where = f"terminal_states[{name!r}] is {values}"
            assert len(values) == 10, f"{where}: it should hold 10 utilities, not {len(values)}."
            assert set(values) <= {-1, 0, 1}, f"{where}: each should be -1, 0 or 1."

    def test_openings(self, student):
        """The ten games are not all alike"""
        values = list(student.terminal_states["MiniMax"])
        assert len(set(values)) > 1, (
            f"terminal_states['MiniMax'] is {values}. After some of the openings X can force a "
            "win, and after others not: did each game start from its own opening?"
        )

    def test_times(self, student):
        """`time_taken` holds the ten times of each player, in seconds"""
        for name in "MiniMax", "AlphaBeta":
            times = list(student.time_taken[name])
            where = f"time_taken[{name!r}] is {times}"
            assert len(times) == 10, f"{where}: it should hold 10 times, not {len(times)}."
            for seconds in times:
                assert_number(seconds, f"a time in time_taken[{name!r}]")
                assert seconds >= 0, f"{where}: no time is negative."
