"""It returns what alphabeta returns.

Cell: find_best_move
Caught by: test_estimates
Weight: slip
Frequent: yes
"""

# %% find_best_move
def find_best_move(game, state, depth):
    return alphabeta(game, state, depth, evaluate)
