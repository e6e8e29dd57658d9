"""Two plies are enough for a good move.

Cell: find_best_move
Caught by: test_estimates
Weight: mistake
Frequent: no
"""

# %% find_best_move
def find_best_move(game, state, depth):
    value, move = alphabeta(game, state, 2, evaluate)
    return move
