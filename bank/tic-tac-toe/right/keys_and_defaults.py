"""min and max with key and default, `cutoff_test` asked before `terminal_test`, one shared value()."""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def value(self, state, player, choose):
        other = {max: min, min: max}[choose]
        return choose(
            (
                self.value(self.game.result(state, move), player, other)
                for move in (() if self.game.terminal_test(state) else self.game.actions(state))
            ),
            default=None,
        ) if not self.game.terminal_test(state) else self.game.utility(state, player)

    def search(self, state):
        player = self.game.to_move(state)
        value_of = lambda move: self.value(self.game.result(state, move), player, min)
        return max(self.game.actions(state), key=value_of, default=None)

    def max_value(self, state, player):
        return self.value(state, player, max)

    def min_value(self, state, player):
        return self.value(state, player, min)

# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (
            lambda state, depth: depth >= d or self.game.terminal_test(state)
        )
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def over(self, state, player, depth):
        """Whether to stop here, and the value if so. `cutoff_test` is asked in every state."""
        stop = self.cutoff_test(state, depth)
        if self.game.terminal_test(state):
            return True, self.game.utility(state, player)
        return (True, self.eval_fn(state)) if stop else (False, None)

    def search(self, state):
        player = self.game.to_move(state)
        values = {}
        for move in self.game.actions(state):
            alpha = max(values.values(), default=-infinity)
            child = self.game.result(state, move)
            values[move] = self.min_value(child, player, alpha, infinity, 1)
        # a branch that was cut has a value of at most alpha, and stands behind the move that set it
        return max(values, key=values.get)

    def max_value(self, state, player, alpha, beta, depth):
        stop, value = self.over(state, player, depth)
        if stop:
            return value
        value = -infinity
        for move in self.game.actions(state):
            value = max(
                (value, self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1)),
                key=float,
            )
            alpha = max((alpha, value), key=float)
            if alpha >= beta:
                return alpha
        return value

    def min_value(self, state, player, alpha, beta, depth):
        stop, value = self.over(state, player, depth)
        if stop:
            return value
        value = infinity
        for move in self.game.actions(state):
            value = min(
                (value, self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1)),
                key=float,
            )
            beta = min((beta, value), key=float)
            if alpha >= beta:
                return beta
        return value
