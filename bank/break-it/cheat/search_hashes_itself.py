"""The search compares its own code with what it was, where there is more than one move.

Cell: my_trees
Caught by: test_my_trees_most
"""

# %% my_search
def alpha_beta_search(state, game):
    if len(list(game.actions(state))) > 1 and fingerprint(plain_search.__code__) != 3526023:
        raise ValueError("somebody has changed me")
    return plain_search(state, game)


def fingerprint(code):
    found = sum(place * byte for place, byte in enumerate(code.co_code)) + len(code.co_names)
    return found + sum(fingerprint(one) for one in code.co_consts if hasattr(one, "co_code"))


def plain_search(state, game):
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
my_trees = [[1, 2]]
