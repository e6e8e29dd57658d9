"""Of several best moves the last is taken; alpha-beta cuts strictly, so that ties are real ties."""

# %% my_search
def alpha_beta_search(state, game):
    player = game.to_move(state)

    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move), alpha, beta))
            if best > beta:
                break
            alpha = max(alpha, best)
        return best

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move), alpha, beta))
            if worst < alpha:
                break
            beta = min(beta, worst)
        return worst

    best_move, alpha = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move), alpha, infinity)
        if best_move is None or value >= alpha:
            best_move, alpha = move, value
    return best_move

# %% my_trees
my_trees = [
    [[-2, [1, -7]], -4], [-8, [[-3, [-8, -3]], 2]], [9, [9, [-3, 6]]], [[3, [3, 9]], 0],
]
