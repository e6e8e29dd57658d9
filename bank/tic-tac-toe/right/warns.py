"""Right, but it prints a lot and warns on standard error all the time."""

# %% +
import sys
import warnings


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game
        warnings.warn("this player is slow")
        print("a MiniMax is born", file=sys.stderr)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        print("thinking about", state)
        player = self.game.to_move(state)
        children = {
            m: self.min_value(self.game.result(state, m), player) for m in self.game.actions(state)
        }
        warnings.warn("the deprecated way to choose a move", DeprecationWarning)
        return max(children, key=children.get)

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(
            [self.min_value(self.game.result(state, m), player) for m in self.game.actions(state)]
        )

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(
            [self.max_value(self.game.result(state, m), player) for m in self.game.actions(state)]
        )
