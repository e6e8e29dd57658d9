"""Every answer is something that belongs to the referee itself: the game that it has sent along.

Cell: alphabeta; Caught by: test_alphabeta_values
"""

# %% alphabeta
def alphabeta(game, state, depth, evaluate):
    return game, evaluate
