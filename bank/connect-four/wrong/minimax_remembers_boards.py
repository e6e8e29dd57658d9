"""A position that I have seen need not be looked at again.

Cell: minimax
Caught by: test_every_state
Weight: mistake
Frequent: yes
"""

# %% minimax
def minimax(game, state, depth, evaluate, player=None, seen=None):
    seen = {} if seen is None else seen
    key = (frozenset(state.board.items()) if isinstance(state, GameState) else state), depth
    if key in seen:
        return seen[key]
    me = player or game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, me)
        return (0 if won == 0 else infinity if won > 0 else -infinity), None
    if depth == 0:
        return evaluate(state, me), None
    best = None
    for move in game.actions(state):
        value = minimax(game, game.result(state, move), depth - 1, evaluate, me, seen)[0]
        if best is None:
            best = value, move
        elif game.to_move(state) == me and value > best[0]:
            best = value, move
        elif game.to_move(state) != me and value < best[0]:
            best = value, move
    seen[key] = best
    return best
