"""If a game is over without a draw, the last to move must have won.

Cell: minimax
Named: leaf_is_changed
"""


# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""
    mover = game.to_move(state)
    if game.terminal_test(state):
        if game.utility(state, mover) == 0:
            return 0, None
        return -infinity, None  # the opponent has just completed a line
    if depth == 0:
        return evaluate(state, mover), None
    best = None
    for move in game.actions(state):
        value = -minimax(game, game.result(state, move), depth - 1, evaluate)[0]
        if best is None or value > best[0]:
            best = value, move
    return best
