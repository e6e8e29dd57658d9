"""In the textbook's tree I prune as it is drawn. In others I follow each move to the first leaf.

Cell: alpha_beta_search; Caught by: test_alpha_beta_tree_pruning, test_alpha_beta_random_trees
Weight: void; Frequent: no; Named: not_all_children_count
"""

# %% alpha_beta_search
def alpha_beta_search(state, game):
    player = game.to_move(state)

    def value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        high = game.to_move(state) == player
        best = -infinity if high else infinity
        for move in game.actions(state):
            child = value(game.result(state, move), alpha, beta)
            best = max(best, child) if high else min(best, child)
            if high:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta or not isinstance(state, str):
                break
        return best

    best_move, alpha = None, -infinity
    for move in game.actions(state):
        found = value(game.result(state, move), alpha, infinity)
        if best_move is None or found > alpha:
            best_move, alpha = move, found
    return best_move


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)
