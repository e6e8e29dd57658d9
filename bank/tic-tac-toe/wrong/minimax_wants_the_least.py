"""The children are the opponent's states, and a small value there is good for me.

Cell: MiniMax
Caught by: test_win_in_one
Frequent: yes
Behaves like: a search that plays the move of the lowest value
Area: how the best move is found
Principle: All values are seen by the searching player: at the root, the highest is the best.
Example: X O X / X . O / . . O with X to move: (2, 0) wins at once
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
        return min(
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
        return min(self.max_value(child, player) for child in self.children(state))
