"""No value is beyond 1000.

Cell: alphabeta
Caught by: test_final_states
Weight: mistake
Frequent: yes
Named: starts_from_a_wrong_number
"""

# %% alphabeta
def alphabeta(game, state, depth, evaluate):
    player = game.to_move(state)

    def value(state, depth, alpha, beta):
        """A value never leaves the window."""
        if game.terminal_test(state):
            won = game.utility(state, player)
            found = infinity if won > 0 else -infinity if won < 0 else 0
            return min(max(found, alpha), beta)
        if depth == 0:
            return min(max(evaluate(state, player), alpha), beta)
        for move in game.actions(state):
            if game.to_move(state) == player:
                alpha = max(alpha, value(game.result(state, move), depth - 1, alpha, beta))
            else:
                beta = min(beta, value(game.result(state, move), depth - 1, alpha, beta))
            if alpha >= beta:
                break
        return alpha if game.to_move(state) == player else beta

    if game.terminal_test(state) or depth == 0:
        return value(state, depth, -1000, 1000), None
    best, alpha = None, -1000
    for move in game.actions(state):
        found = value(game.result(state, move), depth - 1, alpha, 1000)
        if best is None or found > alpha:
            best, alpha = move, found
    return alpha, best
