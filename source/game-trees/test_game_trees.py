"""The public checks of the assignment game-trees.

Run them in the notebook, `check("fig52")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.my_nine` is what the notebook calls `my_nine`. Numbers that are found by hand are asked for
their form, and whether they agree with each other and, once you have written them, with your own
functions. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from canvas.first_wrong import by_state, full_tree
from canvas.recorded import DEEP, TREES, RecordedGame, Tree
from canvas.stepper import beyond_the_figure, first_wrong_number
from check import look, student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, TreeGame, after, personal_leaves

NOT_COVERED = "all: more trees decide the mark, and so do the numbers that you found by hand"
DEFINED_IN = {  # by names that the checks of another cell ask for
    "student_id": "student_id",
    "two_ply_values": "two_ply",
    "fig52_values": "fig52",
    "fig52_leaves": "fig52",
    "fig52_leaves_reversed": "fig52",
    "my_nine": "my_tree",
    "my_three": "my_tree",
    "my_value": "my_tree",
    "my_skipped": "my_tree",
    "ordered_leaves": "counting-tree",
}
ORDERS = "best first", "worst first"

# --- helpers: what the checks below share ----------------------------------------------------


def last_first(state):
    """Return the moves of figure 5.2 in another order."""
    return sorted(Fig52Game().actions(state), key=lambda move: move[-1] != "3")


def ask(search, name, state, game, best=None, worth=None):
    """Return the move of a search; fail if it is none."""
    move, moves = search(state, game), list(game.actions(state))
    where = f"In Tree({game.root}) " if isinstance(game, Tree) else ""
    said = f"{where}{name}({state!r}, game) {'chose' if where else 'returned'}"
    look(move, moves[0] if best is None else best, said, "the move", worth, moves)
    return move


class Searching:
    """What holds for both functions."""

    name = ""

    def test_figure(self, student):
        """It finds the right move in A, B, C and D of figure 5.2"""
        search, game = getattr(student, self.name), Fig52Game()
        for state, best, worth in ("A", "a1", 3), ("B", "b1", 3), ("C", "c1", 2), ("D", "d3", 2):
            move = ask(search, self.name, state, game, best, worth)
            assert move == best, (
                f"In {state}, {game.to_move(state)} is to move and {self.name}({state!r}, game) "
                f"returned {move!r}; expected was {best!r}."
                f"{first_wrong_number(by_state(search))}"
            )

    def test_trees(self, student):
        """It finds the best move in other trees: uneven, deep, with ties, where all moves lose"""
        search = getattr(student, self.name)
        for tree, state, value, best, _ in TREES:
            game = Tree(tree)
            move = ask(search, self.name, state, game, best[0], value)
            assert move in best, (
                f"{game.place(state)} {game.to_move(state)} is to move, and {self.name}({state}, "
                f"game) returned {move!r}; expected {' or '.join(map(str, best))}."
                f"{beyond_the_figure(by_state(search))}"
            )
        game = RecordedGame(Fig52Game())
        game.actions = last_first
        move = ask(search, self.name, "A", game)
        assert move == "a1", f"When figure 5.2 lists a3 before a1 and a2, it returned {move!r}."

    def test_board(self, student):
        """It plays Connect Four, on tiny boards"""

        def player(game, state):
            return ask(getattr(student, self.name), self.name, state, game)

        value = ConnectFour(rows=2, columns=3, k=2).play_game(player, player)
        assert value == 1, (
            "With 2 rows, 3 columns and two in a line the first player can always win. With your "
            f"{self.name} on both sides the utility was {value} for the first."
        )
        game = ConnectFour(rows=3, columns=3, k=3)
        for moves, best in ([0, 1, 2], 1), ([0, 1, 2, 1], 1), ([0, 0, 2, 1, 2], 2):
            state = after(game, moves)
            move = player(game, state)
            assert move == best, (
                "With 3 rows, 3 columns and three in a line, after the moves "
                f"{', '.join(map(str, moves))}, {self.name} returned {move!r} for "
                f"{state.to_move}; all moves but {best} lose."
            )


def assert_pencil(told, found, name, of):
    """Fail unless a number that was found by hand is what a function leads to."""
    assert told == found, (
        f"By hand you found {told} for {name}, and your {of} leads to {found}. One of them is "
        "wrong: which, and why?"
    )


# --- parts 1 to 3 ----------------------------------------------------------------------------


class Test_two_ply:
    """The tree of four leaves."""

    def test_values(self, student):
        """The values are three numbers, the move is 0 or 1"""
        values, value, move = student.two_ply_values, student.two_ply_value, student.two_ply_move
        look(values, [0, 0], "two_ply_values is")
        look(value, 0, "two_ply_value is")
        assert move in (0, 1), f"two_ply_move is {move!r}: the moves are 0, left, and 1, right."
        assert values[int(move)] == value, (
            f"two_ply_move leads to a state worth {values[int(move)]}, and the root is worth "
            f"{value} by two_ply_value: the two should be the same."
        )

    def test_coin(self, student):
        """The averages are two numbers, the move is 0 or 1"""
        values, move = student.coin_values, student.coin_move
        look(values, [0, 0], "coin_values is")
        assert move in (0, 1), f"coin_move is {move!r}: the moves are 0, left, and 1, right."
        for value, leaves in zip(values, ([99, 1000], [100, 101]), strict=True):
            assert leaves[0] < value < leaves[1], (
                f"coin_values holds {value} for the leaves {leaves}: an average lies between them."
            )
        assert values[int(move)] == max(values), (
            f"coin_move is {move}, and the other move is worth more by coin_values."
        )


class Test_fig52:
    """The tree of nine leaves."""

    def test_values(self, student):
        """There is a number for each of A, B, C and D, for MAX and for MIN"""
        for name in "fig52_values", "fig52_values_for_min":
            look(getattr(student, name), dict.fromkeys("ABCD", 0), f"{name} is")
        for state, value in student.fig52_values.items():
            to_min = student.fig52_values_for_min[state]
            assert to_min == -value, (
                f"{state} is worth {value} to MAX and {to_min} to MIN by your dicts, but what one "
                "of them gains, the other loses."
            )

    def test_leaves(self, student):
        """There is an alpha for C and for D, and two numbers of leaves from 1 to 9"""
        look(student.fig52_alpha, dict.fromkeys("CD", 0), "fig52_alpha is")
        for name in "fig52_leaves", "fig52_leaves_reversed":
            value = getattr(student, name)
            look(value, 0, f"{name} is")
            assert 1 <= value <= 9, f"{name} is {value}, but the tree has 9 leaves."
        alpha, later = student.fig52_alpha["C"], student.fig52_alpha["D"]
        assert alpha == student.fig52_values["B"], (
            f"fig52_alpha['C'] is {alpha} and fig52_values['B'] is {student.fig52_values['B']}. "
            "When the search enters C, all that MAX knows of is B."
        )
        assert later >= alpha, (
            f"fig52_alpha['C'] is {alpha} and fig52_alpha['D'] is {later}. What MAX is sure of "
            "does not get less while the search goes on."
        )


class Test_my_tree:
    """The tree of 27 leaves."""

    def test_nine(self, student):
        """`my_nine` are nine numbers, each of them a leaf of its row"""
        look(student.student_id, "", "student_id is", 'your id between quotes, "..."')
        leaves, nine = personal_leaves(student.student_id), student.my_nine
        look(nine, [0] * 9, "my_nine is")
        for i in range(9):
            row = leaves[3 * i : 3 * i + 3]
            assert nine[i] in row, f"my_nine[{i}] is {nine[i]}, but its row has {row}."

    def test_three(self, student):
        """`my_three` are three numbers, and the value and the move belong to them"""
        three, value, move = student.my_three, student.my_value, student.my_move
        look(three, [0] * 3, "my_three is")
        assert move in (0, 1, 2), f"my_move is {move!r}: the moves are 0, 1 and 2."
        assert three[int(move)] == value, (
            f"my_move leads to {three[int(move)]} by my_three, and my_value is {value}: the two "
            "should be the same."
        )
        for i in range(3):
            below = student.my_nine[3 * i : 3 * i + 3]
            assert three[i] in below, (
                f"my_three[{i}] is {three[i]}, but the states after it are {below}."
            )

    def test_skipped(self, student):
        """`my_skipped` is a list of leaves of your tree"""
        leaves, skipped = personal_leaves(student.student_id), student.my_skipped
        assert isinstance(skipped, list | tuple), f"my_skipped is {skipped!r}: write a list."
        for leaf in skipped:
            assert leaf in leaves, (
                f"my_skipped holds {leaf!r}, which is no leaf of your tree: write the numbers that "
                "stand there, not their places."
            )
        assert len(set(skipped)) == len(skipped), "my_skipped holds a leaf twice."


# --- parts 4 and 5 ---------------------------------------------------------------------------


class Test_minmax_decision(Searching):
    """The function that looks at everything."""

    name = "minmax_decision"

    def test_plain(self, student):
        """It looks at every state below A once, and takes moves from a generator"""
        game = RecordedGame(Fig52Game())
        student.minmax_decision("A", game)
        below = [state + number for state in "BCD" for number in ("", "1", "2", "3")]
        assert sorted(game.generated) == below, (
            f"These are the states that it generated: {' '.join(game.generated)}. "
            "Plain minimax looks at all twelve that are below A, once."
        )

    def test_pencil(self, student):
        """It agrees with what you have found by hand in parts 1 to 3"""
        two, figure = TreeGame([99, 1000, 100, 101], branching=2), Fig52Game()
        mine = TreeGame(personal_leaves(student.student_id))

        def worth(game, state):
            while not game.terminal_test(state):
                move = ask(student.minmax_decision, "minmax_decision", state, game)
                state = game.result(state, move)
            return game.utility(state, "MAX")

        told = {f"two_ply_values[{i}]": (student.two_ply_values[i], two, (i,)) for i in range(2)}
        told |= {f"fig52_values[{s!r}]": (student.fig52_values[s], figure, s) for s in "ABCD"}
        told |= {f"my_nine[{i}]": (student.my_nine[i], mine, (i // 3, i % 3)) for i in range(9)}
        told |= {f"my_three[{i}]": (student.my_three[i], mine, (i,)) for i in range(3)}
        told["my_value"] = student.my_value, mine, ()
        for name, (number, game, state) in told.items():
            assert_pencil(number, worth(game, state), name, "minmax_decision")


class Test_alpha_beta_search(Searching):
    """The function that prunes, and the player."""

    name = "alpha_beta_search"

    def test_prunes(self, student):
        """It takes moves in order, and does not generate the leaves C2 and C3 of figure 5.2"""
        game = RecordedGame(Fig52Game())
        student.alpha_beta_search("A", game)
        assert game.generated == ["B", "B1", "B2", "B3", "C", "C1", "D", "D1", "D2", "D3"], (
            f"It generated {' '.join(game.generated)}.\nWhen C1 turns out to be worth 2, MAX "
            "has 3 from B already: C2 and C3 cannot matter any more. All others do."
        )
        game = RecordedGame(Fig52Game())
        game.actions = last_first
        student.alpha_beta_search("A", game)
        listed = ["D", "D3", "D1", "D2", "B", "B3", "B1", "B2", "C", "C3", "C1"]
        assert game.generated == listed, (
            "When figure 5.2 lists the last move of each state first, it generated "
            f"{' '.join(game.generated)}; expected was {' '.join(listed)}. Take the moves in the "
            "order in which `actions` lists them."
        )

    def test_prunes_in_trees(self, student):
        """In these trees it looks at the leaves that matter, and at no other"""
        drawn = [[[3, 6], [9, 5]], [[1, 4], [8, 2]]], (), 6, [0], [3, 6, 9, 1, 4]  # in part 3
        for tree, state, _, _, leaves in (drawn, *TREES):
            game = Tree(tree)
            student.alpha_beta_search(state, game)
            wrong = game.astray(state, leaves, game.seen())
            assert not wrong, wrong

    def test_prunes_deep_down(self, student):
        """In a tree of nine plies it prunes at every depth"""
        game = Tree(full_tree())
        move, found = student.alpha_beta_search((), game), len(game.generated)
        assert move == 0, (
            f"In Tree(canvas.first_wrong.full_tree()) it returned {move!r}, not 0."
            f"{beyond_the_figure(by_state(student.alpha_beta_search))}"
        )
        assert found <= 297, (
            f"In Tree(canvas.first_wrong.full_tree()), with nine plies, it generated {found} of "
            "1,022 states; alpha-beta needs 297 from the left. Does MAX raise alpha, and MIN lower "
            "beta, at every depth?"
        )

    def test_player(self, student):
        """`alpha_beta_player` takes part in a game"""

        def player(game, state):
            swapped = lambda state, game: student.alpha_beta_player(game, state)  # noqa: E731
            return ask(swapped, "alpha_beta_player", state, game)

        value = Fig52Game().play_game(player, player)
        assert value == 3, f"Against itself in figure 5.2 the game ended with {value}, not with 3."
        value = Fig52Game().play_game(player, lambda game, state: "b3")
        assert value == 8, f"When MIN answers b3 the game ended with {value}, not with 8."
        game = Tree(DEEP)
        move, seen = player(game, ()), len(game.seen())
        assert move == 1 and seen <= 12, (
            f"{game.place(())} the player moved {move!r} and looked at {seen} leaves; expected "
            "move 1, after 12 leaves."
        )

    def test_pencil(self, student):
        """It agrees with the leaves that you have counted and skipped by hand in parts 2 and 3"""
        for name, last in ("fig52_leaves", [14, 5, 2]), ("fig52_leaves_reversed", [2, 5, 14]):
            game = Tree([[3, 12, 8], [2, 4, 6], last])
            student.alpha_beta_search((), game)
            assert_pencil(getattr(student, name), len(game.seen()), name, "alpha_beta_search")
        leaves = personal_leaves(student.student_id)
        game = Tree(TreeGame(leaves).tree)
        student.alpha_beta_search((), game)
        skipped = sorted(set(leaves) - set(game.seen()))
        assert_pencil(sorted(student.my_skipped), skipped, "my_skipped", "alpha_beta_search")


# --- part 6 ----------------------------------------------------------------------------------


class Test_order:
    """How much was skipped."""

    def test_predicted(self, student):
        """`predicted` has three numbers for each order"""
        look(student.predicted, dict.fromkeys(ORDERS, [0] * 3), "predicted is")

    def test_counted(self, student):
        """`counted` has three numbers for each order, and they are those of `predicted`"""
        counted, predicted = student.counted, student.predicted
        look(counted, dict.fromkeys(ORDERS, [0] * 3), "counted is")
        look(predicted, counted, "predicted is")
        both = [zip(counted[order], predicted[order], strict=True) for order in ORDERS]
        sums = [[skipped + other for skipped, other in pairs] for pairs in both]
        assert counted == predicted, (
            f"counted is   {counted},\npredicted is {predicted}.\nOne of them "
            + ("holds how many are looked at, not skipped." if sums == [[9, 27, 81]] * 2 else "")
            + ("is wrong: which, and why?" if sums != [[9, 27, 81]] * 2 else "")
        )

    def test_counted_again(self, student):
        """Counted again, with your alpha_beta_search, `counted` is the same"""
        for order, numbers in student.counted.items():
            for plies, number in zip((2, 3, 4), numbers, strict=True):
                leaves = student.ordered_leaves(plies, order == "best first")
                game = Tree(TreeGame(leaves).tree)
                student.alpha_beta_search((), game)
                skipped = len(leaves) - len(game.seen())
                assert number == skipped, (
                    f"For {plies} plies, {order}, counted has {number}; your alpha_beta_search "
                    f"skips {skipped} of the {len(leaves)} leaves."
                )
