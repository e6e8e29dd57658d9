"""It goes through the whole tree, and plays the first move.

Cell: MiniMax
Caught by: test_whole_tree, test_every_move_loses
Named: one_move_for_all
Frequent: no
Weight: void
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
        best_move, best = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if best_move is None:
                best_move, best = move, value
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best = -infinity
        for move in self.game.actions(state):
            best = self.min_value(self.game.result(state, move), player)
        return best

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best = infinity
        for move in self.game.actions(state):
            best = self.max_value(self.game.result(state, move), player)
        return best
