"""max_value and min_value also have to remember the move, so they return both.

Cell: MiniMax
Caught by: test_fig52_values
Frequent: yes
Weight: slip
Named: wrong_kind_of_answer
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        value, move = self.max_value(state, self.game.to_move(state))
        return move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player), None
        v, move = -infinity, None
        for a in self.game.actions(state):
            v2, _ = self.min_value(self.game.result(state, a), player)
            if v2 > v:
                v, move = v2, a
        return v, move

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player), None
        v, move = infinity, None
        for a in self.game.actions(state):
            v2, _ = self.max_value(self.game.result(state, a), player)
            if v2 < v:
                v, move = v2, a
        return v, move
