"""self.level tells how deep I am: up by one before a call, down by one after it.

Cell: AlphaBeta
Caught by: test_evaluation
Frequent: no
Weight: slip
"""


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.level = 0
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def below(self, look, state, move, player, alpha, beta):
        self.level += 1
        value = look(self.game.result(state, move), player, alpha, beta, self.level)
        self.level -= 1
        return value

    def search(self, state):
        player = self.game.to_move(state)
        best_move, best = None, -infinity
        for move in self.game.actions(state):
            value = self.below(self.min_value, state, move, player, best, infinity)
            if best_move is None or value > best:
                best_move, best = move, value
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, self.level):
            return self.eval_fn(state)
        value = -infinity
        for move in self.game.actions(state):
            value = max(value, self.below(self.min_value, state, move, player, alpha, beta))
            if value >= beta:
                break
            alpha = max(alpha, value)
        return value

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, self.level):
            return self.eval_fn(state)
        value = infinity
        for move in self.game.actions(state):
            value = min(value, self.below(self.max_value, state, move, player, alpha, beta))
            if value <= alpha:
                break
            beta = min(beta, value)
        return value
