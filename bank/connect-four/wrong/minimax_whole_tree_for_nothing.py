"""It looks at every state down to the depth, as it should, and then it takes the first move.

Cell: minimax
Caught by: test_depth test_values test_every_state
Weight: void
Frequent: no
"""


# %% minimax
def minimax(game, state, depth, evaluate):
    player = game.to_move(state)

    def walk(state, depth):
        if game.terminal_test(state):
            return
        if depth == 0:
            evaluate(state, player)
            return
        for move in game.actions(state):
            walk(game.result(state, move), depth - 1)

    walk(state, depth)
    return 0, list(game.actions(state))[0]
