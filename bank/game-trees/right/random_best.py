"""Of several best moves any is taken, by chance."""

# %% +
import random


# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)

    def max_value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move)))
        return best

    def min_value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move)))
        return worst

    values = {move: min_value(game.result(state, move)) for move in game.actions(state)}
    return random.choice([move for move in values if values[move] == max(values.values())])


# %% alpha_beta_search
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

    best_moves, alpha = [], -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move), alpha, infinity)
        if not best_moves or value > alpha:
            best_moves, alpha = [], value
        if value == alpha:
            best_moves.append(move)
    return random.choice(best_moves)


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)
