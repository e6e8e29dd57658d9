"""Everything is spelled out in loops; counts come from a class of its own."""

# %% generate_segments
def generate_segments(columns, rows, length):
    segments = []
    for column in range(columns):
        for row in range(rows):
            for right, up in [(1, 0), (0, 1), (1, 1), (1, -1)]:
                last_column, last_row = column + right * (length - 1), row + up * (length - 1)
                if last_column < columns and 0 <= last_row < rows:
                    segments.append([(column + right * i, row + up * i) for i in range(length)])
    return segments

# %% evaluate
def evaluate(state, player):
    opponent = "O" if player == "X" else "X"
    total = 0
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

# %% top_pieces
def top_pieces(state):
    if state.utility == 1:
        return infinity
    if state.utility == -1:
        return -infinity
    total = 0
    for (row, column), piece in state.board.items():
        if (row + 1, column) not in state.board:
            total += 1 if piece == "X" else -1
    return total

# %% tree_size
def tree_size(game, state):
    number = 1
    for move in game.actions(state):
        number += tree_size(game, game.result(state, move))
    return number

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

# %% alphabeta
def alphabeta(game, state, depth, evaluate, alpha=-infinity, beta=infinity, player=None):
    if player is None:
        player = game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, player)
        return (infinity if won > 0 else -infinity if won < 0 else 0), None
    if depth == 0:
        return evaluate(state, player), None
    best_move = None
    if game.to_move(state) == player:
        best_value = -infinity
        for move in game.actions(state):
            child = game.result(state, move)
            value, _ = alphabeta(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value > best_value:
                best_value, best_move = value, move
            alpha = max(alpha, best_value)
            if alpha >= beta:
                break
    else:
        best_value = infinity
        for move in game.actions(state):
            child = game.result(state, move)
            value, _ = alphabeta(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value < best_value:
                best_value, best_move = value, move
            beta = min(beta, best_value)
            if beta <= alpha:
                break
    return best_value, best_move

# %% find_best_move
def find_best_move(game, state, depth):
    value, move = alphabeta(game, state, depth, evaluate)
    return move

# %% nodes
start = after(ConnectFour(), [2, 0, 1, 3, 2, 2])
nodes = {}


class Counter(ConnectFour):
    def __init__(self):
        super().__init__()
        self.number = 1

    def result(self, state, move):
        self.number += 1
        return super().result(state, move)


for depth in range(1, 7):
    plain, pruned = Counter(), Counter()
    minimax(plain, start, depth, top_count)
    alphabeta(pruned, start, depth, top_count)
    nodes[depth] = (plain.number, pruned.number)
