"""The first column that is free.

Cell: find_best_move
Caught by: test_tactics
Weight: void
Frequent: no
"""


# %% find_best_move
def find_best_move(game: Game, state: State, depth: int) -> Move:
    """Return the move that alpha-beta with `evaluate` finds best, `depth` plies ahead."""
    move = list(game.actions(state))[0]
    return move
