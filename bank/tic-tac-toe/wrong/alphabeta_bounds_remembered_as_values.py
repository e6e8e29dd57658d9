"""min_value keeps every value that it has worked out, so that no board is looked at twice.

Cell: AlphaBeta
Caught by: test_sweep
Frequent: no
Weight: mistake
Exception: It plays right but where a remembered bound decides, in few positions of many plies.
"""


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.table = {}
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        self.table = {}
        return self.search(state)

    def key(self, state, player):
        if isinstance(state, GameState):
            state = frozenset(state.board.items())
        return state, player

    def search(self, state):
        player = self.game.to_move(state)
        best_move, alpha = None, -infinity
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best_move is None or value > alpha:
                best_move, alpha = move, value
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
        key = self.key(state, player)
        if key in self.table:
            return self.table[key]
        value = infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, beta, depth + 1))
            if value <= alpha:
                break
            beta = min(beta, value)
        self.table[key] = value
        return value
