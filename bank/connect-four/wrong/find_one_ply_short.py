"""My move is the first ply, so one less is left.

Cell: find_best_move
Caught by: test_estimates
Weight: slip
Frequent: no
"""


# %% find_best_move
def find_best_move(game: Game, state: State, depth: int) -> Move:
    """Return the move that alpha-beta with `evaluate` finds best, `depth` plies ahead."""
    _, move = alphabeta(game, state, depth - 1, evaluate)
    return move
