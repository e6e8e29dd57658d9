"""The top row is row 5.

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
        if row == 5:
            total += 1 if piece == "X" else -1
    return total
