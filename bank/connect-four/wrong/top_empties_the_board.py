"""When each column has been seen I clear the board.

Cell: top_pieces
Caught by: test_boards
Weight: slip
Frequent: no
"""


# %% top_pieces
def top_pieces(state: GameState) -> float:
    """Return how many more columns have an X on top than an O; infinity, -infinity if won."""
    if state.utility:
        return infinity if state.utility > 0 else -infinity
    top = {}
    for (_, column), piece in sorted(state.board.items()):
        top[column] = piece  # row by row from the bottom, so the topmost stays
    state.board.clear()
    pieces = list(top.values())
    return pieces.count("X") - pieces.count("O")
