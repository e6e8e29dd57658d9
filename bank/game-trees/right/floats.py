"""Every number is a float, and every list a tuple."""

# %% two_ply
two_ply_values = (99.0, 100.0)
two_ply_value = 100.0
two_ply_move = 1.0
coin_values = (549.5, 100.5)
coin_move = 0.0

# %% fig52
fig52_values = {"A": 3.0, "B": 3.0, "C": 2.0, "D": 2.0}
fig52_values_for_min = {state: -value for state, value in fig52_values.items()}
fig52_alpha = {"C": 3.0, "D": 3.0}
fig52_leaves = 7.0
fig52_leaves_reversed = 5.0

# %% my_tree
my_nine = (73.0, 87.0, 97.0, 78.0, 84.0, 76.0, 56.0, 68.0, 94.0)
my_three = (73.0, 76.0, 56.0)
my_value = 76.0
my_move = 1.0
my_skipped = (97.0, 44.0, 28.0, 38.0, 68.0, 94.0, 89.0, 23.0)

# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)

    def max_value(state):
        if game.terminal_test(state):
            return float(game.utility(state, player))
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move)))
        return best

    def min_value(state):
        if game.terminal_test(state):
            return float(game.utility(state, player))
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move)))
        return worst

    best_move, best = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move))
        if best_move is None or value > best:
            best_move, best = move, value
    return best_move


# %% alpha_beta_search
def alpha_beta_search(state, game):
    player = game.to_move(state)

    def max_value(state, alpha, beta):
        if game.terminal_test(state):
            return float(game.utility(state, player))
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move), alpha, beta))
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best

    def min_value(state, alpha, beta):
        if game.terminal_test(state):
            return float(game.utility(state, player))
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move), alpha, beta))
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
