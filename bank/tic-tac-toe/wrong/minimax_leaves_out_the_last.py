"""The indices of the moves go from 0 to len - 1, so range(len - 1).

Cell: MiniMax
Caught by: test_fig52_moves
Frequent: yes
Weight: mistake
Named: not_all_children_count
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
        return max(
            self.game.actions(state),
            key=lambda move: self.min_value(self.game.result(state, move), me),
        )

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return max(self.min_value(child, player) for child in self.children(state))

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        moves = list(self.game.actions(state))
        value = infinity
        for i in range(max(1, len(moves) - 1)):
            value = min(value, self.max_value(self.game.result(state, moves[i]), player))
        return value
