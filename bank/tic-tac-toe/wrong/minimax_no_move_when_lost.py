"""The worst that can happen is -1, so I start there and take a move when it is better.

Cell: MiniMax
Caught by: test_every_move_loses
Frequent: yes
Weight: mistake
Named: no_move_when_lost
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
        best_move, best = None, -1
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if value > best:
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
