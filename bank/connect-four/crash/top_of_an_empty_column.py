"""The highest row of each column is looked up, also where there is none.

Cell: top_pieces
Caught by: test_boards
"""

# %% top_pieces
def top_pieces(state):
    if state.utility:
        return infinity * state.utility
    tops = [max(row for row, c in state.board if c == column) for column in range(7)]
    return sum(1 if state.board[row, column] == "X" else -1 for column, row in enumerate(tops))
