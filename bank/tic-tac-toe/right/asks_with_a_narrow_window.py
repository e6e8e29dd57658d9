"""AlphaBeta asks with a window of no width whether a move is better, and again if it is (PVS).

It keeps the children it has got from the game for as long as one search lasts.
"""

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)
        self.children = {}

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def key(self, state):
        return (state.to_move, frozenset(state.board.items())) if hasattr(state, "board") else state

    def child(self, state, move):
        known = self.children.setdefault(self.key(state), {})
        if move not in known:
            known[move] = self.game.result(state, move)
        return known[move]

    def search(self, state):
        self.children = {}
        player = self.game.to_move(state)
        best, alpha = None, -infinity
        for move in self.game.actions(state):
            child = self.child(state, move)
            if best is None:
                value = self.min_value(child, player, alpha, infinity, 1)
            else:
                value = self.min_value(child, player, alpha, alpha, 1)
                if value > alpha:
                    value = self.min_value(child, player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        return best

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for move in self.game.actions(state):
            child = self.child(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value >= beta and value > alpha:
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
            child = self.child(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value
