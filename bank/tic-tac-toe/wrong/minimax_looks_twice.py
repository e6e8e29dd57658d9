"""First I work out the best value, then I look for the move that has it.

Cell: MiniMax
Caught by: test_whole_tree
Frequent: yes
Weight: slip
Named: looks_twice
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
        best = self.max_value(state, player)
        for move in self.game.actions(state):
            if self.min_value(self.game.result(state, move), player) == best:
                return move

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
