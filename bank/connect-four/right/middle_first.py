"""The moves in the middle are tried first, and a helper stands in a cell of its own."""

# %% +
def ordered(moves):
    """Moves in the middle of the list first."""
    moves = list(moves)
    middle = (len(moves) - 1) / 2
    return [moves[i] for i in sorted(range(len(moves)), key=lambda i: abs(i - middle))]

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
        for move in ordered(game.actions(state)):
            child = game.result(state, move)
            value, _ = alphabeta(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value > best_value:
                best_value, best_move = value, move
            alpha = max(alpha, best_value)
            if alpha >= beta:
                break
    else:
        best_value = infinity
        for move in ordered(game.actions(state)):
            child = game.result(state, move)
            value, _ = alphabeta(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value < best_value:
                best_value, best_move = value, move
            beta = min(beta, best_value)
            if beta <= alpha:
                break
    return best_value, best_move

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
