"""I look deeper and deeper until there is a win.

Cell: find_best_move
Caught by: test_estimates
"""

# %% find_best_move
def find_best_move(game, state, depth):
    value = 0
    while value < infinity:
        value, move = alphabeta(game, state, depth, evaluate)
        depth += 1
    return move
