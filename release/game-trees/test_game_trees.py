"""The public checks of the assignment game-trees.

Run them in the notebook, `check("fig52")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.my_nine` is what the notebook calls `my_nine`. Of the numbers that are found by hand they
look at the form only. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from check import student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, Game, TreeGame, personal_leaves

# --- helpers: what the checks below share ----------------------------------------------------


def assert_number(value, what):
    """Fail unless `value` is a number."""
    assert isinstance(value, int | float) and not isinstance(value, bool), (
        f"{what} is {value!r}: write a number there, not a {type(value).__name__}."
    )


def assert_numbers(values, count, what):
    """Fail unless `values` is a list of so many numbers."""
    assert isinstance(values, list | tuple), f"{what} is {values!r}: write a list of {count}."
    assert len(values) == count, f"{what} holds {len(values)} numbers: there should be {count}."
    for value in values:
        assert_number(value, f"One of the numbers in {what}")


def assert_table(table, keys, what):
    """Fail unless `table` is a dict with these keys, and numbers."""
    assert isinstance(table, dict), f"{what} is {table!r}: write a dict."
    assert set(table) == set(keys), (
        f"The keys of {what} are {sorted(table, key=str)}; they should be {sorted(keys)}."
    )
    for key in keys:
        assert_number(table[key], f"{what}[{key!r}]")


def assert_moves(search, name):
    """Fail unless `search` makes the best move in each state of figure 5.2."""
    game = Fig52Game()
    for state, expected in ("A", "a1"), ("B", "b1"), ("C", "c1"), ("D", "d3"):
        move = search(state, game)
        assert move == expected, (
            f"In {state}, {game.to_move(state)} is to move and {name}({state!r}, game) returned "
            f"{move!r}; expected was {expected!r}."
        )


class Recorder(Game):
    """Another game, and a list of all the states that are generated in it."""

    def __init__(self, game):
        """Start with an empty list."""
        self.wrapped = game
        self.initial = game.initial
        self.generated = []

    def actions(self, state):
        """Offer the moves one after the other, by a generator."""
        yield from self.wrapped.actions(state)

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


LOST = [-5, -9, -8, -7, -6, -4, -3, -2]  # MAX can lose 2 to 9, and nothing else


# --- parts 1 to 3 ----------------------------------------------------------------------------


class Test_two_ply:
    """The tree of four leaves."""

    def test_values(self, student):
        """The values are three numbers, the move is 0 or 1"""
        assert_numbers(student.two_ply_values, 2, "two_ply_values")
        assert_number(student.two_ply_value, "two_ply_value")
        assert student.two_ply_move in (0, 1), (
            f"two_ply_move is {student.two_ply_move!r}: the moves are 0, left, and 1, right."
        )

    def test_coin(self, student):
        """The averages are two numbers, the move is 0 or 1"""
        assert_numbers(student.coin_values, 2, "coin_values")
        assert student.coin_move in (0, 1), (
            f"coin_move is {student.coin_move!r}: the moves are 0, left, and 1, right."
        )


class Test_fig52:
    """The tree of nine leaves."""

    def test_values(self, student):
        """There is a number for each of A, B, C and D, for MAX and for MIN"""
        assert_table(student.fig52_values, "ABCD", "fig52_values")
        assert_table(student.fig52_values_for_min, "ABCD", "fig52_values_for_min")

    def test_leaves(self, student):
        """There is an alpha for C and for D, and two numbers of leaves from 1 to 9"""
        assert_table(student.fig52_alpha, "CD", "fig52_alpha")
        for name in "fig52_leaves", "fig52_leaves_reversed":
            value = getattr(student, name)
            assert_number(value, name)
            assert 1 <= value <= 9, f"{name} is {value}, but the tree has 9 leaves."


class Test_my_tree:
    """The tree of 27 leaves."""

    def test_tree(self, student):
        """`student_id` is a text from which a tree can be made"""
        assert isinstance(student.student_id, str), (
            f'student_id is {student.student_id!r}: write it between quotes, "...".'
        )
        assert len(personal_leaves(student.student_id)) == 27

    def test_nine(self, student):
        """`my_nine` are nine numbers, each of them a leaf of its row"""
        leaves, nine = personal_leaves(student.student_id), student.my_nine
        assert_numbers(nine, 9, "my_nine")
        for i in range(9):
            row = leaves[3 * i : 3 * i + 3]
            assert nine[i] in row, f"my_nine[{i}] is {nine[i]}, but its row has {row}."

    def test_three(self, student):
        """`my_three` are three numbers, and the value and the move belong to them"""
        assert_numbers(student.my_three, 3, "my_three")
        assert_number(student.my_value, "my_value")
        assert student.my_value in student.my_three, (
            f"my_value is {student.my_value}, but a move at the root leads to {student.my_three}."
        )
        move = student.my_move
        assert move in (0, 1, 2), f"my_move is {move!r}: the moves are 0, 1 and 2."

    def test_skipped(self, student):
        """`my_skipped` is a list of leaves of your tree"""
        leaves, skipped = personal_leaves(student.student_id), student.my_skipped
        assert isinstance(skipped, list | tuple | set), f"my_skipped is {skipped!r}: write a list."
        for leaf in skipped:
            assert leaf in leaves, f"my_skipped holds {leaf!r}, which is no leaf of your tree."
        assert len(set(skipped)) == len(skipped), "my_skipped holds a leaf twice."


# --- parts 4 and 5 ---------------------------------------------------------------------------


class Test_minmax_decision:
    """The function that looks at everything."""

    def test_figure(self, student):
        """It finds the right move in A, B, C and D of figure 5.2"""
        assert_moves(student.minmax_decision, "minmax_decision")

    def test_plain(self, student):
        """It looks at every state below A once, and takes moves from a generator"""
        game = Recorder(Fig52Game())
        student.minmax_decision("A", game)
        below = [state + number for state in "BCD" for number in ("", "1", "2", "3")]
        assert sorted(game.generated) == below, (
            f"These are the states that it generated: {' '.join(game.generated)}. "
            "Plain minimax looks at all twelve that are below A, once."
        )

    def test_lost(self, student):
        """It makes the best move where all moves lose"""
        move = student.minmax_decision((), TreeGame(LOST, branching=2))
        assert move == 1, (
            f"In TreeGame({LOST}, branching=2) MAX loses 7 by move 0 and 4 by move 1; it returned "
            f"{move!r}."
        )

    def test_board(self, student):
        """It plays Connect Four, on a tiny board"""
        game = ConnectFour(rows=2, columns=3, k=2)
        value = game.play_game(
            lambda game, state: student.minmax_decision(state, game),
            lambda game, state: student.minmax_decision(state, game),
        )
        assert value == 1, (
            "With 2 rows, 3 columns and two in a line the first player can always win. With your "
            f"minmax_decision on both sides the utility was {value} for the first."
        )


class Test_alpha_beta_search:
    """The function that prunes, and the player."""

    def test_figure(self, student):
        """It finds the right move in A, B, C and D of figure 5.2"""
        assert_moves(student.alpha_beta_search, "alpha_beta_search")

    def test_prunes(self, student):
        """It does not generate the leaves C2 and C3 of figure 5.2"""
        game = Recorder(Fig52Game())
        student.alpha_beta_search("A", game)
        assert game.generated == ["B", "B1", "B2", "B3", "C", "C1", "D", "D1", "D2", "D3"], (
            f"It generated {' '.join(game.generated)}.\nWhen C1 turns out to be worth 2, MAX "
            "has 3 from B already: C2 and C3 cannot matter any more. All others do."
        )

    def test_prunes_for_both(self, student):
        """It prunes where MAX moves and where MIN moves"""
        leaves = [3, 6, 9, 5, 1, 4, 8, 2]
        game = Recorder(TreeGame(leaves, branching=2))
        student.alpha_beta_search((), game)
        found = [game.wrapped.leaves[state] for state in game.generated if len(state) == 3]
        assert found == [3, 6, 9, 1, 4], (
            f"In TreeGame({leaves}, branching=2), which is drawn in part 3, the leaves that it "
            f"looked at are {found}; expected were 3, 6, 9, 1 and 4."
        )

    def test_lost(self, student):
        """It makes the best move where all moves lose"""
        move = student.alpha_beta_search((), TreeGame(LOST, branching=2))
        assert move == 1, (
            f"In TreeGame({LOST}, branching=2) MAX loses 7 by move 0 and 4 by move 1; it returned "
            f"{move!r}."
        )

    def test_player(self, student):
        """`alpha_beta_player` takes part in a game"""
        player = student.alpha_beta_player
        value = Fig52Game().play_game(player, player)
        assert value == 3, f"Against itself in figure 5.2 the game ended with {value}, not with 3."
        value = Fig52Game().play_game(player, lambda game, state: "b3")
        assert value == 8, f"When MIN answers b3 the game ended with {value}, not with 8."


# --- part 6 ----------------------------------------------------------------------------------


class Test_order:
    """How much was skipped."""

    def test_predicted(self, student):
        """`predicted` has three numbers for each order"""
        assert_rows(student.predicted, "predicted")

    def test_counted(self, student):
        """`counted` has three numbers for each order, and they are those of `predicted`"""
        assert_rows(student.counted, "counted")
        assert student.counted == student.predicted, (
            f"counted is   {student.counted},\npredicted is {student.predicted}. "
            "Which of them is wrong, and why?"
        )


def assert_rows(table, what):
    """Fail unless `table` holds three numbers for each order."""
    assert isinstance(table, dict), f"{what} is {table!r}: write a dict."
    assert set(table) == {"best first", "worst first"}, (
        f"The keys of {what} are {sorted(table, key=str)}; "
        "they should be 'best first' and 'worst first'."
    )
    for key, numbers in table.items():
        assert_numbers(numbers, 3, f"{what}[{key!r}]")
