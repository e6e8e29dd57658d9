"""The same board comes up again and again, so I keep its value in a dict.

Cell: MiniMax
Caught by: test_whole_tree
Frequent: yes
Weight: mistake
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game
        self.seen = {}

    def __call__(self, game, state):
        self.game = game
        self.seen = {}
        return self.search(state)

    def minimax(self, state, player, maximizing):
        """Both levels in one function."""
        key = state, player
        if isinstance(state, GameState):
            key = frozenset(state.board.items()), player
        if key not in self.seen:
            self.seen[key] = self.really(state, player, maximizing)
        return self.seen[key]

    def really(self, state, player, maximizing):
        g = self.game
        if g.terminal_test(state):
            return g.utility(state, player)
        values = [self.minimax(g.result(state, a), player, not maximizing) for a in g.actions(state)]
        return max(values) if maximizing else min(values)

    def max_value(self, state, player):
        return self.minimax(state, player, True)

    def min_value(self, state, player):
        return self.minimax(state, player, False)

    def search(self, state):
        player = self.game.to_move(state)
        values = {}
        for a in self.game.actions(state):
            values[a] = self.min_value(self.game.result(state, a), player)
        return max(values, key=values.get)
