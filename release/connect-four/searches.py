"""What the public checks of all assignments share: boards, trees, and what each search is asked."""

import random

from canvas import drawing
from canvas.search import watch
from first_wrong import smallest, trees
from games import ConnectFour, Fig52Game, IllegalMove, NestedTree, after
from hints import expect
from recorded import LastFirst, RecordedGame

DEEP = [
    [[[82, 30], [97, 49]], [[61, 94], [44, 86]]],
    [[[7, 32, 45], [77, 51]], [[50, 68], [34, 2]]],
]
UNEVEN = [[5, [[20, 39, 38], [26, 19], [6, 35]]], [[[2, 33], [69, 89]], 53]]
WIDE = [[n + 9, n] for n in range(6)]
TREES = (  # a tree, where to search, the value, the best moves, leaves that matter from the left
    ([[3, 12, 8], [2, 4, 6], [14, 5, 1]], (), 3, [0], [3, 12, 8, 2, 14, 5, 1]),
    ([6, [9, [3, 8]], 7], (), 8, [1], [6, 9, 3, 8, 7]),
    ([[[[[[[[[[[[3]]]]]]]]]]], [[[[[[[[[[[8]]]]]]]]]]], 5], (), 8, [1], [3, 8, 5]),
    ([[[[[[-19]]]]], [-18]], (), -18, [1], [-19, -18]),
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
)
FIGURE = ("A", "a1", 3), ("B", "b1", -3), ("C", "c1", -2), ("D", "d3", -2)  # best moves, values
BOARDS = ([0, 1, 2], 1), ([0, 1, 2, 1], 1), ([0, 0, 2, 1, 2], 2)  # moves, and the only good one
# Leaves without which a search from the left may be right, too, in one of the trees above.
SPARE = {0, 1, 3, 20, 32, 34, 38, 39, 45, 61, 68, 94}


def drawn(board, rows, columns, upwards=False):
    """Draw a board, to be shown in a message; `upwards` with row 0 at the bottom."""
    lines = [
        "    " + " ".join(board.get((row, column), ".") for column in range(columns))
        for row in (reversed(range(rows)) if upwards else range(rows))
    ]
    return "\n".join([*lines, "    " + " ".join(map(str, range(columns)))] if upwards else lines)


def full_tree(plies=9, chance=None):
    """Return a tree with two moves in each state, always the same one."""
    chance = chance or random.Random(1975)
    return [full_tree(plies - 1, chance) for _ in range(2)] if plies else chance.randrange(1000)


def plies(tree):
    """Return how deep a tree is."""
    return 1 + max(map(plies, tree)) if isinstance(tree, list) else 0


class Tree(RecordedGame):
    """A tree of nested lists, such as [[3, 12], 8]: two moves, and the second one ends the game.

    A state is the path from the root, a number is worth so much to MAX, and MAX moves first. A move
    is listed at each leaf, too: only `terminal_test` tells the end.
    """

    def __init__(self, root):
        """Start in the root."""
        super().__init__(NestedTree(root))
        self.root, self.at = root, self.wrapped.at

    def actions(self, state):
        """Offer the numbers of the children; at a leaf, a move that cannot be made."""
        yield from [0] if self.terminal_test(state) else self.wrapped.actions(state)

    def result(self, state, move):
        """Return the path that is one child longer, and write it down; IllegalMove at a leaf."""
        if self.terminal_test(state):
            raise IllegalMove(f"the game is over in {state}: ask `terminal_test`")
        return super().result(state, move)

    def leftmost(self, state):
        """Estimate a state by the first number below it; fail where the game is over."""
        if self.terminal_test(state):
            raise AssertionError(f"{self.place(state)} the game is over, but it was estimated.")
        node = self.at(state)
        while isinstance(node, list):
            node = node[0]
        return node

    def seen(self):
        """Return the leaves of the paths that were generated, in their order."""
        return [self.at(state) for state in self.generated if self.terminal_test(state)]

    def deepest(self, state=()):
        """Return how many plies below a state the deepest generated one is."""
        return max(map(len, self.generated), default=len(state)) - len(state)

    def from_the_left(self):
        """Return whether the children of each state were generated from the left."""
        return all(
            state[-1] == 0 or (*state[:-1], state[-1] - 1) in self.generated[:number]
            for number, state in enumerate(self.generated)
        )

    def place(self, state):
        """Return the place of a state in the tree, in words."""
        moves = f"after the move{'s' * (len(state) > 1)} {', '.join(map(str, state))}"
        return f"In Tree({self.root}), {moves if state else 'at the root'},"

    def expect_leaves(self, state, leaves):
        """Fail unless a search has generated no state twice, and the leaves that matter, in order.

        Where there are ties to stop early is right, and not to, too: `leaves` is None then.
        """
        seen, place = self.seen(), self.place(state)
        twice = [path for path in self.generated if self.generated.count(path) > 1]
        if twice:
            raise AssertionError(f"{place} it generated the state {min(twice)} more than once.")
        if leaves and self.from_the_left():
            late = [leaf for leaf in seen if leaf not in leaves]
            missing = sorted(set(leaves) - SPARE - set(seen))
            told = f"looked at {late}, when alpha and beta have met already" if late else ""
            if told := told or (f"skipped {missing}, which may decide" if missing else ""):
                raise AssertionError(f"{place} of the leaves {seen} it {told}.")


class Search:
    """What is asked of each search; a subclass says how."""

    name, tree = "", Tree

    def searching(self, student):
        """Return the search as a function of a game and a state, to the end of the game."""
        return getattr(student, self.name)

    def watched(self, student):
        """Return the same as `first_wrong.smallest` asks for it."""
        return self.searching(student)

    def rows(self):
        """Yield trees, where to search, the value, the best moves, and the leaves that matter."""
        for tree, *row in [*((*row, None) for row in trees()), *TREES]:
            yield self.tree(tree), *row

    def expect_best(self, student, where, game, state, value, best):
        """Fail unless the search returns one of the best moves."""
        said = f"{where} {game.to_move(state)} is to move and {self.name} returned"
        move, moves = self.searching(student)(game, state), list(game.actions(state))
        expect(said, move, *best, asked="the move", worth=value, moves=moves)

    def test_trees(self, student):
        """It finds the best move in trees: uneven, deep, with ties, where all moves lose"""
        for game, state, value, best, _ in self.rows():
            try:
                self.expect_best(student, game.place(state), game, state, value, best)
            except AssertionError as error:
                told = first_wrong_number(self.watched(student))
                raise AssertionError(f"{error}{told}") from None


class Plain(Search):
    """A search that looks at everything."""

    def test_every_state(self, student):
        """It looks at every state, once for each way in which the game can come to it"""
        for game, state, *_ in self.rows():
            self.searching(student)(game, state)
            said = f"{game.place(state)} it generated the states"
            expect(said, sorted(game.generated), sorted(game.below(state)))
        game, moves = RecordedGame(ConnectFour(3, 3, 3)), [0, 1, 0, 1]
        self.searching(student)(game, state := after(game.wrapped, moves))
        said = f"In ConnectFour(3, 3, 3) after the moves {moves} it generated states, in number"
        expect(said, len(game.generated), len(game.below(state)))


class Pruning(Search):
    """A search that leaves out what cannot matter."""

    def test_leaves(self, student):
        """From the left it looks at the leaves that matter in a tree, once, and at no other"""
        for game, state, _, _, leaves in self.rows():
            self.searching(student)(game, state)
            game.expect_leaves(state, leaves)

    def test_full_tree(self, student):
        """In a tree of nine plies it prunes at every depth"""
        game, where = self.tree(full_tree()), "In Tree(searches.full_tree()), at the root,"
        self.expect_best(student, where, game, (), 629, [0])
        count, most = len(game.generated), 297 if game.from_the_left() else 900
        assert count <= most, (
            f"{where} it generated {count} of 1,022 states; expected 297, or some more if it takes "
            "the moves in another order."
        )


class Choosing(Search):
    """A search that returns a move."""

    def test_games(self, student):
        """It finds the best move in figure 5.2 and on tiny boards, in whatever order moves come"""
        for kind, how in (RecordedGame, ""), (LastFirst, ", with the moves listed last to first,"):
            for state, best, value in FIGURE:
                where = f"In {state} of figure 5.2{how}"
                self.expect_best(student, where, kind(Fig52Game()), state, value, [best])
            for moves, best in BOARDS:
                game = kind(ConnectFour(3, 3, 3))
                state, where = after(game.wrapped, moves), f"In ConnectFour(3, 3, 3) after {moves}"
                self.expect_best(student, f"{where}{how}", game, state, None, [best])
                said = f"{where} the board that {self.name} leaves behind is"
                expect(said, state.board, after(game.wrapped, moves).board)


def first_wrong_number(search):
    """Return the first contradiction in a search, in words and on a small tree, or ""."""
    if (found := smallest(watch, search)) is None:
        return ""
    tree, culprit, why, said, cut = found
    picture = drawing.tree_text(drawing.numbers_said(tree, said, culprit, cut))
    return f"\nThe first wrong number, on a small tree:\n{picture}\n{why}"
