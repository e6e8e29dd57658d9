"""I count the states below the one that is given.

Cell: tree_size
Caught by: test_every_kind_of_state
Weight: slip
Frequent: yes
"""

# %% tree_size
def tree_size(game, state):
    return sum(1 + tree_size(game, game.result(state, move)) for move in game.actions(state))
