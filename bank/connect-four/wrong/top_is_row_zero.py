"""Row 0 is the top row, as in a matrix.

Cell: top_pieces
Caught by: test_boards
Weight: mistake
Frequent: yes
"""

# %% top_pieces
def top_pieces(state):
    if state.utility == 1:
        return infinity
    if state.utility == -1:
        return -infinity
    total = 0
    for (row, column), piece in state.board.items():
        if (row - 1, column) not in state.board:
            total += 1 if piece == "X" else -1
    return total
