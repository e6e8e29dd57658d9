"""Comprehensions, generators, and segments as tuples."""

# %% generate_segments
from itertools import product

STEPS = (1, 0), (0, 1), (1, 1), (1, -1)


def generate_segments(columns, rows, length):
    board = set(product(range(columns), range(rows)))
    lines = (
        tuple((c + i * dc, r + i * dr) for i in range(length))
        for (c, r), (dc, dr) in product(sorted(board), STEPS)
    )
    return [line for line in lines if board.issuperset(line)]

# %% evaluate
SEGMENTS = generate_segments(7, 6, 4)
TABLE = {"XX": 1, "XXX": 100, "XXXX": 1e6, "OO": -1, "OOO": -100, "OOOO": -1e6}


def evaluate(state, player):
    total = sum(
        TABLE.get("".join(state.board.get(square[::-1], "") for square in segment), 0)
        for segment in SEGMENTS
    )
    return total if player == "X" else -total

# %% top_pieces
def top_pieces(state):
    if state.utility:
        return state.utility * infinity
    columns = {column for _, column in state.board}
    highest = [max(row for row, c in state.board if c == column) for column in columns]
    tops = [state.board[row, column] for row, column in zip(highest, columns)]
    return sum({"X": 1, "O": -1}[piece] for piece in tops)

# %% tree_size
def tree_size(game, state):
    return 1 + sum(tree_size(game, child) for child in children(game, state))


def children(game, state):
    return (game.result(state, move) for move in game.actions(state))

# %% minimax
def minimax(game, state, depth, evaluate):
    me = game.to_move(state)

    def value(state, depth):
        if game.terminal_test(state):
            return game.utility(state, me) * infinity if game.utility(state, me) else 0
        if not depth:
            return evaluate(state, me)
        pick = max if game.to_move(state) == me else min
        return pick(value(game.result(state, move), depth - 1) for move in game.actions(state))

    if game.terminal_test(state) or not depth:
        return value(state, depth), None
    return max(
        ((value(game.result(state, move), depth - 1), move) for move in game.actions(state)),
        key=lambda pair: pair[0],
    )
