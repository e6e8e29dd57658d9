"""One function for both sides: a value is for whoever is to move, and turned round for the other."""

# %% my_search
def alpha_beta_search(state, game):
    me = game.to_move(state)

    def value(state, sign, alpha, beta):
        if game.terminal_test(state):
            return sign * game.utility(state, me)
        best = -infinity
        for move in game.actions(state):
            child = game.result(state, move)
            best = max(best, -value(child, -sign, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    choice, alpha = None, -infinity
    for move in game.actions(state):
        found = -value(game.result(state, move), -1, -infinity, -alpha)
        if choice is None or found > alpha:
            choice, alpha = move, found
    return choice

# %% my_trees
my_trees = [[[-2, [1, -7]], -4], [6, [6, 1]], [-5, [4, [[2, -1], -7]]]]
