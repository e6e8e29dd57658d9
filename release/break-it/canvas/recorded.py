"""Record the states that a search generates, in any game and in trees of nested lists.

The public checks use these games, and name them in their messages: "In Tree([[3, 12], 8]), at the
root". There is no search in here.
"""

from collections.abc import Sequence
from typing import Any

from games import Game, Move, NestedTree, State

from .first_wrong import drawn_trees

DEEP = [
    [[[82, 30], [97, 49]], [[61, 94], [44, 86]]],
    [[[7, 32, 45], [77, 51]], [[50, 68], [34, 2]]],
]
UNEVEN = [[5, [[20, 39, 38], [26, 19], [6, 35]]], [[[2, 33], [69, 89]], 53]]
WIDE = [[n + 9, n] for n in range(6)]
TREES = (  # a tree, where to search, the value, the best moves, leaves that matter from the left
    ([[5, 9], [5, 1]], (), 5, [0], [5, 9, 5, 1]),
    ([6, [9, [3, 8]], 7], (), 8, [1], [6, 9, 3, 8, 7]),
    ([[[1, 5], [5, 9]], 0], (0,), -5, [0], [1, 5, 5, 9]),
    ([[[[[[[[[[[[3]]]]]]]]]]], [[[[[[[[[[[8]]]]]]]]]]], 5], (), 8, [1], [3, 8, 5]),
    ([[[[[[-19]]]]], [-18]], (), -18, [1], [-19, -18]),
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


class RecordedGame(Game):
    """Another game, whose `actions` are a generator, and a list of the states generated in it."""

    def __init__(self, game: Game) -> None:
        """Start with an empty list."""
        self.wrapped, self.initial = game, game.initial
        self.generated: list[State] = []

    def actions(self, state: State) -> Any:
        """Offer the moves one after the other."""
        yield from self.wrapped.actions(state)

    def result(self, state: State, move: Move) -> State:
        """Return the real game's state, and record it."""
        self.generated.append(self.wrapped.result(state, move))
        return self.generated[-1]

    def utility(self, state: State, player: str) -> float:
        """Pass the question on."""
        return self.wrapped.utility(state, player)

    def terminal_test(self, state: State) -> bool:
        """Pass the question on."""
        return self.wrapped.terminal_test(state)

    def to_move(self, state: State) -> str:
        """Pass the question on."""
        return self.wrapped.to_move(state)

    def generate(self, state: State) -> None:
        """Generate all states below a state."""
        if not self.terminal_test(state):
            for move in self.actions(state):
                self.generate(self.result(state, move))


class Tree(RecordedGame):
    """A tree of nested lists, such as [[3, 12], 8]: two moves, and the second one ends the game.

    A state is the path from the root, a number is worth so much to MAX, and MAX moves first.
    """

    wrapped: NestedTree

    def __init__(self, root: Any) -> None:
        """Start in the root."""
        super().__init__(NestedTree(root))
        self.root = root

    def at(self, state: State) -> Any:
        """Return the number, or the list of children, at the end of a path."""
        return self.wrapped.at(state)

    def seen(self) -> list[Any]:
        """Return the leaves of the paths that were generated, in their order."""
        return [self.at(state) for state in self.generated if self.terminal_test(state)]

    def deepest(self, state: State = ()) -> int:
        """Return how many plies below a state the deepest generated one is."""
        return max(map(len, self.generated), default=len(state)) - len(state)

    def from_the_left(self) -> bool:
        """Return whether the children of each state were generated from the left."""
        return all(
            state[-1] == 0 or (*state[:-1], state[-1] - 1) in self.generated[:number]
            for number, state in enumerate(self.generated)
        )

    def leftmost(self, state: State) -> Any:
        """Return the first number in or below what is at the end of a path."""
        node = self.at(state)
        while isinstance(node, list):
            node = node[0]
        return node

    def place(self, state: State) -> str:
        """Return the place of a state in the tree, in words."""
        moves = f"after the move{'s' * (len(state) > 1)} {', '.join(map(str, state))}"
        return f"In Tree({self.root}), {moves if state else 'at the root'},"

    def astray(self, state: State, leaves: Sequence[Any] | None, seen: list[Any]) -> str:
        """Return in what the `seen` leaves are not those that matter from the left, or "".

        Where there are ties to stop early is right, and not to, too.
        """
        where = f"{self.place(state)} it looked at the leaves {seen}"
        if twice := [path for path in self.generated if self.generated.count(path) > 1]:
            return (
                f"{self.place(state)} it generated the state {min(twice)} more than once. Go "
                "through the tree once, and remember the best move on the way."
            )
        if leaves is None or len(set(leaves)) < len(leaves) or not self.from_the_left():
            return ""
        if late := [leaf for leaf in seen if leaf not in leaves]:
            return f"{where}. When it comes to {late}, alpha and beta have met already."
        missing = sorted(set(leaves) - SPARE - set(seen))
        return f"{where} and skipped {missing}, which may decide." if missing else ""
