"""The moves are shuffled at every state, so any best move may come out."""

# %% +
import random

# %% minimax
def minimax(game, state, depth, evaluate, player=None):
    me = player or game.to_move(state)
    if game.terminal_test(state):
        won = game.utility(state, me)
        return (0 if won == 0 else infinity if won > 0 else -infinity), None
    if depth == 0:
        return evaluate(state, me), None
    best = None
    moves = list(game.actions(state))
    random.shuffle(moves)
    for move in moves:
        value = minimax(game, game.result(state, move), depth - 1, evaluate, me)[0]
        if best is None:
            best = value, move
        elif game.to_move(state) == me and value > best[0]:
            best = value, move
        elif game.to_move(state) != me and value < best[0]:
            best = value, move
    return best

# %% alphabeta
def alphabeta(game, state, depth, evaluate):
    me = game.to_move(state)

    def leaf(s, d):
        return game.terminal_test(s) or d == 0

    def worth(s):
        if not game.terminal_test(s):
            return evaluate(s, me)
        u = game.utility(s, me)
        return u and (infinity if u > 0 else -infinity)

    def highest(s, d, alpha, beta):
        if leaf(s, d):
            return worth(s), None
        best, choice = -infinity, None
        for m in random.sample(list(game.actions(s)), len(list(game.actions(s)))):
            v, _ = lowest(game.result(s, m), d - 1, alpha, beta)
            if choice is None or v > best:
                best, choice = v, m
            if best > beta:
                break
            alpha = max(alpha, best)
        return best, choice

    def lowest(s, d, alpha, beta):
        if leaf(s, d):
            return worth(s), None
        best, choice = infinity, None
        for m in random.sample(list(game.actions(s)), len(list(game.actions(s)))):
            v, _ = highest(game.result(s, m), d - 1, alpha, beta)
            if choice is None or v < best:
                best, choice = v, m
            if best < alpha:
                break
            beta = min(beta, best)
        return best, choice

    return highest(state, depth, -infinity, infinity)
