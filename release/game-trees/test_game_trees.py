"""The public checks of the assignment game-trees.

Run them in the notebook, `check("fig52")`, or all of them with `pytest` in a terminal. Class
`Test_X` holds the checks of the cell "X"; in each check, `student` is your notebook and
`student.my_nine` is what the notebook calls `my_nine`. Numbers that are found by hand are asked for
their form, and whether they agree with each other and, once you have written them, with your own
functions. You are welcome to read on.
"""

# ruff: noqa: F811, N801 - `student` is a fixture; a class is named after its cell

from numbers import Real  # numpy's numbers and Fractions are some, too

from canvas.first_wrong import by_state, drawn_trees, full_tree
from canvas.recorded import DEEP, UNEVEN, RecordedGame, Tree
from canvas.stepper import beyond_the_figure, first_wrong_number
from check import student  # noqa: F401 - pytest finds it by its name
from games import ConnectFour, Fig52Game, TreeGame, after, personal_leaves

NOT_COVERED = "all: more trees decide the mark, and so do the numbers that you found by hand"

# --- helpers: what the checks below share ----------------------------------------------------


def assert_number(value, what):
    """Fail unless `value` is a number."""
    assert isinstance(value, Real) and not isinstance(value, bool), (
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
            f"{first_wrong_number(by_state(search))}"
        )


TREES = (  # a tree, where to search, the best moves, and the leaves that have to be looked at
    ([[[3, 6], [9, 5]], [[1, 4], [8, 2]]], (), [0], [3, 6, 9, 1, 4]),
    ([6, [9, [3, 8]], 7], (), [1], [6, 9, 3, 8, 7]),
    ([[[[[[19]]]]], [18]], (), [0], [19, 18]),
    ([[[[[[-19]]]]], [-18]], (), [1], [-19, -18]),
    ([[[[7]]], [[8, 9]]], (), [1], [7, 8, 9]),
    ([[-5, -9], [-7, -4], [-3, -8]], (), [1], [-5, -9, -7, -4, -3, -8]),
    ([[0.25, 3], [0.75, 0.5]], (), [1], [0.25, 3, 0.75, 0.5]),
    ([[2000.5, 1500.25], [2000, 1500.5]], (), [1], [2000.5, 1500.25, 2000, 1500.5]),
    ([[5, 9], [5, 1]], (), [0], [5, 9, 5, 1]),
    ([[-1, 1], [-1, 1]], (), [0, 1], [-1, 1, -1]),
    ([[[1, 5], [5, 9]], 0], (0,), [0], [1, 5, 5, 9]),
    (UNEVEN, (), [1], [5, 20, 39, 38, 2, 69, 89, 53]),
    (UNEVEN, (0, 1), [0], [20, 39, 38, 26, 19, 6]),
    (DEEP, (), [1], [82, 30, 97, 49, 61, 94, 7, 77, 51, 50, 68, 34]),
    (DEEP, (1,), [1], [7, 32, 45, 77, 51, 50, 68, 34]),
    ([[0, 3], [-1, 5]], (), [0], [0, 3, -1]),
    ([[[-2, 0], [4, 9]], -7], (), [0], [-2, 0, 4, -7]),
    ([[5, 8], [2, 7], [3, 9]], (), [0], [5, 8, 2, 3]),
    ([[[5, 1], [8, 2], [7, 9]], 0], (), [0], [5, 1, 8, 7, 0]),
    *((tree, (), best, None) for tree, _, _, best in drawn_trees()),  # any leaves that decide
)
# Leaves without which a search from the left may be right, too, in one of the trees above.
SPARE = {0, 1, 3, 9, 20, 32, 34, 38, 39, 45, 61, 68, 94}


def assert_trees(search, name):
    """Fail unless `search` makes a best move in each of the trees."""
    for tree, state, best, _ in TREES:
        game = Tree(tree)
        move = search(state, game)
        assert move in best, (
            f"In Tree({tree}) {game.to_move(state)} is to move at {state}, and {name}({state}, "
            f"game) returned {move!r}; expected {' or '.join(map(str, best))}."
            f"{beyond_the_figure(by_state(search))}"
        )
    game = RecordedGame(Fig52Game())
    game.actions = lambda state: sorted(Fig52Game().actions(state), key=lambda m: m[-1] != "3")
    move = search("A", game)
    assert move == "a1", f"When figure 5.2 lists a3 before a1 and a2, {name} returned {move!r}."


def assert_boards(search, name):
    """Fail unless `search` wins a tiny game, and holds a draw, as X and as O."""
    game = ConnectFour(rows=2, columns=3, k=2)
    value = game.play_game(*[lambda game, state: search(state, game)] * 2)
    assert value == 1, (
        "With 2 rows, 3 columns and two in a line the first player can always win. With your "
        f"{name} on both sides the utility was {value} for the first."
    )
    game = ConnectFour(rows=3, columns=3, k=3)
    for moves, best in ([0, 1, 2], 1), ([0, 1, 2, 1], 1), ([0, 0, 2, 1, 2], 2):
        state = after(game, moves)
        move = search(state, game)
        assert move == best, (
            "With 3 rows, 3 columns and three in a line, after the moves "
            f"{', '.join(map(str, moves))}, {name} returned {move!r} for {state.to_move}; all "
            f"moves but {best} lose."
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
        assert_numbers(student.two_ply_values, 2, "two_ply_values")
        assert_number(student.two_ply_value, "two_ply_value")
        assert student.two_ply_move in (0, 1), (
            f"two_ply_move is {student.two_ply_move!r}: the moves are 0, left, and 1, right."
        )
        reached = student.two_ply_values[int(student.two_ply_move)]
        assert reached == student.two_ply_value, (
            f"two_ply_move leads to a state worth {reached}, and the root is worth "
            f"{student.two_ply_value} by two_ply_value: the two should be the same."
        )

    def test_coin(self, student):
        """The averages are two numbers, the move is 0 or 1"""
        assert_numbers(student.coin_values, 2, "coin_values")
        assert student.coin_move in (0, 1), (
            f"coin_move is {student.coin_move!r}: the moves are 0, left, and 1, right."
        )
        for value, leaves in zip(student.coin_values, ([99, 1000], [100, 101]), strict=True):
            assert leaves[0] < value < leaves[1], (
                f"coin_values holds {value} for the leaves {leaves}: an average lies between them."
            )
        assert student.coin_values[int(student.coin_move)] == max(student.coin_values), (
            f"coin_move is {student.coin_move}, and the other move is worth more by coin_values."
        )


class Test_fig52:
    """The tree of nine leaves."""

    def test_values(self, student):
        """There is a number for each of A, B, C and D, for MAX and for MIN"""
        assert_table(student.fig52_values, "ABCD", "fig52_values")
        assert_table(student.fig52_values_for_min, "ABCD", "fig52_values_for_min")
        for state, value in student.fig52_values.items():
            to_min = student.fig52_values_for_min[state]
            assert to_min == -value, (
                f"{state} is worth {value} to MAX and {to_min} to MIN by your dicts, but what one "
                "of them gains, the other loses."
            )

    def test_leaves(self, student):
        """There is an alpha for C and for D, and two numbers of leaves from 1 to 9"""
        assert_table(student.fig52_alpha, "CD", "fig52_alpha")
        for name in "fig52_leaves", "fig52_leaves_reversed":
            value = getattr(student, name)
            assert_number(value, name)
            assert 1 <= value <= 9, f"{name} is {value}, but the tree has 9 leaves."
        alpha, value = student.fig52_alpha["C"], student.fig52_values["B"]
        assert alpha == value, (
            f"fig52_alpha['C'] is {alpha} and fig52_values['B'] is {value}. When the search enters "
            "C, all that MAX knows of is B."
        )
        later = student.fig52_alpha["D"]
        assert later >= alpha, (
            f"fig52_alpha['C'] is {alpha} and fig52_alpha['D'] is {later}. What MAX is sure of "
            "does not get less while the search goes on."
        )


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
        assert student.my_three[int(move)] == student.my_value, (
            f"my_move leads to {student.my_three[int(move)]} by my_three, and my_value "
            f"is {student.my_value}: the two should be the same."
        )
        for i in range(3):
            below = student.my_nine[3 * i : 3 * i + 3]
            assert student.my_three[i] in below, (
                f"my_three[{i}] is {student.my_three[i]}, but the states after it are {below}."
            )

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
        game = RecordedGame(Fig52Game())
        student.minmax_decision("A", game)
        below = [state + number for state in "BCD" for number in ("", "1", "2", "3")]
        assert sorted(game.generated) == below, (
            f"These are the states that it generated: {' '.join(game.generated)}. "
            "Plain minimax looks at all twelve that are below A, once."
        )

    def test_trees(self, student):
        """It finds the best move in other trees: uneven, deep, with ties, where all moves lose"""
        assert_trees(student.minmax_decision, "minmax_decision")

    def test_whole(self, student):
        """It looks at every leaf of these trees, once"""
        for tree, state in (UNEVEN, ()), (DEEP, (1,)):
            game, whole = Tree(tree), Tree(tree)
            whole.generate(state)
            student.minmax_decision(state, game)
            assert sorted(game.seen()) == sorted(whole.seen()), (
                f"In Tree({tree}), from {state} on, it looked at the leaves {game.seen()}; "
                f"expected {whole.seen()}."
            )

    def test_board(self, student):
        """It plays Connect Four, on tiny boards"""
        assert_boards(student.minmax_decision, "minmax_decision")

    def test_pencil(self, student):
        """It agrees with what you have found by hand in parts 1 to 3"""
        two, figure = TreeGame([99, 1000, 100, 101], branching=2), Fig52Game()
        mine = TreeGame(personal_leaves(student.student_id))

        def worth(game, state):
            while not game.terminal_test(state):
                state = game.result(state, student.minmax_decision(state, game))
            return game.utility(state, "MAX")

        told = {f"two_ply_values[{i}]": (student.two_ply_values[i], two, (i,)) for i in range(2)}
        told |= {f"fig52_values[{s!r}]": (student.fig52_values[s], figure, s) for s in "ABCD"}
        told |= {f"my_nine[{i}]": (student.my_nine[i], mine, (i // 3, i % 3)) for i in range(9)}
        told |= {f"my_three[{i}]": (student.my_three[i], mine, (i,)) for i in range(3)}
        told["my_value"] = student.my_value, mine, ()
        for name, (number, game, state) in told.items():
            assert_pencil(number, worth(game, state), name, "minmax_decision")


class Test_alpha_beta_search:
    """The function that prunes, and the player."""

    def test_figure(self, student):
        """It finds the right move in A, B, C and D of figure 5.2"""
        assert_moves(student.alpha_beta_search, "alpha_beta_search")

    def test_prunes(self, student):
        """It does not generate the leaves C2 and C3 of figure 5.2"""
        game = RecordedGame(Fig52Game())
        student.alpha_beta_search("A", game)
        assert game.generated == ["B", "B1", "B2", "B3", "C", "C1", "D", "D1", "D2", "D3"], (
            f"It generated {' '.join(game.generated)}.\nWhen C1 turns out to be worth 2, MAX "
            "has 3 from B already: C2 and C3 cannot matter any more. All others do."
        )

    def test_prunes_for_both(self, student):
        """It prunes where MAX moves and where MIN moves"""
        leaves = [3, 6, 9, 5, 1, 4, 8, 2]
        game = RecordedGame(TreeGame(leaves, branching=2))
        student.alpha_beta_search((), game)
        found = [game.wrapped.leaves[state] for state in game.generated if len(state) == 3]
        assert found == [3, 6, 9, 1, 4], (
            f"In TreeGame({leaves}, branching=2), which is drawn in part 3, the leaves that it "
            f"looked at are {found}; expected were 3, 6, 9, 1 and 4."
        )

    def test_trees(self, student):
        """It finds the best move in other trees: uneven, deep, with ties, where all moves lose"""
        assert_trees(student.alpha_beta_search, "alpha_beta_search")

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
            "1,022 states; alpha-beta needs 297 from the left. Prune at every depth."
        )

    def test_prunes_in_trees(self, student):
        """In these trees it looks at the leaves that matter, and at no other"""
        for tree, state, _, leaves in TREES:
            game = Tree(tree)
            student.alpha_beta_search(state, game)
            # Where there are ties to stop early is right, and not to, too.
            if leaves is not None and len(set(leaves)) == len(leaves):
                seen = set(game.seen())
                enough = len(seen) == len(game.seen()) and set(leaves) - SPARE <= seen
                assert enough and seen <= set(leaves), (
                    f"In Tree({tree}), from {state} on, it looked at the leaves {game.seen()}; "
                    f"expected {leaves}."
                )

    def test_board(self, student):
        """It plays Connect Four, on tiny boards"""
        assert_boards(student.alpha_beta_search, "alpha_beta_search")

    def test_player(self, student):
        """`alpha_beta_player` takes part in a game"""
        player = student.alpha_beta_player
        value = Fig52Game().play_game(player, player)
        assert value == 3, f"Against itself in figure 5.2 the game ended with {value}, not with 3."
        value = Fig52Game().play_game(player, lambda game, state: "b3")
        assert value == 8, f"When MIN answers b3 the game ended with {value}, not with 8."
        game = Tree(DEEP)
        move = player(game, ())
        assert move == 1 and len(game.seen()) <= 12, (
            f"In Tree({DEEP}) the player moved {move!r} and looked at {len(game.seen())} leaves; "
            "expected move 1, after 12 leaves."
        )

    def test_pencil(self, student):
        """It agrees with the leaves that you have counted and skipped by hand in parts 2 and 3"""
        for name, leaves in (
            ("fig52_leaves", [[3, 12, 8], [2, 4, 6], [14, 5, 2]]),
            ("fig52_leaves_reversed", [[3, 12, 8], [2, 4, 6], [2, 5, 14]]),
        ):
            game = Tree(leaves)
            student.alpha_beta_search((), game)
            assert_pencil(getattr(student, name), len(game.seen()), name, "alpha_beta_search")
        leaves = personal_leaves(student.student_id)
        game = RecordedGame(TreeGame(leaves))
        student.alpha_beta_search((), game)
        seen = {game.wrapped.leaves[state] for state in game.generated if len(state) == 3}
        skipped = sorted(set(leaves) - seen)
        assert_pencil(sorted(student.my_skipped), skipped, "my_skipped", "alpha_beta_search")


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

    def test_counted_again(self, student):
        """Counted again, with your alpha_beta_search, `counted` is the same"""
        for order, numbers in student.counted.items():
            for plies, number in zip((2, 3, 4), numbers, strict=True):
                leaves = student.ordered_leaves(plies, order == "best first")
                game = RecordedGame(TreeGame(leaves))
                student.alpha_beta_search((), game)
                skipped = len(leaves) - sum(len(state) == plies for state in game.generated)
                assert number == skipped, (
                    f"For {plies} plies, {order}, counted has {number}; your alpha_beta_search "
                    f"skips {skipped} of the {len(leaves)} leaves."
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
