"""If I have a game already I keep it, the parameter is for the first time.

Cell: MiniMax
Caught by: test_other_boards
Behaves like: a search that keeps the first game it was given
Area: which game is searched
Principle: When called as a player, it uses the game it is called with, whichever one it had before.
Example: one player for TicTacToe(1, 4, 2), and then for TicTacToe(): in X O X / X . O / . . O it plays (2, 0)
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        if self.game is None:
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
