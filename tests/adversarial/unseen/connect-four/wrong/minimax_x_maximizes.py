"""X wants the largest value and O the smallest.

Cell: minimax
Named: names_of_players
"""

# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""
    # Who is the search for?
    player = game.to_move(state)
    return minimax_for(game, state, depth, evaluate, player)


def minimax_for(game, state, depth, evaluate, player):
    # The game is over
    if game.terminal_test(state):
        utility = game.utility(state, player)
        if utility > 0:
            return infinity, None
        if utility < 0:
            return -infinity, None
        return 0, None
    # We have looked far enough
    if depth == 0:
        return evaluate(state, player), None
    # Make a list of the moves and a list of their values
    moves = list(game.actions(state))
    values = []
    for move in moves:
        next_state = game.result(state, move)
        value, next_move = minimax_for(game, next_state, depth - 1, evaluate, player)
        values.append(value)
    # Choose
    if game.to_move(state) == "X":
        best = max(values)
    else:
        best = min(values)
    return best, moves[values.index(best)]
