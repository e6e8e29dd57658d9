"""First I make the list of values from the moves, then I zip it with the moves.

Cell: MiniMax
Caught by: test_sweep
Behaves like: a search that goes through the moves twice and finds none the second time
Area: how the moves of a state are gone through
Principle: A generator can be walked through only once: make a list of it if you need it again.
Example: a game whose `actions` yields the moves: the player must answer as if it were a list
"""


# %% MiniMax
class MiniMax(Player):
    """Minimax in the style of the textbook, with comprehensions."""

    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def children(self, state):
        return (self.game.result(state, move) for move in self.game.actions(state))

    def search(self, state):
        me = self.game.to_move(state)
        moves = self.game.actions(state)
        values = [self.min_value(self.game.result(state, move), me) for move in moves]
        best = max(values)
        for move, value in zip(moves, values):
            if value == best:
                return move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(self.min_value(child, player) for child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return min(self.max_value(child, player) for child in self.children(state))
