"""The search for the opponent ends without a return.

Cell: alphabeta
Caught by: test_values
Named: nothing_comes_back
"""

# %% alphabeta
def alphabeta(game, state, depth, evaluate, alpha=-infinity, beta=infinity, player=None):
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
            value, _ = alphabeta(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value > best_value:
                best_value, best_move = value, move
            alpha = max(alpha, best_value)
            if alpha >= beta:
                break
    else:
        best_value = infinity
        for move in game.actions(state):
            child = game.result(state, move)
            value, _ = alphabeta(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value < best_value:
                best_value, best_move = value, move
            beta = min(beta, best_value)
            if beta <= alpha:
                break
    if game.to_move(state) == player:
        return best_value, best_move
