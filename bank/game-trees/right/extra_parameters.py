"""The functions have more parameters, with defaults, and call themselves with them."""

# %% minmax_decision
def minmax_decision(state, game, player=None, depth=0):
    player = player or game.to_move(state)
    best_move, best = None, None
    for move in game.actions(state):
        child = game.result(state, move)
        if game.terminal_test(child):
            value = game.utility(child, player)
        else:
            _, value = minmax_decision(child, game, player, depth + 1)
        better = best is None or (value > best if depth % 2 == 0 else value < best)
        if better:
            best_move, best = move, value
    return (best_move, best) if depth else best_move

# %% alpha_beta_search
def alpha_beta_search(state, game, player=None, alpha=-infinity, beta=infinity, depth=0):
    player = player or game.to_move(state)
    best_move, best = None, None
    for move in game.actions(state):
        child = game.result(state, move)
        if game.terminal_test(child):
            value = game.utility(child, player)
        else:
            _, value = alpha_beta_search(child, game, player, alpha, beta, depth + 1)
        if best is None or (value > best if depth % 2 == 0 else value < best):
            best_move, best = move, value
        if depth % 2 == 0:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:
            break
    return (best_move, best) if depth else best_move


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)
