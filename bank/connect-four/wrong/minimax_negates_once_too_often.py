"""Negamax, and the estimate is turned round as well.

Cell: minimax
Caught by: test_values
Weight: mistake
Frequent: yes
Named: estimate_for_another
"""

# %% minimax
def minimax(game, state, depth, evaluate):
    me = game.to_move(state)
    if game.terminal_test(state):
        return {1: infinity, 0: 0, -1: -infinity}[game.utility(state, me)], None
    if depth == 0:
        return -evaluate(state, me), None
    moves = {}
    for move in game.actions(state):
        moves[move] = -minimax(game, game.result(state, move), depth - 1, evaluate)[0]
    best = max(moves, key=moves.get)
    return moves[best], best
