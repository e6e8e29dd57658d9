"""A class does the search; the functions only make an object of it."""

# %% minmax_decision
class Search:
    def __init__(self, game, player):
        self.game, self.player = game, player

    def children(self, state):
        for move in self.game.actions(state):
            yield self.game.result(state, move)

    def value(self, state, mine):
        if self.game.terminal_test(state):
            return self.game.utility(state, self.player)
        return (max if mine else min)(self.value(child, not mine) for child in self.children(state))

    def decide(self, state):
        best = None
        for move in self.game.actions(state):
            value = self.value(self.game.result(state, move), False)
            if best is None or value > best[0]:
                best = value, move
        return best[1]


def minmax_decision(state, game):
    return Search(game, game.to_move(state)).decide(state)

# %% alpha_beta_search
class Pruning(Search):
    def value(self, state, mine, alpha=-infinity, beta=infinity):
        if self.game.terminal_test(state):
            return self.game.utility(state, self.player)
        best = -infinity if mine else infinity
        for child in self.children(state):
            below = self.value(child, not mine, alpha, beta)
            best = max(best, below) if mine else min(best, below)
            alpha, beta = (max(alpha, best), beta) if mine else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best

    def decide(self, state):
        best = None
        for move in self.game.actions(state):
            alpha = best[0] if best else -infinity
            value = self.value(self.game.result(state, move), False, alpha)
            if best is None or value > best[0]:
                best = value, move
        return best[1]


def alpha_beta_search(state, game):
    return Pruning(game, game.to_move(state)).decide(state)


def alpha_beta_player(game, state):
    return Pruning(game, game.to_move(state)).decide(state)
