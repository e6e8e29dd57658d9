"""It looks at the whole tree, as it should, and asks for the utilities of the first few plies.

Cell: minmax_decision
Caught by: test_minmax_whole_tree, test_minmax_random_trees
Weight: void
Frequent: no
"""


# %% minmax_decision
def minmax_decision(state, game):
    player = game.to_move(state)

    def value(state, plies):
        if plies > 1:
            for move in [] if game.terminal_test(state) else game.actions(state):
                value(game.result(state, move), plies + 1)
            return 0
        if game.terminal_test(state):
            return game.utility(state, player)
        pick = max if game.to_move(state) == player else min
        return pick(value(game.result(state, move), plies + 1) for move in game.actions(state))

    moves = {move: value(game.result(state, move), 0) for move in game.actions(state)}
    return max(moves, key=moves.get)
