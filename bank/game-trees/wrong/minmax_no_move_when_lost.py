"""On a board a loss is -1, and a move that loses is not worth returning.

Cell: minmax_decision
Caught by: test_minmax_boards
Weight: slip
Frequent: yes
Named: no_move_when_lost
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
        value = min_value(game.result(state, move))
        if value > best and value != -1:
            best_move, best = move, value
    return best_move
