"""After my move it is my turn: I call max_value for the children.

Cell: minmax_decision
Caught by: test_minmax_above_zero
Weight: mistake
Frequent: yes
Named: levels_swapped
"""

# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)

    def max_value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move)))
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
        value = max_value(game.result(state, move))
        if best_move is None or value > best:
            best_move, best = move, value
    return best_move
