"""A move that wins is the best, so I need not look at the others.

Cell: minimax
Caught by: test_every_state
Weight: mistake
Frequent: yes
Named: minimax_prunes
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
        values = [value(game.result(state, move), depth - 1) for move in game.actions(state)]
        return max(values) if game.to_move(state) == me else min(values)

    if depth == 0 or game.terminal_test(state):
        return value(state, depth), None
    best, choice = None, None
    for move in game.actions(state):
        found = value(game.result(state, move), depth - 1)
        if choice is None or found > best:
            best, choice = found, move
        if best == infinity:
            break
    return best, choice
