"""Negamax turns the sign of the value, the window goes down as it is.

Cell: AlphaBeta
Caught by: test_win_in_two
Behaves like: a search that turns the values but not the window
Area: what is handed from level to level
Principle: Where values change their sign from level to level, so do alpha and beta, and they trade places.
Example: TreeGame([2, 1, 3, 2, 2, 3, 6, 2], branching=2) with MAX to move: worth 3, by the move 1
"""


# %% AlphaBeta
class AlphaBeta(Player):
    """Negamax: a value is seen by who is to move, and turned round on the way up."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def negamax(self, state, player, alpha, beta, depth, sign):
        if self.game.terminal_test(state):
            return sign * self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return sign * self.eval_fn(state)
        best = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = -self.negamax(child, player, alpha, beta, depth + 1, -sign)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def max_value(self, state, player, alpha, beta, depth):
        return self.negamax(state, player, alpha, beta, depth, 1)

    def min_value(self, state, player, alpha, beta, depth):
        return -self.negamax(state, player, -beta, -alpha, depth, -1)

    def search(self, state):
        player = self.game.to_move(state)
        best_move, best = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, best, infinity, 1)
            if best_move is None or value > best:
                best_move, best = move, value
        return best_move
