"""It gives the same values as minimax, so it is minimax.

Cell: alphabeta
Caught by: test_figure
Weight: mistake
Frequent: yes
Named: never_cuts
"""

# %% alphabeta
def alphabeta(game, state, depth, evaluate, player=None):
    me = player or game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, me)
        return (0 if won == 0 else infinity if won > 0 else -infinity), None
    if depth == 0:
        return evaluate(state, me), None
    best = None
    for move in game.actions(state):
        value = alphabeta(game, game.result(state, move), depth - 1, evaluate, me)[0]
        if best is None:
            best = value, move
        elif game.to_move(state) == me and value > best[0]:
            best = value, move
        elif game.to_move(state) != me and value < best[0]:
            best = value, move
    return best
