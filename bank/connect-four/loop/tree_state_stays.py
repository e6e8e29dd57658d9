"""The moves are made one after the other until the game is over.

Cell: tree_size
Caught by: test_half_done_board
"""

# %% tree_size
def tree_size(game, state):
    number = 1
    while not game.terminal_test(state):
        for move in game.actions(state):
            game.result(state, move)
            number += 1
    return number
