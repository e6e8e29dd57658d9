"""My move and the answer to it: to look further takes too long.

Cell: MiniMax
Caught by: test_win_in_two
Frequent: no
Weight: mistake
Named: few_plies_only
"""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        return max(
            list(self.game.actions(state)),
            key=lambda m: self.min_value(self.game.result(state, m), me, 1),
        )

    def max_value(self, state, player, depth=0):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if depth == 2:
            return 0
        children = [self.game.result(state, m) for m in self.game.actions(state)]
        return max(self.min_value(c, player, depth + 1) for c in children)

    def min_value(self, state, player, depth=0):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if depth == 2:
            return 0
        children = [self.game.result(state, m) for m in self.game.actions(state)]
        return min(self.max_value(c, player, depth + 1) for c in children)
