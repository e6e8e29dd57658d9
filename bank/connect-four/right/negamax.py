"""Negamax: one rule for both players, and the sign turns at each ply."""

# %% minimax
def minimax(game, state, depth, evaluate):
    me = game.to_move(state)
    if game.terminal_test(state):
        return {1: infinity, 0: 0, -1: -infinity}[game.utility(state, me)], None
    if depth == 0:
        return evaluate(state, me), None
    moves = {}
    for move in game.actions(state):
        moves[move] = -minimax(game, game.result(state, move), depth - 1, evaluate)[0]
    best = max(moves, key=moves.get)
    return moves[best], best

# %% alphabeta
def alphabeta(game, state, depth, evaluate, alpha=-infinity, beta=infinity):
    """The value is always for whoever is to move; the window is turned round for the other."""
    me = game.to_move(state)
    if game.terminal_test(state):
        return {1: infinity, 0: 0, -1: -infinity}[game.utility(state, me)], None
    if depth == 0:
        return evaluate(state, me), None
    best = None
    for move in game.actions(state):
        value = -alphabeta(game, game.result(state, move), depth - 1, evaluate, -beta, -alpha)[0]
        if best is None or value > best[0]:
            best = value, move
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best
