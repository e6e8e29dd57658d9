"""One function for both sides: a value is for whoever is to move, and turned round for the other."""

# %% minmax_decision
def minmax_decision(state, game):
    def value(state, player, other):
        if game.terminal_test(state):
            return game.utility(state, player)
        children = (game.result(state, move) for move in game.actions(state))
        return max(-value(child, other, player) for child in children)

    me = game.to_move(state)
    best = {}
    for move in game.actions(state):
        child = game.result(state, move)
        if game.terminal_test(child):
            best[move] = game.utility(child, me)
        else:
            you = game.to_move(child)
            best[move] = -value(child, you, me)
    return max(best, key=best.get)

# %% alpha_beta_search
def alpha_beta_search(state, game):
    me = game.to_move(state)

    def value(state, sign, alpha, beta):
        if game.terminal_test(state):
            return sign * game.utility(state, me)
        best = -infinity
        for move in game.actions(state):
            child = game.result(state, move)
            best = max(best, -value(child, -sign, -beta, -max(alpha, best)))
            if best >= beta:
                break
        return best

    choice, alpha = None, -infinity
    for move in game.actions(state):
        found = -value(game.result(state, move), -1, -infinity, -alpha)
        if choice is None or found > alpha:
            choice, alpha = move, found
    return choice


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)
