"""First I find the best value, then the move that has it.

Cell: minmax_decision
Caught by: test_minmax_whole_tree
Weight: slip
Frequent: yes
Named: looks_twice
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

    best = max(min_value(game.result(state, move)) for move in game.actions(state))
    for move in game.actions(state):
        if min_value(game.result(state, move)) == best:
            return move
