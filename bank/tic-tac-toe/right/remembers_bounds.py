"""AlphaBeta has a table of positions that keeps bounds apart from exact values, for each search."""

# %% +
EXACT, AT_LEAST, AT_MOST = "exact", "at least", "at most"


def name_of(state):
    """Something that can be a key, for every kind of state."""
    if isinstance(state, GameState):
        return state.to_move, frozenset(state.board.items())
    return state

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)
        self.table = None

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        best, alpha = None, -infinity
        self.table = {}
        for move in self.game.actions(state):
            value = self.min_value(self.game.result(state, move), player, alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value
        self.table = None
        return best

    def known(self, key, alpha, beta):
        if self.table is not None and key in self.table:
            kind, value = self.table[key]
            if kind == EXACT or kind == AT_LEAST and value >= beta or kind == AT_MOST and value <= alpha:
                return value
        return None

    def remember(self, key, value, alpha, beta):
        if self.table is not None:
            kind = AT_MOST if value <= alpha else AT_LEAST if value >= beta else EXACT
            self.table[key] = kind, value
        return value

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        key = name_of(state), depth, player, "max"
        value = self.known(key, alpha, beta)
        if value is not None:
            return value
        value, floor = -infinity, alpha
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, floor, beta, depth + 1))
            if value >= beta:
                break
            floor = max(floor, value)
        return self.remember(key, value, alpha, beta)

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        key = name_of(state), depth, player, "min"
        value = self.known(key, alpha, beta)
        if value is not None:
            return value
        value, ceiling = infinity, beta
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = min(value, self.max_value(child, player, alpha, ceiling, depth + 1))
            if value <= alpha:
                break
            ceiling = min(ceiling, value)
        return self.remember(key, value, alpha, beta)
