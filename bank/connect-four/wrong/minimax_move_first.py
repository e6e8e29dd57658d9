"""It returns the move and its value.

Cell: minimax
Caught by: test_pair
Weight: slip
Frequent: yes
Named: wrong_kind_of_answer
"""

# %% minimax
def minimax(game, state, depth, evaluate):
    player = game.to_move(state)
    if game.terminal_test(state):
        return final(game, state, player), None
    if depth == 0:
        return evaluate(state, player), None
    best_value, best_move = -infinity, None
    for move in game.actions(state):
        value = min_value(game, game.result(state, move), depth - 1, evaluate, player)
        if best_move is None or value > best_value:
            best_value, best_move = value, move
    return best_move, best_value


def final(game, state, player):
    utility = game.utility(state, player)
    if utility > 0:
        return infinity
    return -infinity if utility < 0 else 0


def max_value(game, state, depth, evaluate, player):
    if game.terminal_test(state):
        return final(game, state, player)
    if depth == 0:
        return evaluate(state, player)
    value = -infinity
    for move in game.actions(state):
        value = max(value, min_value(game, game.result(state, move), depth - 1, evaluate, player))
    return value


def min_value(game, state, depth, evaluate, player):
    if game.terminal_test(state):
        return final(game, state, player)
    if depth == 0:
        return evaluate(state, player)
    value = infinity
    for move in game.actions(state):
        value = min(value, max_value(game, game.result(state, move), depth - 1, evaluate, player))
    return value
