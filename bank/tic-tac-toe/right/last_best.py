"""Ties go to the last best move; pruning on strict inequality, fail-soft."""

# %% MiniMax
class MiniMax(Player):
    """Keep the last of the best moves."""

    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        choice, highest = None, -infinity
        for move in self.game.actions(state):
            worth = self.min_value(self.game.result(state, move), me)
            if worth >= highest:
                choice, highest = move, worth
        return choice

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        highest = -infinity
        for move in self.game.actions(state):
            worth = self.min_value(self.game.result(state, move), player)
            if worth >= highest:
                highest = worth
        return highest

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        lowest = infinity
        for move in self.game.actions(state):
            worth = self.max_value(self.game.result(state, move), player)
            if worth <= lowest:
                lowest = worth
        return lowest

# %% AlphaBeta
class AlphaBeta(Player):
    """A value equal to alpha is exact, because only strictly worse branches are cut."""

    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.d = d
        self.game = game
        self.cutoff_test = cutoff_test if cutoff_test is not None else self.deep_enough
        self.eval_fn = eval_fn if eval_fn is not None else self.no_idea

    def deep_enough(self, state, depth):
        return depth == self.d

    @staticmethod
    def no_idea(state):
        return 0

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        me = self.game.to_move(state)
        choice, highest = None, -infinity
        for move in self.game.actions(state):
            worth = self.min_value(self.game.result(state, move), me, highest, infinity, 1)
            if worth >= highest:
                choice, highest = move, worth
        return choice

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        highest = -infinity
        for move in self.game.actions(state):
            worth = self.min_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            highest = max(highest, worth)
            alpha = max(alpha, highest)
            if beta < alpha:
                break
        return highest

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        lowest = infinity
        for move in self.game.actions(state):
            worth = self.max_value(self.game.result(state, move), player, alpha, beta, depth + 1)
            lowest = min(lowest, worth)
            beta = min(beta, lowest)
            if beta < alpha:
                break
        return lowest
