"""I keep the values I have found in a dict, so that nothing is worked out twice.

Cell: minmax_decision
Named: something_is_kept
"""

# %% minmax_decision
known = {}


def minimax_value(game, state, player):
    key = str(state)
    if key not in known:
        if game.terminal_test(state):
            known[key] = game.utility(state, player)
        elif game.to_move(state) == player:
            known[key] = max(
                minimax_value(game, game.result(state, a), player) for a in game.actions(state)
            )
        else:
            known[key] = min(
                minimax_value(game, game.result(state, a), player) for a in game.actions(state)
            )
    return known[key]


def minmax_decision(state: State, game: Game) -> Move:
    """Return the move that is best, by its minimax value, for the player to move in `state`."""
    player = game.to_move(state)
    return max(
        game.actions(state),
        key=lambda a: minimax_value(game, game.result(state, a), player),
    )
