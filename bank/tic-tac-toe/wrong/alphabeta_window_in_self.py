"""self.alpha and self.beta, then I need not pass them around.

Cell: AlphaBeta; Caught by: test_fig52_moves; Weight: mistake; Frequent: yes
Named: window_is_shared
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
        me = self.game.to_move(state)
        self.alpha, self.beta = -infinity, infinity
        values = {}
        for move in self.game.actions(state):
            values[move] = self.down(self.game.result(state, move), me, 1, False)
            self.alpha = max(self.alpha, values[move])
        return max(values, key=values.get)

    def max_value(self, state, player, alpha, beta, depth):
        self.alpha, self.beta = alpha, beta
        return self.down(state, player, depth, True)

    def min_value(self, state, player, alpha, beta, depth):
        self.alpha, self.beta = alpha, beta
        return self.down(state, player, depth, False)

    def down(self, state, player, depth, my_turn):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        best = -infinity if my_turn else infinity
        for move in self.game.actions(state):
            value = self.down(self.game.result(state, move), player, depth + 1, not my_turn)
            if my_turn:
                best = max(best, value)
                self.alpha = max(self.alpha, best)
            else:
                best = min(best, value)
                self.beta = min(self.beta, best)
            if self.alpha >= self.beta:
                break
        return best
