"""A bracket is missing.

Cell: my_search
Caught by: test_my_search
Needed by: my_trees
"""

# %% my_search
def alpha_beta_search(state, game):
    return max(game.actions(state)
