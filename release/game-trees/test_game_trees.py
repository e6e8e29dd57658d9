"""The public checks of the assignment game-trees.

Run them in the notebook, `check("fig52")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X", besides those that it has from `searches.py`; in each
check, `student` is your notebook and `student.my_nine` is what the notebook calls `my_nine`.
Numbers that are found by hand are asked for their form, and whether they agree with each other and,
once you have written them, with your own functions. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from check import student  # noqa: F401 - pytest finds it by its name
from games import Fig52Game, TreeGame
from hints import Hints, expect, look  # noqa: F401 - `check` finds Hints by its name
from searches import DEEP, Choosing, Plain, Pruning, Tree
from trees import personal_leaves

NOT_COVERED = "all: more trees decide the mark, and so do the numbers that you found by hand"
ORDERS = "best first", "worst first"

# --- parts 1 to 3 ----------------------------------------------------------------------------


def agree(first, one, second, other, more=""):
    """Fail unless two answers are the same; which of them is wrong is not known here."""
    assert one == other, f"{first} {one!r}, and {second} {other!r}: one of the two is wrong.{more}"


def expect_move(name, move, values, value):
    """Fail unless a move is the number of a child that has the value."""
    expect(f"{name} is", move, *range(len(values)))
    agree(f"{name} is {move}, which leads to", values[int(move)], "the root is worth", value)


class Test_two_ply:
    """The tree of four leaves."""

    def test_values(self, student):
        """The values are three numbers, and the move leads to the value"""
        values, value = student.two_ply_values, student.two_ply_value
        look(values, [0, 0], "two_ply_values is")
        look(value, 0, "two_ply_value is")
        expect_move("two_ply_move", student.two_ply_move, values, value)

    def test_coin(self, student):
        """The averages are two numbers, and the move leads to the larger one"""
        values = student.coin_values
        look(values, [0, 0], "coin_values is")
        for value, low, high in zip(values, (99, 100), (1000, 101), strict=True):
            prefix = f"coin_values is {values}; expected averages, and {value} does not lie between"
            assert low < value < high, f"{prefix} {low} and {high}."
        expect_move("coin_move", student.coin_move, values, max(values))


class Test_fig52:
    """The tree of nine leaves."""

    def test_values(self, student):
        """There is a number for each of A, B, C and D, for MAX and for MIN"""
        for name in "fig52_values", "fig52_values_for_min":
            look(getattr(student, name), dict.fromkeys("ABCD", 0), f"{name} is")
        for state, value in student.fig52_values.items():
            prefix = f"By fig52_values {state} is worth {value} to MAX. fig52_values_for_min has"
            expect(prefix, student.fig52_values_for_min[state], -value)

    def test_leaves(self, student):
        """There is an alpha for C and for D, and two numbers of leaves from 1 to 9"""
        for name, states in ("fig52_values", "ABCD"), ("fig52_alpha", "CD"):
            look(getattr(student, name), dict.fromkeys(states, 0), f"{name} is")
        for name in "fig52_leaves", "fig52_leaves_reversed":
            look(getattr(student, name), 0, f"{name} is")
            expect(f"{name} is", getattr(student, name), *range(1, 10))
        alpha, later = student.fig52_alpha["C"], student.fig52_alpha["D"]
        why = " When the search enters C, MAX knows of B alone."
        agree("fig52_alpha['C'] is", alpha, "B is worth", student.fig52_values["B"], why)
        assert later >= alpha, (
            f"fig52_alpha['D'] is {later}; expected {alpha}, as in C, or more. What MAX is sure of "
            "does not get less while the search goes on."
        )


class Test_my_tree:
    """The tree of 27 leaves."""

    def test_values(self, student):
        """`my_nine`, `my_three` and `my_value` are values of states one move further"""
        look(student.student_id, "", "student_id is", 'your id between quotes, "..."')
        look(student.my_nine, [0] * 9, "my_nine is")
        look(student.my_three, [0] * 3, "my_three is")
        leaves = personal_leaves(student.student_id)
        for name, children in ("my_nine", leaves), ("my_three", student.my_nine):
            why = "the leaves there" if children is leaves else "so it is by my_nine"
            for i, value in enumerate(getattr(student, name)):
                expect(f"{name}[{i}] is", value, *children[3 * i : 3 * i + 3], why=why)
        expect_move("my_move", student.my_move, student.my_three, student.my_value)

    def test_skipped(self, student):
        """`my_skipped` is a list of leaves of your tree, none of them twice"""
        skipped, leaves = student.my_skipped, personal_leaves(student.student_id)
        assert isinstance(skipped, list | tuple), f"my_skipped is {skipped!r}; expected a list."
        for leaf in skipped:
            assert leaf in leaves, f"my_skipped holds {leaf!r}; expected leaves of your tree only."
        assert len(set(skipped)) == len(skipped), f"my_skipped is {skipped}: a leaf is there twice."


# --- parts 4 and 5 ---------------------------------------------------------------------------


class Function(Choosing):
    """A function of a state and a game."""

    def searching(self, student):
        """Return the function with its arguments the other way round."""
        return lambda game, state: getattr(student, self.name)(state, game)

    def expect_pencil(self, name, number, answer):
        """Fail unless a number that was found by hand is what the function leads to."""
        look(number, answer, f"{name} is")
        agree(f"Your {self.name} leads to", answer, f"{name} is", number)


class Test_minmax_decision(Function, Plain):
    """The function that looks at everything."""

    name = "minmax_decision"

    def test_pencil(self, student):
        """It agrees with what you have found by hand in parts 1 to 3"""
        tree = TreeGame(personal_leaves(student.student_id))
        for name, game, states in (
            ("two_ply_values", TreeGame([99, 1000, 100, 101], branching=2), {0: (0,), 1: (1,)}),
            ("fig52_values", Fig52Game(), {state: state for state in "ABCD"}),
            ("my_nine", tree, {i: divmod(i, 3) for i in range(9)}),
            ("my_three", tree, {i: (i,) for i in range(3)}),
            ("my_value", tree, {None: ()}),
        ):
            for key, state in states.items():
                number = getattr(student, name)
                number, where = (number, name) if key is None else (number[key], f"{name}[{key!r}]")
                while not game.terminal_test(state):
                    move = student.minmax_decision(state, game)
                    prefix = f"In state {state}, which {where} is about, it returned"
                    expect(prefix, move, *game.actions(state), form="the move")
                    state = game.result(state, move)
                self.expect_pencil(where, number, game.utility(state, "MAX"))


class Test_alpha_beta_search(Function, Pruning):
    """The function that prunes, and the player."""

    name = "alpha_beta_search"

    def test_player(self, student):
        """`alpha_beta_player` takes part in a game"""
        player, prefix = student.alpha_beta_player, "In figure 5.2 the game ended with"
        expect(f"{prefix} it on both sides at", Fig52Game().play_game(player, player), 3)
        value = Fig52Game().play_game(player, lambda game, state: "b3")
        expect(f"{prefix} MIN answering b3 at", value, 8)
        game = Tree(DEEP)
        player(game, ())
        game.expect_skipped([44, 86, 32, 45, 2])

    def test_pencil(self, student):
        """It agrees with the leaves that you have counted and skipped by hand in parts 2 and 3"""
        for name, last in ("fig52_leaves", [14, 5, 2]), ("fig52_leaves_reversed", [2, 5, 14]):
            game = Tree([[3, 12, 8], [2, 4, 6], last])
            student.alpha_beta_search((), game)
            self.expect_pencil(name, getattr(student, name), len(game.seen()))
        leaves = personal_leaves(student.student_id)
        game = Tree(TreeGame(leaves).tree)
        student.alpha_beta_search((), game)
        skipped = sorted(set(leaves) - set(game.seen()))
        self.expect_pencil("sorted(my_skipped)", sorted(student.my_skipped), skipped)


# --- part 6 ----------------------------------------------------------------------------------


class Test_order:
    """How much was skipped."""

    def test_counted(self, student):
        """`predicted` and `counted` have three numbers for each order, those of your function"""
        predicted, counted = student.predicted, student.counted
        look(predicted, dict.fromkeys(ORDERS, [0] * 3), "predicted is")
        look(counted, dict.fromkeys(ORDERS, [0] * 3), "counted is")
        for order, numbers in counted.items():
            for plies, number in zip((2, 3, 4), numbers, strict=True):
                game = Tree(TreeGame(student.ordered_leaves(plies, order == ORDERS[0])).tree)
                student.alpha_beta_search((), game)
                count = len(game.seen())
                prefix = f"For {plies} plies, {order}, of {3**plies} leaves counted has"
                why = f"so many alpha_beta_search skips, and it looks at {count}"
                expect(prefix, number, 3**plies - count, why=why)
        note = " Asked is how many leaves are skipped, not how many are looked at."
        agree("predicted is", predicted, "counted is", counted, note)
