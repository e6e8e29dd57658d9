"""At depth 0 I ask for the estimate; else I look whether the game is over.

Cell: minimax
Caught by: test_final_states
Weight: slip
Frequent: yes
Named: estimates_finished_games
"""

# %% minimax
def minimax(game, state, depth, evaluate, player=None):
    me = player or game.to_move(state)
    if depth == 0:
        return evaluate(state, me), None
    if game.terminal_test(state):
        won = game.utility(state, me)
        return (0 if won == 0 else infinity if won > 0 else -infinity), None
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
