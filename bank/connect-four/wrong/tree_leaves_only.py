"""The size of a tree is the number of its leaves.

Cell: tree_size
Caught by: test_every_kind_of_state
Weight: mistake
Frequent: yes
"""

# %% tree_size
def tree_size(game, state):
    if game.terminal_test(state):
        return 1
    number = 0
    for move in game.actions(state):
        number += tree_size(game, game.result(state, move))
    return number
