"""Right, but it prints a lot and warns on standard error all the time."""

# %% +
import sys
import warnings


# %% MiniMax
class MiniMax:
    def __init__(self, game=None):
        self.game = game
        warnings.warn("this player is slow")
        print("a MiniMax is born", file=sys.stderr)

    def __call__(self, game, state):
        self.game = game
        print("thinking about", state)
        player = game.to_move(state)
        values = {m: self.value(game.result(state, m), player) for m in game.actions(state)}
        return max(values, key=values.get)

    def value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        values = [
            self.value(self.game.result(state, move), player) for move in self.game.actions(state)
        ]
        return max(values) if self.game.to_move(state) == player else min(values)
