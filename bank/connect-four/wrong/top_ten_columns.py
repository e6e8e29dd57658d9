"""No board has more than ten columns.

Cell: top_pieces
Caught by: test_boards_of_other_sizes
Weight: slip
Frequent: no
"""

# %% top_pieces
def top_pieces(state):
    if state.utility:
        return state.utility * infinity
    heights = {column: row for row, column in sorted(state.board)}
    pieces = [state.board[row, column] for column, row in heights.items() if column < 10]
    return pieces.count("X") - pieces.count("O")
