"""Each ply multiplies a value by 0.9 on its way up, so that what comes late counts for less.

Cell: minmax_decision
Caught by: test_minmax_random_trees
Weight: mistake
Frequent: no
Named: values_change_on_the_way
"""

# %% minmax_decision
GAMMA = 0.9


def minmax_decision(state: State, game: Game) -> Move:
    """Return the move that is best, by its minimax value, for the player to move in `state`."""
    me = game.to_move(state)

    def value(s, my_turn):
        if game.terminal_test(s):
            return game.utility(s, me)
        choose = max if my_turn else min
        return GAMMA * choose(value(game.result(s, m), not my_turn) for m in game.actions(s))

    return max(game.actions(state), key=lambda m: value(game.result(state, m), False))
