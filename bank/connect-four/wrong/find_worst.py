"""I look at every move and take the one after which the position is best for the opponent to be in.

Cell: find_best_move
Caught by: test_tactics
Weight: mistake
Frequent: no
"""

# %% find_best_move
def find_best_move(game, state, depth):
    values = {}
    for move in game.actions(state):
        values[move] = alphabeta(game, game.result(state, move), depth - 1, evaluate)[0]
    return max(values, key=values.get)
