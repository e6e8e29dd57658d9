"""With b moves in a state, the next level has b times as many states.

Cell: tree_size
Caught by: test_half_done_board test_trees
Weight: void
Frequent: no
"""

# %% tree_size
def tree_size(game, state):
    width, size, level = len(list(game.actions(state))), 1, 1
    while not game.terminal_test(state):
        state = game.result(state, list(game.actions(state))[0])
        level *= width
        size += level
    return size
