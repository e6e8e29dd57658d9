"""All moves are tried from the last to the first."""

# %% minimax
def minimax(game, state, depth, evaluate):
    player = game.to_move(state)
    if game.terminal_test(state):
        return final(game, state, player), None
    if depth == 0:
        return evaluate(state, player), None
    best_value, best_move = -infinity, None
    for move in reversed(list(game.actions(state))):
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
    for move in reversed(list(game.actions(state))):
        value = max(value, min_value(game, game.result(state, move), depth - 1, evaluate, player))
    return value


def min_value(game, state, depth, evaluate, player):
    if game.terminal_test(state):
        return final(game, state, player)
    if depth == 0:
        return evaluate(state, player)
    value = infinity
    for move in reversed(list(game.actions(state))):
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
        for move in list(game.actions(state))[::-1]:
            child = game.result(state, move)
            value, _ = alphabeta(game, child, depth - 1, evaluate, alpha, beta, player)
            if best_move is None or value > best_value:
                best_value, best_move = value, move
            alpha = max(alpha, best_value)
            if alpha >= beta:
                break
    else:
        best_value = infinity
        for move in list(game.actions(state))[::-1]:
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
