"""With b moves in the state and n empty squares the tree has b to the power of n leaves.

Cell: tree_size
Caught by: test_trees
"""

# %% tree_size
def tree_size(game, state):
    width, size, level = len(list(game.actions(state))), 1, 1
    while not game.terminal_test(state):
        state = game.result(state, list(game.actions(state))[0])
        level *= width
        size += level
    return size
