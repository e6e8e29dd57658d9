"""Fail-hard alpha-beta: a value never leaves the window; alpha and beta themselves are returned."""

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.depth = d
        self.game = game
        self.given_cutoff = cutoff_test
        self.given_eval = eval_fn

    def stop(self, state, depth):
        if self.given_cutoff is None:
            return depth >= self.depth
        return self.given_cutoff(state, depth)

    def guess(self, state):
        if self.given_eval is None:
            return 0.25
        return self.given_eval(state)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        game = self.game
        player = game.to_move(state)
        alpha, beta = -infinity, infinity
        best_move = None
        for move in game.actions(state):
            value = self.min_value(game.result(state, move), player, alpha, beta, 1)
            if best_move is None or value > alpha:
                alpha = value
                best_move = move
        return best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.stop(state, depth):
            return self.guess(state)
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            if value >= beta:
                return beta
            if value > alpha:
                alpha = value
        return alpha

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.stop(state, depth):
            return self.guess(state)
        for move in self.game.actions(state):
            value = self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            if value <= alpha:
                return alpha
            if value < beta:
                beta = value
        return beta
