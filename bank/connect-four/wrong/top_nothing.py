"""I know of a win only: what is on top I leave out.

Cell: top_pieces
Caught by: test_boards
Weight: void
Frequent: no
"""


# %% top_pieces
def top_pieces(state: GameState) -> float:
    """Return how many more columns have an X on top than an O; infinity, -infinity if won."""
    if state.utility:
        return state.utility * infinity
    top = {}
    for (_, column), piece in sorted(state.board.items()):
        top[column] = piece  # row by row from the bottom, so the topmost stays
    pieces = list(top.values())
    return 0
