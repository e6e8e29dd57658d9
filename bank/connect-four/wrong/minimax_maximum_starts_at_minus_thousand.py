"""No value is below -1000, I thought, and began there.

Cell: minimax
Named: starts_from_a_wrong_number
Caught by: test_values, test_every_move_loses
Weight: slip
Frequent: no
"""

# %% minimax
def minimax(game, state, depth, evaluate):
    me = game.to_move(state)

    def value(state, depth):
        if game.terminal_test(state):
            won = game.utility(state, me)
            return won and (infinity if won > 0 else -infinity)
        if depth == 0:
            return evaluate(state, me)
        if game.to_move(state) != me:
            return min(value(game.result(state, move), depth - 1) for move in game.actions(state))
        best = -1000
        for move in game.actions(state):
            best = max(best, value(game.result(state, move), depth - 1))
        return best

    if depth == 0 or game.terminal_test(state):
        return value(state, depth), None
    pairs = [(value(game.result(state, move), depth - 1), move) for move in game.actions(state)]
    return max(pairs, key=lambda pair: pair[0])
