"""The estimate is top_count.

Cell: find_best_move
Caught by: test_estimates
Weight: slip
Frequent: yes
"""

# %% find_best_move
def find_best_move(game, state, depth):
    value, move = alphabeta(game, state, depth, top_count)
    return move
