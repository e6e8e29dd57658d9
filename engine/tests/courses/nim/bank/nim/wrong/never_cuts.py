"""I keep alpha and beta up to date, so it is alpha-beta. Cutting would only lose moves.

Cell: AlphaBeta
Caught by: test_leaves_out
Frequent: yes
"""


# %% AlphaBeta
class AlphaBeta:
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        player = game.to_move(state)
        return max(
            game.actions(state),
            key=lambda move: self.value(game.result(state, move), player, -infinity, infinity),
        )

    def value(self, state, player, alpha, beta):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        maximizing = self.game.to_move(state) == player
        best = -infinity if maximizing else infinity
        for move in self.game.actions(state):
            value = self.value(self.game.result(state, move), player, alpha, beta)
            best = max(best, value) if maximizing else min(best, value)
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        return best
