"""First I see whether there are any moves, then I go through them.

Cell: minimax
Caught by: test_endgames
Weight: slip
Frequent: yes
"""

# %% minimax
def minimax(game, state, depth, evaluate, player=None):
    me = player or game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, me)
        return (0 if won == 0 else infinity if won > 0 else -infinity), None
    if depth == 0:
        return evaluate(state, me), None
    best = None
    moves = game.actions(state)
    if not list(moves):
        return 0, None
    for move in moves:
        value = minimax(game, game.result(state, move), depth - 1, evaluate, me)[0]
        if best is None:
            best = value, move
        elif game.to_move(state) == me and value > best[0]:
            best = value, move
        elif game.to_move(state) != me and value < best[0]:
            best = value, move
    return best
