"""My move and the answer to it are enough: below that I take the first leaf there is.

Cell: minmax_decision
Caught by: test_minmax_random_trees
Weight: mistake
Frequent: no
"""

# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)

    def max_value(state):
        if game.terminal_test(state):
            return game.utility(state, player)
        while not game.terminal_test(state):
            state = game.result(state, list(game.actions(state))[0])
        return game.utility(state, player)

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
