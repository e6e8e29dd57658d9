"""There is always another state: I forgot to stop at the leaves.

Cell: minmax_decision
Caught by: test_minmax_above_zero
Named: leaf_is_changed
"""

# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)

    def max_value(state):
        best = -infinity
        for move in game.actions(state):
            best = max(best, min_value(game.result(state, move)))
        return best

    def min_value(state):
        worst = infinity
        for move in [*game.actions(state), None]:
            if move is None:
                return max_value(state)
            worst = min(worst, max_value(game.result(state, move)))
        return worst

    best_move, best = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move))
        if best_move is None or value > best:
            best_move, best = move, value
    return best_move
