"""As long as there is no value I take the next one: `if not best`.

Cell: alpha_beta_search
Caught by: test_alpha_beta_random_trees, test_alpha_beta_boards
Weight: slip
Frequent: yes
Named: zero_counts_as_none
"""

# %% alpha_beta_search
def alpha_beta_search(state, game):
    player = game.to_move(state)

    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = None
        for move in game.actions(state):
            value = min_value(game.result(state, move), alpha, beta)
            if not best or value > best:
                best = value
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = None
        for move in game.actions(state):
            value = max_value(game.result(state, move), alpha, beta)
            if not worst or value < worst:
                worst = value
            if worst <= alpha:
                break
            beta = min(beta, worst)
        return worst

    best_move, alpha = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move), alpha, infinity)
        if best_move is None or value > alpha:
            best_move, alpha = move, value
    return best_move


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)


# %% order blank
