"""A search must return a move, so it looks one ply ahead at least.

Cell: alphabeta
Caught by: test_no_move
Weight: slip
Frequent: yes
"""

# %% alphabeta
def alphabeta(game, state, depth, evaluate):
    me = game.to_move(state)

    def leaf(s, d):
        return game.terminal_test(s) or d == 0

    def worth(s):
        if not game.terminal_test(s):
            return evaluate(s, me)
        u = game.utility(s, me)
        return u and (infinity if u > 0 else -infinity)

    def highest(s, d, alpha, beta):
        if leaf(s, d):
            return worth(s), None
        best, choice = -infinity, None
        for m in game.actions(s):
            v, _ = lowest(game.result(s, m), d - 1, alpha, beta)
            if choice is None or v > best:
                best, choice = v, m
            if best > beta:
                break
            alpha = max(alpha, best)
        return best, choice

    def lowest(s, d, alpha, beta):
        if leaf(s, d):
            return worth(s), None
        best, choice = infinity, None
        for m in game.actions(s):
            v, _ = highest(game.result(s, m), d - 1, alpha, beta)
            if choice is None or v < best:
                best, choice = v, m
            if best < alpha:
                break
            beta = min(beta, best)
        return best, choice

    return highest(state, max(depth, 1), -infinity, infinity)
