"""Everybody takes the largest value.

Cell: minimax
Caught by: test_values
Weight: mistake
Frequent: yes
Named: both_help
"""

# %% minimax
def minimax(game, state, depth, evaluate, player=None):
    me = player or game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, me)
        return (0 if won == 0 else infinity if won > 0 else -infinity), None
    if depth == 0:
        return evaluate(state, me), None
    best = None
    for move in game.actions(state):
        value = minimax(game, game.result(state, move), depth - 1, evaluate, me)[0]
        if best is None:
            best = value, move
        elif value > best[0]:
            best = value, move
    return best
