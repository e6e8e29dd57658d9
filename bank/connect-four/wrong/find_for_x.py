"""The estimate is seen by X.

Cell: find_best_move
Caught by: test_estimates
Weight: mistake
Frequent: yes
"""

# %% find_best_move
def find_best_move(game, state, depth):
    value, move = alphabeta(game, state, depth, lambda s, player: evaluate(s, 'X'))
    return move
