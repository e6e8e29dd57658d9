"""When I have found a win there is nothing better, so I need not look at the other moves.

Cell: MiniMax
Caught by: test_whole_tree
Behaves like: a search that leaves out the rest of the moves as soon as one wins
Area: which states are looked at
Principle: Plain minimax prunes nothing: the other moves are looked at even after a winning one.
Example: X O X / X . O / . . O with X to move: the moves after the winning (2, 0) are looked at too
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
            if value == 1:
                break
        return best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = -infinity
        for move in self.game.actions(state):
            value = max(value, self.min_value(self.game.result(state, move), player))
            if value == 1:
                break
        return value

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        value = infinity
        for move in self.game.actions(state):
            value = min(value, self.max_value(self.game.result(state, move), player))
            if value == -1:
                break
        return value
