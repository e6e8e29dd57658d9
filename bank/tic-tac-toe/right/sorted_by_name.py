"""All moves with their values go into a list, which is sorted; ties are broken by the name."""


# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        ranking = sorted(
            (
                (-self.min_value(self.game.result(state, move), player), str(move), move)
                for move in self.game.actions(state)
            ),
            key=lambda entry: entry[:2],
        )
        return ranking[0][-1]

    def _values(self, state, player, value):
        return sorted(value(self.game.result(state, m), player) for m in self.game.actions(state))

    def max_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return self._values(state, player, self.min_value)[-1]

    def min_value(self, state, player):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        return self._values(state, player, self.max_value)[0]


# %% AlphaBeta
class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game
        self.cutoff_test = cutoff_test or (lambda state, depth: not depth < d)
        self.eval_fn = eval_fn or (lambda state: 0)

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player = self.game.to_move(state)
        ranking = []
        for move in sorted(self.game.actions(state), key=str, reverse=True):
            alpha = max([entry[0] for entry in ranking], default=-infinity)
            child = self.game.result(state, move)
            ranking.append(
                (self.min_value(child, player, alpha, infinity, 1), str(move), len(ranking), move)
            )
        ranking.sort()
        return ranking[-1][-1]

    def max_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        values = [-infinity]
        for move in sorted(self.game.actions(state), key=str, reverse=True):
            child = self.game.result(state, move)
            values.append(self.min_value(child, player, max(alpha, *values), beta, depth + 1))
            if values[-1] > beta:
                break
        return max(values)

    def min_value(self, state, player, alpha, beta, depth):
        if self.game.terminal_test(state):
            return self.game.utility(state, player)
        if self.cutoff_test(state, depth):
            return self.eval_fn(state)
        values = [infinity]
        for move in sorted(self.game.actions(state), key=str):
            child = self.game.result(state, move)
            values.append(self.max_value(child, player, alpha, min(beta, *values), depth + 1))
            if values[-1] < alpha:
                break
        return min(values)
