"""At a leaf I take the utility for whoever is to move there: that is whose turn it is.

Cell: MiniMax
Caught by: test_win_in_one
Frequent: yes
Weight: mistake
Named: leaf_for_another
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
        moves = list(self.game.actions(state))
        return max(moves, key=lambda move: self.min_value(self.game.result(state, move), player))

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, self.game.to_move(state))
        return max(
            self.min_value(self.game.result(state, m), player) for m in self.game.actions(state)
        )

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, self.game.to_move(state))
        return min(
            self.max_value(self.game.result(state, m), player) for m in self.game.actions(state)
        )
