"""The bounds of the root are good enough for the whole tree.

Cell: alpha_beta_search
Caught by: test_alpha_beta_cuts_for_max
Weight: mistake
Frequent: yes
Named: window_is_not_narrowed
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
        return best

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move), alpha, beta))
            if worst <= alpha:
                break
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
