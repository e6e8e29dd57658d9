"""I stop as soon as a move cannot be better any more.

Cell: minimax; Caught by: test_minimax_every_state; Weight: mistake; Frequent: yes; Named: minimax_prunes
"""

# %% minimax
def minimax(game, state, depth, evaluate, alpha=-infinity, beta=infinity, player=None):
    if player is None:
        player = game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, player)
        return (infinity if won > 0 else -infinity if won < 0 else 0), None
    if depth == 0:
        return evaluate(state, player), None
    best_move = None
    if game.to_move(state) == player:
        best_value = -infinity
        for move in game.actions(state):
            child = game.result(state, move)
            value, _ = minimax(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value > best_value:
                best_value, best_move = value, move
            alpha = max(alpha, best_value)
            if alpha >= beta:
                break
    else:
        best_value = infinity
        for move in game.actions(state):
            child = game.result(state, move)
            value, _ = minimax(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value < best_value:
                best_value, best_move = value, move
            beta = min(beta, best_value)
            if beta <= alpha:
                break
    return best_value, best_move
