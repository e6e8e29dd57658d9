"""The recursion lives in functions inside of functions; the methods only call them."""

# %% MiniMax
class MiniMax(Player):
    def __init__(self, game=None):
        self.game = game

    def _valuation(self, player):
        game = self.game

        def value_for(mine):
            best_of = max if mine else min

            def value(state):
                if game.terminal_test(state):
                    return game.utility(state, player)
                deeper = value_for(not mine)
                return best_of([deeper(game.result(state, move)) for move in game.actions(state)])

            return value

        return value_for

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        value = self._valuation(self.game.to_move(state))(False)
        best_move = best_value = None
        for move in self.game.actions(state):
            found = value(self.game.result(state, move))
            if best_value is None or found > best_value:
                best_move, best_value = move, found
        return best_move

    def max_value(self, state, player):
        return self._valuation(player)(True)(state)

    def min_value(self, state, player):
        return self._valuation(player)(False)(state)

# %% AlphaBeta
def make_search(game, player, cutoff_test, eval_fn):
    """Return two functions that call each other, for this player in this game."""

    def leaf(state, depth):
        if game.terminal_test(state):
            return game.utility(state, player)
        if cutoff_test(state, depth):
            return eval_fn(state)
        return None

    def highest(state, alpha, beta, depth):
        value = leaf(state, depth)
        if value is not None:
            return value
        value = -infinity
        for move in game.actions(state):
            value = max(value, lowest(game.result(state, move), alpha, beta, depth + 1))
            if value >= beta:
                break
            alpha = max(alpha, value)
        return value

    def lowest(state, alpha, beta, depth):
        value = leaf(state, depth)
        if value is not None:
            return value
        value = infinity
        for move in game.actions(state):
            value = min(value, highest(game.result(state, move), alpha, beta, depth + 1))
            if value <= alpha:
                break
            beta = min(beta, value)
        return value

    return highest, lowest


class AlphaBeta(Player):
    def __init__(self, d=4, game=None, cutoff_test=None, eval_fn=None):
        self.game = game

        def too_deep(state, depth):
            return depth >= d

        def unknown(state):
            return 0

        self.settings = cutoff_test or too_deep, eval_fn or unknown

    def __call__(self, game, state):
        self.game = game
        return self.search(state)

    def search(self, state):
        player, best, alpha = self.game.to_move(state), None, -infinity
        _, lowest = make_search(self.game, player, *self.settings)

        def consider(move):
            nonlocal best, alpha
            value = lowest(self.game.result(state, move), alpha, infinity, 1)
            if best is None or value > alpha:
                best, alpha = move, value

        for move in self.game.actions(state):
            consider(move)
        return best

    def max_value(self, state, player, alpha, beta, depth):
        return make_search(self.game, player, *self.settings)[0](state, alpha, beta, depth)

    def min_value(self, state, player, alpha, beta, depth):
        return make_search(self.game, player, *self.settings)[1](state, alpha, beta, depth)
