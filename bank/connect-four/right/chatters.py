"""It prints what it does, warns, and leaves a trail in a global list."""

# %% +
import warnings

TRAIL = []

# %% minimax
def minimax(game, state, depth, evaluate):
    player = game.to_move(state)
    warnings.warn(f'{player} thinks {depth} plies ahead')
    print('thinking', depth)
    TRAIL.append(depth)
    if game.terminal_test(state):
        return final(game, state, player), None
    if depth == 0:
        return evaluate(state, player), None
    best_value, best_move = -infinity, None
    for move in game.actions(state):
        value = min_value(game, game.result(state, move), depth - 1, evaluate, player)
        if best_move is None or value > best_value:
            best_value, best_move = value, move
    return best_value, best_move


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

# %% evaluate
def evaluate(state, player):
    opponent = "O" if player == "X" else "X"
    total = 0
    TRAIL.append(player)
    for segment in LINES:
        mine = theirs = 0
        for column, row in segment:
            piece = state.board.get((row, column))
            if piece == player:
                mine += 1
            elif piece == opponent:
                theirs += 1
        if theirs == 0:
            total += SCORES[mine]
        elif mine == 0:
            total -= SCORES[theirs]
    return total


SCORES = [0, 0, 1, 100, 1_000_000]
LINES = [
    [(column + right * i, row + up * i) for i in range(4)]
    for column in range(7)
    for row in range(6)
    for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]
    if column + 3 * right < 7 and 0 <= row + 3 * up < 6
]
