"""I look at each child with alpha and beta, and return the move.

Cell: alpha_beta_search
Caught by: test_alpha_beta_above_zero, test_alpha_beta_cuts_for_min, test_alpha_beta_player
Weight: void
Frequent: no
Named: one_move_for_all
"""

# %% alpha_beta_search
def alpha_beta_search(state, game):
    player = game.to_move(state)

    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move), alpha, beta))
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move), alpha, beta))
            if worst <= alpha:
                break
            beta = min(beta, worst)
        return worst

    for move in game.actions(state):
        value = min_value(game.result(state, move), -infinity, infinity)
    return move


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)


# %% order blank
