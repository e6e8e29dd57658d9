"""Record the states that a search generates, in any game and in trees of nested lists.

The public checks use these games, and name them in their messages: "In Tree([[3, 12], 8]), at the
root". There is no search in here.
"""

from typing import Any

from games import Game, Move, NestedTree, State

DEEP = [
    [[[82, 30], [97, 49]], [[61, 94], [44, 86]]],
    [[[7, 32, 45], [77, 51]], [[50, 68], [34, 2]]],
]
UNEVEN = [[5, [[20, 39, 38], [26, 19], [6, 35]]], [[[2, 33], [69, 89]], 53]]


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

    def twice(self) -> list[State]:
        """Return the states that were generated more than once."""
        return sorted({path for path in self.generated if self.generated.count(path) > 1})

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
        where = f"after the moves {', '.join(map(str, state))}" if state else "at the root"
        return f"In Tree({self.root}), {where},"
