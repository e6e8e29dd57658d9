"""I sort the children by their utility and follow the first one down.

Cell: MiniMax
Caught by: test_win_in_two
Behaves like: a search that follows at each level the child that looks best at once
Area: how the best move is found
Principle: A state that is not over has no utility yet: its value comes from below.
Example: O O X / . . O / . X X with X to move: only (2, 0) wins at once
"""


# %% MiniMax
class MiniMax(Player):
    """Minimax in the style of the textbook, with comprehensions."""

    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def children(self, state):
        return (self.game.result(state, move) for move in self.game.actions(state))

    def now(self, state, player):
        return self.game.utility(state, player) if self.game.terminal_test(state) else 0

    def search(self, state):
        me = self.game.to_move(state)
        return max(
            self.game.actions(state),
            key=lambda move: self.min_value(self.game.result(state, move), me),
        )

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        after = sorted(self.children(state), key=lambda child: -self.now(child, player))
        return self.min_value(after[0], player)

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        after = sorted(self.children(state), key=lambda child: self.now(child, player))
        return self.max_value(after[0], player)
