"""If there are no moves it is over, and `if not moves` tells me.

Cell: MiniMax
Caught by: test_sweep
Behaves like: a search that takes a generator for a list of moves
Area: how the end of the game is noticed
Principle: Ask `game.terminal_test`: a generator is never empty in an `if`.
Example: a game whose `actions` yields the moves: the player must answer as if it were a list
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
        moves = self.game.actions(state)
        if not moves:
            return self.game.utility(state, player)
        value = -infinity
        for move in moves:
            value = max(value, self.min_value(self.game.result(state, move), player))
        return value

    def min_value(self, state, player):
        moves = self.game.actions(state)
        if not moves:
            return self.game.utility(state, player)
        value = infinity
        for move in moves:
            value = min(value, self.max_value(self.game.result(state, move), player))
        return value
