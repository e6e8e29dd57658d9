"""Of equally good moves the last is kept, and pruning is on strict inequality."""

# %% minimax
def minimax(game, state, depth, evaluate):
    player = game.to_move(state)
    if game.terminal_test(state):
        return final(game, state, player), None
    if depth == 0:
        return evaluate(state, player), None
    best_value, best_move = -infinity, None
    for move in game.actions(state):
        value = min_value(game, game.result(state, move), depth - 1, evaluate, player)
        if value >= best_value:
            best_value, best_move = value, move
    return best_value, best_move


def final(game, state, player):
    utility = game.utility(state, player)
    if utility > 0:
        return infinity
    return -infinity if utility < 0 else 0


def max_value(game, state, depth, evaluate, player):
    if game.terminal_test(state):
        return final(game, state, player)
    if depth == 0:
        return evaluate(state, player)
    value = -infinity
    for move in game.actions(state):
        value = max(value, min_value(game, game.result(state, move), depth - 1, evaluate, player))
    return value


def min_value(game, state, depth, evaluate, player):
    if game.terminal_test(state):
        return final(game, state, player)
    if depth == 0:
        return evaluate(state, player)
    value = infinity
    for move in game.actions(state):
        value = min(value, max_value(game, game.result(state, move), depth - 1, evaluate, player))
    return value

# %% alphabeta
def alphabeta(game, state, depth, evaluate):
    me = game.to_move(state)

    def leaf(s, d):
        return game.terminal_test(s) or d == 0

    def worth(s):
        if not game.terminal_test(s):
            return evaluate(s, me)
        u = game.utility(s, me)
        return u and (infinity if u > 0 else -infinity)

    def highest(s, d, alpha, beta):
        if leaf(s, d):
            return worth(s), None
        best, choice = -infinity, None
        for m in game.actions(s):
            v, _ = lowest(game.result(s, m), d - 1, alpha, beta)
            if v >= best:
                best, choice = v, m
            if best > beta:
                break
            alpha = max(alpha, best)
        return best, choice

    def lowest(s, d, alpha, beta):
        if leaf(s, d):
            return worth(s), None
        best, choice = infinity, None
        for m in game.actions(s):
            v, _ = highest(game.result(s, m), d - 1, alpha, beta)
            if v <= best:
                best, choice = v, m
            if best < alpha:
                break
            beta = min(beta, best)
        return best, choice

    return highest(state, depth, -infinity, infinity)
