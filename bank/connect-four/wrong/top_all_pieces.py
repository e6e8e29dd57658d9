"""X's pieces minus O's pieces.

Cell: top_pieces
Caught by: test_boards
Weight: mistake
Frequent: yes
"""

# %% top_pieces
def top_pieces(state):
    if state.utility:
        return infinity * state.utility
    pieces = list(state.board.values())
    return pieces.count("X") - pieces.count("O")
