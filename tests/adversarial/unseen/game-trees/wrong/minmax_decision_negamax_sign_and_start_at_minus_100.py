"""Negamax with the utility of the wrong player, and a largest value of 100

Cell: minmax_decision
Named: leaf_for_another, starts_from_a_wrong_number
"""


# %% minmax_decision
def minmax_decision(state: State, game: Game) -> Move:
    """Return the move that is best, by its minimax value, for the player to move in `state`."""
    player = game.to_move(state)

    def negamax(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -100
        for move in game.actions(state):
            best = max(best, -negamax(game.result(state, move)))
        return best

    return max(game.actions(state), key=lambda move: -negamax(game.result(state, move)))
