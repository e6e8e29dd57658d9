"""The topmost pieces are counted, won or not.

Cell: top_pieces
Caught by: test_won_boards
Weight: mistake
Frequent: yes
"""

# %% top_pieces
def top_pieces(state):
    total = 0
    for (row, column), piece in state.board.items():
        if (row + 1, column) not in state.board:
            total += 1 if piece == "X" else -1
    return total
