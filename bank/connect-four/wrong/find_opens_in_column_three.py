"""The first piece belongs in the middle, everybody knows that.

Cell: find_best_move
Caught by: test_to_the_end
Weight: slip
Frequent: no
"""

# %% find_best_move
def find_best_move(game, state, depth):
    if not state.board:
        return 3
    value, move = alphabeta(game, state, depth, evaluate)
    return move
