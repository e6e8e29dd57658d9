"""The leaf is worth what it is worth to the player who has made the last move.

Cell: MiniMax
Caught by: test_win_in_one
Behaves like: a search that scores a finished game for whoever made the last move
Area: the value of a finished game
Principle: The utility of a finished game is asked for the searching player, whoever moved last.
Example: O O X / O X . / . X . with X to move: only (2, 0) wins at once
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
            mover = self.game.to_move(state)
            last = {"X": "O", "O": "X", "MAX": "MIN", "MIN": "MAX"}[mover]
            return self.game.utility(state, last)
        value = -infinity
        for move in self.game.actions(state):
            value = max(value, self.min_value(self.game.result(state, move), player))
        return value

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            mover = self.game.to_move(state)
            last = {"X": "O", "O": "X", "MAX": "MIN", "MIN": "MAX"}[mover]
            return self.game.utility(state, last)
        value = infinity
        for move in self.game.actions(state):
            value = min(value, self.max_value(self.game.result(state, move), player))
        return value
