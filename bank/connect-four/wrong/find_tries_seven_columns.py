"""I try the columns 0 to 6 in which the square in row 5 is free.

Cell: find_best_move
Caught by: test_to_the_end
Weight: mistake
Frequent: yes
"""

# %% find_best_move
def find_best_move(game, state, depth):
    values = {}
    for column in range(7):
        if (5, column) not in state.board:
            child = game.result(state, column)
            values[column] = -alphabeta(game, child, depth - 1, evaluate)[0]
    return max(values, key=values.get)
