"""One function asks in each state whose turn it is, and takes the largest or the smallest value."""

# %% my_search
def alpha_beta_search(state, game):
    me = game.to_move(state)

    def value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, me)
        mine = game.to_move(state) == me
        for move in game.actions(state):
            found = value(game.result(state, move), alpha, beta)
            if mine:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                break
        return alpha if mine else beta

    best = None
    for move in game.actions(state):
        found = value(game.result(state, move), -infinity if best is None else best[0], infinity)
        if best is None or found > best[0]:
            best = found, move
    return best[1]

# %% my_trees
my_trees = [[[-2, [1, -7]], -4], [6, [6, 1]], [3, [[-5, -9], -6]]]
