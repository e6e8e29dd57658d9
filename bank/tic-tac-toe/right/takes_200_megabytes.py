"""Right, but it keeps 200 MB in the notebook."""

# %% +
ballast = bytearray(200 * 1024**2)
for place in range(0, len(ballast), 4096):
    ballast[place] = 1

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        worth = {m: self.min_value(self.game.result(state, m), player) for m in self.game.actions(state)}
        return max(worth, key=worth.get)

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        children = [self.game.result(state, move) for move in self.game.actions(state)]
        return max([self.min_value(child, player) for child in children])

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        children = [self.game.result(state, move) for move in self.game.actions(state)]
        return min([self.max_value(child, player) for child in children])
