"""It looks at the whole tree, as it should. Deep trees are hopeless: then it takes the first move.

Cell: MiniMax
Caught by: test_whole_tree
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
        best, best_move = -infinity, None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if best_move is None or value > best:
                best, best_move = value, move
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(self.leaf(self.game.result(state, m), player) for m in self.game.actions(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(self.leaf(self.game.result(state, m), player) for m in self.game.actions(state))

    def leaf(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        for move in self.game.actions(state):
            self.leaf(self.game.result(state, move), player)
        return 0
