"""The moves of a state are state.moves.

Cell: tree_size
Caught by: test_trees
"""

# %% tree_size
def tree_size(game, state):
    number = 1
    for move in state.moves:
        number += tree_size(game, game.result(state, move))
    return number
