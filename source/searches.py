"""What the public checks of all assignments share: boards, trees, and what each search is asked."""

from canvas import drawing
from canvas.search import watch
from first_wrong import smallest, trees
from games import ConnectFour, Fig52Game, NestedTree, after
from hints import expect
from recorded import LastFirst, RecordedGame

DEEP = [
    [[[82, 30], [97, 49]], [[61, 94], [44, 86]]],
    [[[7, 32, 45], [77, 51]], [[50, 68], [34, 2]]],
]
LONG = [[[[[[[[[[[[3]]]]]]]]]]], [[[[[[[[[[[8]]]]]]]]]]], 5]
FIRST = [[3, 12, 8], [2, 4, 6], [14, 5, 1]]
SKIPPED = (  # a tree, and leaves that cannot matter any more from the left; from the right mirrored
    (FIRST, [4, 6]),
    ([[[[[[FIRST]]]]]], [4, 6]),
    ([[0, 3], [-1, 5]], [5]),
    ([[[5, 1], [8, 2], [7, 9]], 0], [2, 9]),
    (DEEP, [44, 86, 32, 45, 2]),
)
FIGURE = ("A", "a1"), ("B", "b1"), ("C", "c1"), ("D", "d3")  # states of figure 5.2, best moves
BOARDS = ([0, 1, 2], 1), ([0, 1, 2, 1], 1), ([0, 0, 2, 1, 2], 2)  # moves, and the only good one


def mirrored(tree):
    """Return a tree with the children of each state from the right to the left."""
    return [mirrored(one) for one in reversed(tree)] if isinstance(tree, list) else tree


class Tree(RecordedGame):
    """A tree of nested lists, such as [[3, 12], 8]: two moves, and the second one ends the game.

    A state is the path from the root, a number is worth so much to MAX, and MAX moves first.
    """

    def __init__(self, root):
        """Start in the root."""
        super().__init__(NestedTree(root))
        self.root, self.at = root, self.wrapped.at

    def leftmost(self, state):
        """Estimate a state by the first number below it; fail where the game is over."""
        node = self.at(state)
        assert isinstance(node, list), f"{self.place(state)} the game is over; it was estimated."
        while isinstance(node, list):
            node = node[0]
        return node

    def seen(self):
        """Return the leaves of the paths that were generated, in their order."""
        return [self.at(state) for state in self.generated if self.terminal_test(state)]

    def deepest(self, state=()):
        """Return how many plies below a state the deepest generated one is."""
        return max(map(len, self.generated), default=len(state)) - len(state)

    def expect_skipped(self, leaves, where="", last=False):
        """Fail if a search from the left, or from the `last` move, has looked at one of these."""
        for number, state in enumerate(self.generated):
            siblings = len(self.at(state[:-1]))
            before = state[-1] + 1 if last else state[-1] - 1
            if 0 <= before < siblings and (*state[:-1], before) not in self.generated[:number]:
                return
        seen = self.seen()
        late = [leaf for leaf in seen if leaf in leaves]
        assert not late, (
            f"{where or self.place()} of the leaves {seen} it looked at {late}, when alpha and "
            "beta have met already."
        )

    def place(self, state=()):
        """Return the place of a state in the tree, in words."""
        moves = ", ".join(map(str, state))
        return f"In Tree({self.root}), {f'after the moves {moves}' if moves else 'at the root'},"


class Search:
    """What is asked of each search; a subclass says how."""

    name = ""

    def searching(self, student):
        """Return the search as a function of a game and a state, to the end of the game."""
        return getattr(student, self.name)

    def rows(self):
        """Yield trees, where to search, the value, and the best moves."""
        for tree, *row in [*trees(), (LONG, (), 8, [1])]:
            yield Tree(tree), *row

    def expect_best(self, student, where, game, state, _, best):
        """Fail unless the search returns one of the best moves."""
        said = f"{where} {game.to_move(state)} is to move and {self.name} returned"
        expect(said, self.searching(student)(game, state), *best, form="the move")

    def test_trees(self, student):
        """It finds the best move in trees: uneven, deep, with ties, where all moves lose"""
        for game, state, value, best in self.rows():
            try:
                self.expect_best(student, game.place(state), game, state, value, best)
            except AssertionError as error:
                told = first_wrong_number(self.searching(student))
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
        """From the left, or from the right, it looks at no leaf that cannot matter any more"""
        for tree, leaves in SKIPPED:
            for last, root in (False, tree), (True, mirrored(tree)):
                game = Tree(root)
                self.searching(student)(game, ())
                again = [one for one in game.generated if game.generated.count(one) > 1]
                said = f"{game.place(again[0] if again else ())} it generated this state"
                assert not again, f"{said} more than once."
                game.expect_skipped(leaves, last=last)


class Choosing(Search):
    """A search that returns a move."""

    def test_games(self, student):
        """It finds the best move in figure 5.2 and on tiny boards, in whatever order moves come"""
        for kind, how in (RecordedGame, ""), (LastFirst, ", with the moves listed last to first,"):
            for state, best in FIGURE:
                where = f"In {state} of figure 5.2{how}"
                self.expect_best(student, where, kind(Fig52Game()), state, None, [best])
            for moves, best in BOARDS:
                game = kind(ConnectFour(3, 3, 3))
                state, where = after(game.wrapped, moves), f"In ConnectFour(3, 3, 3) after {moves}"
                self.expect_best(student, f"{where}{how}", game, state, None, [best])
                said = f"{where} the board that {self.name} leaves behind is"
                expect(said, state.board, after(game.wrapped, moves).board)


def first_wrong_number(search):
    """Return the first contradiction in a search, in words and on a small tree, or ""."""
    if (found := smallest(watch, search, drawing.Node)) is None:
        return ""
    tree, why = found
    return f"\nThe first wrong number, on a small tree:\n{drawing.tree_text(tree)}\n{why}"
