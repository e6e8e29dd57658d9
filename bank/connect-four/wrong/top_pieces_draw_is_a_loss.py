"""If no moves are left the game is over, and if X has not won then O has.

Cell: top_pieces
Caught by: test_boards_of_other_sizes
Weight: slip
Frequent: yes
"""

# %% top_pieces
def top_pieces(state: GameState) -> float:
    """Return how many more columns have an X on top than an O; infinity, -infinity if won."""
    if not state.moves:
        return infinity if state.utility == 1 else -infinity
    visible = (
        piece for (row, column), piece in state.board.items() if (row + 1, column) not in state.board
    )
    return sum(1 if piece == "X" else -1 for piece in visible)
