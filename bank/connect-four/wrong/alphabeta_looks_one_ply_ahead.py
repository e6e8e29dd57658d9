"""It takes the move after which the estimate is best.

Cell: alphabeta
Caught by: test_values test_depth
Named: few_plies_only
Weight: void
Frequent: no
"""


# %% alphabeta
def alphabeta(game, state, depth, evaluate):
    me = game.to_move(state)
    if depth == 0 or game.terminal_test(state):
        u = 0 if not game.terminal_test(state) else game.utility(state, me)
        return (u * infinity if u else 0 if game.terminal_test(state) else evaluate(state, me)), None
    best = None
    for m in game.actions(state):
        s = game.result(state, m)
        v = game.utility(s, me) * infinity if game.terminal_test(s) and game.utility(s, me) else evaluate(s, me) if not game.terminal_test(s) else 0
        if best is None or v > best[0]:
            best = v, m
    return best
