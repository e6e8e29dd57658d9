"""I ask for the moves once, and use them for the values and for the choice.

Cell: minmax_decision
Caught by: test_minmax_boards
Weight: slip
Frequent: yes
Named: needs_a_list
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
    moves = game.actions(state)
    values = [min_value(game.result(state, move)) for move in moves]
    for move, value in zip(moves, values):
        if best_move is None or value > best:
            best_move, best = move, value
    return best_move
