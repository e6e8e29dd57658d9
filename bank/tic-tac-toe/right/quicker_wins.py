"""Among equal moves the one that wins sooner or loses later; inside, values are pairs."""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def pair(self, state, player, depth, mine):
        """The value, and for ties: a win is better soon, a defeat late."""
        if self.game.terminal_test(state):
            value = self.game.utility(state, player)
            return value, -depth if value > 0 else depth
        pairs = (
            self.pair(self.game.result(state, move), player, depth + 1, not mine)
            for move in self.game.actions(state)
        )
        return max(pairs) if mine else min(pairs)

    def search(self, state):
        player = self.game.to_move(state)
        pairs = {}
        for move in self.game.actions(state):
            pairs[move] = self.pair(self.game.result(state, move), player, 1, False)
        return max(pairs, key=pairs.__getitem__)

    def max_value(self, state, player):
        return self.pair(state, player, 0, True)[0]

    def min_value(self, state, player):
        return self.pair(state, player, 0, False)[0]


# %% AlphaBeta
class AlphaBeta(Player):
    """Of equal moves at the root it prefers one that ends the game at once."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: depth >= d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        alpha, best, sooner = -infinity, None, False
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = self.min_value(child, player, alpha, infinity, 1)
            over = self.game.terminal_test(child)
            if best is None or value > alpha or (value == alpha and over and not sooner):
                alpha, best, sooner = value, move, over
        return best

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        value = -infinity
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            value = max(value, self.min_value(child, player, alpha, beta, depth + 1))
            if value > beta:
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
            if value < alpha:
                return value
            beta = min(beta, value)
        return value
