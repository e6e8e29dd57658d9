"""I look at the columns from the middle outwards, so more is cut.

Cell: alphabeta
Caught by: test_values
Weight: slip
Frequent: no
"""

# %% alphabeta
OUTWARDS = [3, 2, 4, 1, 5, 0, 6]


def alphabeta(game, state, depth, evaluate, alpha=-infinity, beta=infinity, me=None):
    me = me or game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, me)
        return won and (infinity if won > 0 else -infinity), None
    if depth == 0:
        return evaluate(state, me), None
    moves = list(game.actions(state))
    best, choice = None, None
    for move in [one for one in OUTWARDS if one in moves] or moves:
        value, _ = alphabeta(game, game.result(state, move), depth - 1, evaluate, alpha, beta, me)
        if game.to_move(state) == me:
            if choice is None or value > best:
                best, choice = value, move
            alpha = max(alpha, best)
        else:
            if choice is None or value < best:
                best, choice = value, move
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best, choice
