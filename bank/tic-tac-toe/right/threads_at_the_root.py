"""Each move at the root is valued by a thread of its own."""

# %% +
from concurrent.futures import ThreadPoolExecutor


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        moves = list(self.game.actions(state))

        def value(move):
            return self.min_value(self.game.result(state, move), player)

        with ThreadPoolExecutor(max_workers=4) as pool:
            values = list(pool.map(value, moves))
        return moves[values.index(max(values))]

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
