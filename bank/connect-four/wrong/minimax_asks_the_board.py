"""I look into the state to see whose turn it is.

Cell: minimax
Caught by: test_values
Weight: mistake
Frequent: yes
Named: one_game_only
"""

# %% minimax
def minimax(game, state, depth, evaluate, player=None):
    me = player or state.to_move
    if game.terminal_test(state):
        won = game.utility(state, me)
        return (0 if won == 0 else infinity if won > 0 else -infinity), None
    if depth == 0:
        return evaluate(state, me), None
    best = None
    for move in game.actions(state):
        value = minimax(game, game.result(state, move), depth - 1, evaluate, me)[0]
        if best is None:
            best = value, move
        elif state.to_move == me and value > best[0]:
            best = value, move
        elif state.to_move != me and value < best[0]:
            best = value, move
    return best
