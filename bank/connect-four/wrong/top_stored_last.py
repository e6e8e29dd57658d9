"""The last piece of a column in the dict is its topmost one.

Cell: top_pieces
Caught by: test_boards_of_other_sizes
Weight: slip
Frequent: yes
"""

# %% top_pieces
def top_pieces(state):
    if state.utility:
        return infinity * state.utility
    top = {column: piece for (row, column), piece in state.board.items()}
    return sum(1 if piece == "X" else -1 for piece in top.values())
