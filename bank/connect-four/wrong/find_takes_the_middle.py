"""The middle column is the best one whenever it is free.

Cell: find_best_move
Caught by: test_tactics
Weight: mistake
Frequent: no
"""

# %% find_best_move
def find_best_move(game, state, depth):
    if 3 in game.actions(state):
        return 3
    value, move = alphabeta(game, state, depth, evaluate)
    return move
