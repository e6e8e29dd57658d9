"""A value of MAX's is never below -1000, so there I begin.

Cell: minmax_decision
Named: starts_from_a_wrong_number
Caught by: test_minmax_random_trees
Weight: slip
Frequent: no
"""

# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)

    def best_for_me(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -1000
        for move in game.actions(state):
            best = max(best, best_for_them(game.result(state, move)))
        return best

    def best_for_them(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        return min(best_for_me(game.result(state, move)) for move in game.actions(state))

    def worth(move):
        return best_for_them(game.result(state, move))

    return max(game.actions(state), key=worth)
