"""While best is still empty I take the value: `if not best or value > best`.

Cell: MiniMax
Caught by: test_block
Behaves like: a search that takes a value of 0 for none at all
Area: how the best move is found
Principle: 0 is a value like any other: ask `is None` to know whether there is one yet.
Example: TreeGame([0, 5, -4, 3], branching=2) with MAX to move: worth 0, by the move 0
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
        best_move, best = None, None
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if not best or value > best:
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
