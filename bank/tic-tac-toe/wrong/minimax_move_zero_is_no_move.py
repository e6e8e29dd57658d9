"""As long as there is no move I take one: `if not best_move or value > best`.

Cell: MiniMax
Caught by: test_random_trees
Behaves like: a search that takes the move 0 for none at all
Area: how the best move is found
Principle: A move may be 0, which counts as false: ask `is None` to know whether there is one yet.
Example: TreeGame([4, 5, 0, 99], branching=2) with MAX to move: worth 4, by the move 0
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
            if not best_move or value > best:
                best_move, best = move, value
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = -infinity
        for move in self.game.actions(state):
            value = max(value, self.min_value(self.game.result(state, move), player))
        return value

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = infinity
        for move in self.game.actions(state):
            value = min(value, self.max_value(self.game.result(state, move), player))
        return value
