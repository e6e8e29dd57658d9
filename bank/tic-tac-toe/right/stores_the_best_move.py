"""`search` calls `max_value`, which notes the best move in an attribute when it is at depth 0."""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game
        self.best_move = None
        self.level = 0

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        self.level = 0
        self.max_value(state, self.game.to_move(state))
        return self.best_move

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        best, best_move = -infinity, None
        self.level += 1
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player)
            if best_move is None or value > best:
                best, best_move = value, move
        self.level -= 1
        if self.level == 0:
            self.best_move = best_move
        return best

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        self.level += 1
        best = infinity
        for move in self.game.actions(state):
            best = min(best, self.max_value(self.game.result(state, move), player))
        self.level -= 1
        return best

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)
        self.best_move = None

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        self.best_move = None
        self.max_value(state, self.game.to_move(state), -infinity, infinity, 0)
        return self.best_move

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if depth and self.cutoff_test(state, depth):
            return self.eval_fn(state)
        v = -infinity
        for move in self.game.actions(state):
            w = self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            if depth == 0 and (w > v or self.best_move is None):
                self.best_move = move
            v = max(v, w)
            if v >= beta:
                return v
            alpha = max(alpha, v)
        return v

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        v = infinity
        for move in self.game.actions(state):
            v = min(
                v, self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            )
            if v <= alpha:
                return v
            beta = min(beta, v)
        return v
