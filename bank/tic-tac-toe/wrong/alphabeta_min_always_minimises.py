"""MAX, or X, maximises and the other one minimises. So I compute values for X and take the
smallest for O.

Cell: AlphaBeta
Caught by: test_evaluation
Behaves like: a search in which the first player maximises and the second one minimises, whoever is searching
Area: for whom the search is made
Principle: Values, estimates too, are seen by the searching player, and at the root the highest is best.
Example: TreeGame([1, 2, 3, 4, 5, 6, 7, 8], branching=2) in (0,) with d=1, where eval_fn says (0, 0) 1 and (0, 1) 5: MIN plays 1
"""


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        if player in ("O", "MIN"):
            return self.search_min(state, "X" if player == "O" else "MAX")
        best_move, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best_move is None or value > alpha:
                best_move, alpha = move, value
        return best_move

    def search_min(self, state, player):
        best_move, beta = None, infinity
        for move in self.game.actions(state):
            value = self.max_value(self.game.result(state, move), player, -infinity, beta, 1)
            if best_move is None or value < beta:
                best_move, beta = move, value
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value
