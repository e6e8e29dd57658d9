"""I did not get the search to work, but a random move is legal.

Cell: MiniMax
Caught by: test_win_in_one
Behaves like: a player that moves at random
Area: how the best move is found
Principle: The move must be the one of the highest value.
Example: X O X / X . O / . . O with X to move: (2, 0) wins at once
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        return random_player(self.game, state)

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
