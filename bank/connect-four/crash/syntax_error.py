"""A bracket is missing, so alphabeta is not defined at all.

Cell: alphabeta
Caught by: test_values
"""

# %% alphabeta
def alphabeta(game, state, depth, evaluate:
    return 0, None
