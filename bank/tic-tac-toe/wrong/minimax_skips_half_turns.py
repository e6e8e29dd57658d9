"""Turned by half a turn a reply is worth the same, so one of the two will do.

Cell: MiniMax
Caught by: test_whole_tree
Frequent: no
Weight: mistake
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

    def some(self, state):
        moves = list(self.game.actions(state))
        pieces = getattr(state, "board", None)
        if not pieces or {(2 - r, 2 - c): p for (r, c), p in pieces.items()} != pieces:
            return moves
        return [(r, c) for r, c in moves if (r, c) <= (2 - r, 2 - c)]

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best = -infinity
        for move in self.some(state):
            best = max(best, self.min_value(self.game.result(state, move), player))
        return best

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best = infinity
        for move in self.some(state):
            best = min(best, self.max_value(self.game.result(state, move), player))
        return best
