"""A move that leads to a loss is none.

Cell: find_best_move
Caught by: test_tactics
Weight: slip
Frequent: yes
"""

# %% find_best_move
def find_best_move(game, state, depth):
    value, move = alphabeta(game, state, depth, evaluate)
    return move if value > -infinity else None
