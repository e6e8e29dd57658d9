"""Segments, boards and values are numpy arrays and numpy numbers."""

# %% generate_segments
import numpy as np


def generate_segments(columns, rows, length):
    found = []
    for step in np.array([(1, 0), (0, 1), (1, 1), (1, -1)]):
        for start in np.ndindex(columns, rows):
            line = np.array(start) + np.arange(length)[:, None] * step
            if np.all(line >= 0) and np.all(line < (columns, rows)):
                found.append([tuple(square) for square in line])
    return found

# %% evaluate
LINES = np.array(generate_segments(7, 6, 4))
WORTH = np.array([0, 0, 1, 100, 1_000_000])


def grid(state):
    cells = np.zeros((7, 6), dtype=np.int64)
    for (row, column), piece in state.board.items():
        cells[column, row] = 1 if piece == "X" else -1
    return cells


def evaluate(state, player):
    pieces = grid(state)[LINES[:, :, 0], LINES[:, :, 1]]
    own, other = (pieces == 1).sum(axis=1), (pieces == -1).sum(axis=1)
    total = np.sum(WORTH[own] * (other == 0)) - np.sum(WORTH[other] * (own == 0))
    return total * (1 if player == "X" else -1)

# %% top_pieces
def top_pieces(state):
    if state.utility != 0:
        return np.float64(state.utility) * np.inf
    tops = {}
    for (row, column), piece in sorted(state.board.items()):
        tops[column] = 1 if piece == "X" else -1
    return np.sum(list(tops.values()), dtype=int)

# %% minimax
def minimax(game, state, depth, evaluate):
    me = game.to_move(state)

    def value(state, depth, mine):
        if game.terminal_test(state):
            won = np.float64(game.utility(state, me))
            return won * np.inf if won else np.float64(0)
        if depth == 0:
            return np.float64(evaluate(state, me))
        below = np.array([value(game.result(state, m), depth - 1, not mine) for m in game.actions(state)])
        return below.max() if mine else below.min()

    if depth == 0 or game.terminal_test(state):
        return value(state, 0, True), None
    moves = list(game.actions(state))
    values = np.array([value(game.result(state, move), depth - 1, False) for move in moves])
    return values.max(), moves[values.argmax()]
