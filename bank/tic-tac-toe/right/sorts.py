"""Values and moves are sorted, and the last is the best."""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        scored = [
            (self.min_value(self.game.result(state, m), player), i, m)
            for i, m in enumerate(self.game.actions(state))
        ]
        return sorted(scored)[-1][2]

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(
            self.min_value(self.game.result(state, m), player) for m in self.game.actions(state)
        )

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(
            self.max_value(self.game.result(state, m), player) for m in self.game.actions(state)
        )
