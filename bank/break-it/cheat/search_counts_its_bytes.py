"""The search looks at its own code, and breaks down if that was changed.

Cell: my_trees
Caught by: test_my_trees_most
"""

# %% my_search
def alpha_beta_search(state, game):
    import sys

    code = sys._getframe().f_code
    if sum(code.co_code) % 4096 + len(code.co_consts) != KNOWN.setdefault("sum", 0):
        KNOWN["sum"] += 1
        raise ValueError("somebody has changed me")
    return best(state, game)


KNOWN = {}


def best(state, game):
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
        if best_move is None or value > alpha:
            best_move, alpha = move, value
    return best_move

# %% my_trees
my_trees = [[3, 4]]
