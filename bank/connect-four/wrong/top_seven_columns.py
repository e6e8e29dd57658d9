"""I go through the columns 0 to 6.

Cell: top_pieces
Caught by: test_boards_of_other_sizes
Weight: mistake
Frequent: yes
"""

# %% top_pieces
def top_pieces(state):
    if state.utility:
        return infinity * state.utility
    total = 0
    for column in range(7):
        rows = [row for row in range(6) if (row, column) in state.board]
        if rows:
            total += 1 if state.board[max(rows), column] == "X" else -1
    return total
