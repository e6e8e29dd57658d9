"""Values of states are kept in a dict, which stands in the first line of the function.

Cell: minmax_decision
Caught by: test_minmax_above_zero
Weight: mistake
Frequent: no
"""

# %% minmax_decision
def minmax_decision(state, game, known={}):
    player = game.to_move(state)

    def max_value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        if str(state) in known:
            return known[str(state)]
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move)))
        known[str(state)] = best
        return best

    def min_value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        worst = infinity
        for move in game.actions(state):
            worst = min(worst, max_value(game.result(state, move)))
        return worst

    best_move, best = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move))
        if best_move is None or value > best:
            best_move, best = move, value
    return best_move
