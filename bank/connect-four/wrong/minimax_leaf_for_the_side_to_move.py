"""The estimate is for whoever is to move in that state.

Cell: minimax
Caught by: test_values
Weight: mistake
Frequent: yes
Named: estimate_for_another
"""

# %% minimax
def minimax(game, state, depth, evaluate, player=None):
    me = player or game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, me)
        return (0 if won == 0 else infinity if won > 0 else -infinity), None
    if depth == 0:
        return evaluate(state, game.to_move(state)), None
    best = None
    for move in game.actions(state):
        value = minimax(game, game.result(state, move), depth - 1, evaluate, me)[0]
        if best is None:
            best = value, move
        elif game.to_move(state) == me and value > best[0]:
            best = value, move
        elif game.to_move(state) != me and value < best[0]:
            best = value, move
    return best
