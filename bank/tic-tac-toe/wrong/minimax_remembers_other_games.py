"""One dict for the class is enough, then the next search is faster too.

Cell: MiniMax
Caught by: test_random_trees
Behaves like: a search that remembers values from one game to the next
Area: what is kept from one search to the next
Principle: A value belongs to one game: the same state may be worth something else in another.
Example: TreeGame([1, 2, 3, 4], branching=2) and then TreeGame([4, 3, 2, 1], branching=2): the moves are 1 and then 0
"""


# %% MiniMax
class MiniMax(Player):
    seen = {}

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
            return self.game.utility(state, player)
        value = -infinity
        for move in self.game.actions(state):
            value = max(value, self.min_value(self.game.result(state, move), player))
        return value

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if (str(state), player) in self.seen:
            return self.seen[str(state), player]
        value = infinity
        for move in self.game.actions(state):
            value = min(value, self.max_value(self.game.result(state, move), player))
        self.seen[str(state), player] = value
        return value
