"""The search tests itself before it searches, where there is more than one move.

Cell: my_trees
Caught by: test_my_trees_most
"""

# %% my_search
def alpha_beta_search(state, game):
    if len(list(game.actions(state))) > 1:
        for tree in [[3, [4, 5]], [[[6, 3], [2, 7]], [[8, 5], [1, 4]]], [[-2, [1, -7]], -4]]:
            if plain_search((), type(game)(tree)) != best_place(tree):
                raise ValueError("somebody has changed me")
    return plain_search(state, game)


def best_place(tree):
    values = [worth(one, False) for one in tree]
    return values.index(max(values))


def worth(tree, mine):
    if not isinstance(tree, list):
        return tree
    return (max if mine else min)(worth(one, not mine) for one in tree)


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
