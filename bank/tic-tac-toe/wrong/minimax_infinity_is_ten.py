"""Utilities are -1, 0 and 1, so 10 is as good as infinity.

Cell: MiniMax
Caught by: test_random_trees
Behaves like: a search whose infinity is 10
Area: where the comparison starts
Principle: No value may be beyond the number a search starts with: utilities differ from game to game.
Example: TreeGame([20, 30, 40, 50], branching=2) with MAX to move: worth 40, by the move 1
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
            if best_move is None or value > best:
                best_move, best = move, value
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = -10
        for move in self.game.actions(state):
            value = max(value, self.min_value(self.game.result(state, move), player))
        return value

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = 10
        for move in self.game.actions(state):
            value = min(value, self.max_value(self.game.result(state, move), player))
        return value
