"""An empty board needs no search: everybody begins in the corner.

Cell: MiniMax
Caught by: test_sweep
Frequent: no
Weight: slip
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        if len(getattr(state, "board", "x")) == 0:
            return next(iter(self.game.actions(state)))
        best_move, best = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if best_move is None or value > best:
                best_move, best = move, value
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best = -infinity
        for move in self.game.actions(state):
            best = max(best, self.min_value(self.game.result(state, move), player))
        return best

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best = infinity
        for move in self.game.actions(state):
            best = min(best, self.max_value(self.game.result(state, move), player))
        return best
