"""The game in the referee is asked for what it knows beyond the rules: values, record, innards.

Cell: MiniMax; Caught by: test_fig52_values
"""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        return game.player_.ask(game.target_, "__class__")

    def search(self, state):
        return self.game.player_.ask(self.game.target_, "_order")

    def max_value(self, state, player):
        return self.game.player_.ask(self.game.target_, "minimax_value", state, player)

    min_value = max_value
