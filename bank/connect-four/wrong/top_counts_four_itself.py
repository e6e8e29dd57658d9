"""I look for four in a line to see who has won.

Cell: top_pieces
Caught by: test_won_boards
Weight: mistake
Frequent: yes
"""

# %% top_pieces
def top_pieces(state):
    for row, column in state.board:
        for up, right in (0, 1), (1, 0), (1, 1), (1, -1):
            line = {state.board.get((row + i * up, column + i * right)) for i in range(4)}
            if line in ({"X"}, {"O"}):
                return infinity if line == {"X"} else -infinity
    total = 0
    for (row, column), piece in state.board.items():
        if (row + 1, column) not in state.board:
            total += 1 if piece == "X" else -1
    return total
