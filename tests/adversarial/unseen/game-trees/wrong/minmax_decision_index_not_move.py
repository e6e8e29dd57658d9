"""The moves are 0, 1, 2, so the place of the best value in the list is the move.

Cell: minmax_decision
Named: wrong_kind_of_answer
"""

# %% minmax_decision
def minmax_decision(state: State, game: Game) -> Move:
    """Return the move that is best, by its minimax value, for the player to move in `state`."""
    who = game.to_move(state)

    def value(s, choose, other):
        if game.terminal_test(s):
            return game.utility(s, who)
        return choose(value(game.result(s, m), other, choose) for m in game.actions(s))

    values = [value(game.result(state, m), min, max) for m in game.actions(state)]
    return values.index(max(values))
