"""Asks of later moves only whether they are better, and then how good."""

# %% alphabeta
def alphabeta(game, state, depth, evaluate):
    me = game.to_move(state)
    below, estimates = {}, {}

    def child(path, s, place, move):
        key = (*path, place)
        if key not in below:
            below[key] = game.result(s, move)
        return below[key]

    def value(path, s, left, alpha, beta):
        if game.terminal_test(s):
            u = game.utility(s, me)
            return infinity * u if u else 0
        if left == 0:
            if path not in estimates:
                estimates[path] = evaluate(s, me)
            return estimates[path]
        mine = game.to_move(s) == me
        best = None
        for place, move in enumerate(game.actions(s)):
            v = value((*path, place), child(path, s, place, move), left - 1, alpha, beta)
            if best is None or (v > best if mine else v < best):
                best = v
            if mine:
                if best > alpha and best >= beta:
                    break
                alpha = max(alpha, best)
            else:
                if best <= alpha:
                    break
                beta = min(beta, best)
        return best

    if depth == 0 or game.terminal_test(state):
        return value((), state, 0, -infinity, infinity), None
    best, choice = None, None
    for place, move in enumerate(game.actions(state)):
        one = child((), state, place, move)
        if best is None:
            best, choice = value((place,), one, depth - 1, -infinity, infinity), move
        elif value((place,), one, depth - 1, best, best) > best:
            best, choice = value((place,), one, depth - 1, best, infinity), move
    return best, choice
