"""I look down from row 7, which is high enough for any board.

Cell: top_pieces
Caught by: test_boards_of_other_sizes
Weight: slip
Frequent: no
"""

# %% top_pieces
def top_pieces(state):
    if state.utility:
        return state.utility * infinity
    tops = 0
    for column in {column for row, column in state.board}:
        for row in range(7, -1, -1):
            if (row, column) in state.board:
                tops += 1 if state.board[row, column] == "X" else -1
                break
    return tops
