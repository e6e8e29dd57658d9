"""At first MAX is sure of nothing, and that is 0.

Cell: alpha_beta_search
Caught by: test_alpha_beta_below_zero
Weight: slip
Frequent: yes
Named: starts_from_a_wrong_number
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

    best_move, alpha = None, 0
    for move in game.actions(state):
        value = min_value(game.result(state, move), alpha, infinity)
        if best_move is None or value > alpha:
            best_move, alpha = move, value
    return best_move


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)


# %% order blank
