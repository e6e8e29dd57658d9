"""minimax is alpha-beta with pruning switched off, and the segments are made anew in each call."""

# %% evaluate
def evaluate(state, player):
    opponent = "O" if player == "X" else "X"
    total = 0
    for segment in generate_segments(7, 6, 4):
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

# %% minimax
def minimax(game, state, depth, evaluate):
    return look(game, game.to_move(state), evaluate, state, depth, None)


def look(game, player, evaluate, state, depth, window):
    """Return (value, move); a window of None is never narrowed and never cuts."""
    if game.terminal_test(state):
        utility = game.utility(state, player)
        return utility and infinity * utility, None
    if depth == 0:
        return evaluate(state, player), None
    mine = game.to_move(state) == player
    best = (-infinity if mine else infinity), None
    for move in game.actions(state):
        value, _ = look(game, player, evaluate, game.result(state, move), depth - 1, window)
        if best[1] is None or (value > best[0] if mine else value < best[0]):
            best = value, move
        if window is not None:
            low, high = window
            window = (max(low, value), high) if mine else (low, min(high, value))
            if window[0] >= window[1]:
                break
    return best

# %% alphabeta
def alphabeta(game, state, depth, evaluate):
    return look(game, game.to_move(state), evaluate, state, depth, (-infinity, infinity))


def look(game, player, evaluate, state, depth, window):
    if game.terminal_test(state):
        utility = game.utility(state, player)
        return utility and infinity * utility, None
    if depth == 0:
        return evaluate(state, player), None
    mine = game.to_move(state) == player
    best = (-infinity if mine else infinity), None
    for move in game.actions(state):
        value, _ = look(game, player, evaluate, game.result(state, move), depth - 1, window)
        if best[1] is None or (value > best[0] if mine else value < best[0]):
            best = value, move
        if window is not None:
            low, high = window
            window = (max(low, value), high) if mine else (low, min(high, value))
            if window[0] >= window[1]:
                break
    return best
