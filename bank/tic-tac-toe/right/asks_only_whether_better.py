"""Asks of later moves only whether they are better, and remembers children."""

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
        self.below = {}
        player = self.game.to_move(state)
        best, choice = None, None
        for place, move in enumerate(self.game.actions(state)):
            child = self.child(("root",), state, place, move)
            if best is None:
                value = self.min_value(child, player, -infinity, infinity, 1, ("root", place))
            else:
                value = self.min_value(child, player, best, best, 1, ("root", place))
                if value > best:
                    value = self.min_value(child, player, best, infinity, 1, ("root", place))
            if best is None or value > best:
                best, choice = value, move
        return choice

    def child(self, path, state, place, move):
        key = (*path, place)
        if key not in self.below:
            self.below[key] = self.game.result(state, move)
        return self.below[key]

    def max_value(self, state, player, alpha, beta, depth, path=None):
        return self.value(state, player, alpha, beta, depth, path, max)

    def min_value(self, state, player, alpha, beta, depth, path=None):
        return self.value(state, player, alpha, beta, depth, path, min)

    def value(self, state, player, alpha, beta, depth, path, pick):
        if path is None:
            self.below, path = {}, ()
        game = self.game
        if game.terminal_test(state):
            return game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        best = -infinity if pick is max else infinity
        for place, move in enumerate(game.actions(state)):
            child = self.child(path, state, place, move)
            below = self.min_value if pick is max else self.max_value
            best = pick(best, below(child, player, alpha, beta, depth + 1, (*path, place)))
            if pick is max:
                if best >= beta and best > alpha:
                    return best
                alpha = max(alpha, best)
            else:
                if best <= alpha:
                    return best
                beta = min(beta, best)
        return best
