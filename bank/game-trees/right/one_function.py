"""One function asks in each state whose turn it is, and takes the largest or the smallest value."""

# %% minmax_decision
def minmax_decision(state, game):
    me = game.to_move(state)

    def value(state):
        if game.terminal_test(state):
            return game.utility(state, me)
        choose = max if game.to_move(state) == me else min
        return choose([value(game.result(state, move)) for move in game.actions(state)])

    moves = list(game.actions(state))
    values = [value(game.result(state, move)) for move in moves]
    return moves[values.index(max(values))]

# %% alpha_beta_search
def alpha_beta_search(state, game):
    me = game.to_move(state)

    def value(state, alpha, beta):
        if game.terminal_test(state):
            return game.utility(state, me)
        mine = game.to_move(state) == me
        for move in game.actions(state):
            found = value(game.result(state, move), alpha, beta)
            if mine:
                alpha = max(alpha, found)
            else:
                beta = min(beta, found)
            if alpha >= beta:
                break
        return alpha if mine else beta

    best = None
    for move in game.actions(state):
        found = value(game.result(state, move), -infinity if best is None else best[0], infinity)
        if best is None or found > best[0]:
            best = found, move
    return best[1]


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)
