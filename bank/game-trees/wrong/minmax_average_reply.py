"""The opponent may answer anything, so I take the average.

Cell: minmax_decision
Caught by: test_minmax_above_zero
Weight: mistake
Frequent: yes
Named: opponent_average
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
        values = [max_value(game.result(state, move)) for move in game.actions(state)]
        return sum(values) / len(values)

    best_move, best = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move))
        if best_move is None or value > best:
            best_move, best = move, value
    return best_move
