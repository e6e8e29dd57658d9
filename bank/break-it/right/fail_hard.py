"""A helper never returns less than alpha or more than beta, and the root is a max_value as well."""

# %% my_search
def alpha_beta_search(state, game):
    player = game.to_move(state)
    choice = {}

    def max_value(state, alpha, beta, root=False):
        if game.terminal_test(state):
            return game.utility(state, player)
        for move in game.actions(state):
            value = min_value(game.result(state, move), alpha, beta)
            if root and (not choice or value > alpha):
                choice["move"] = move
            if value >= beta:
                return beta
            alpha = max(alpha, value)
        return alpha

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        for move in game.actions(state):
            value = max_value(game.result(state, move), alpha, beta)
            if value <= alpha:
                return alpha
            beta = min(beta, value)
        return beta

    max_value(state, -infinity, infinity, root=True)
    return choice["move"]

# %% my_trees
my_trees = [[[3, [3, 9]], 0], [6, [6, 1]], [[[-3, 8], -8], -1]]
