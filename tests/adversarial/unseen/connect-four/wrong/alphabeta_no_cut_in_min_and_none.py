"""I prune when the value reaches beta, and the move is the one with a value above -infinity.

Cell: alphabeta
Named: cuts_for_max_only, no_move_when_lost
"""

# %% alphabeta
def alphabeta(
    game: Game,
    state: State,
    depth: int,
    evaluate: Evaluation,
) -> tuple[float, Move | None]:
    """Return (value, move) as `minimax` does, without looking at what cannot matter."""
    player = game.to_move(state)

    def end_value(s):
        utility = game.utility(s, player)
        if utility > 0:
            return infinity
        if utility < 0:
            return -infinity
        return 0

    def max_value(s, depth, alpha, beta):
        if game.terminal_test(s):
            return (end_value(s), None)
        if depth == 0:
            return (evaluate(s, player), None)
        v = -infinity
        best = None
        for a in game.actions(s):
            v2, _ = min_value(game.result(s, a), depth - 1, alpha, beta)
            if v2 > v:
                v, best = v2, a
                alpha = max(alpha, v)
            if v >= beta:
                return (v, best)
        return (v, best)

    def min_value(s, depth, alpha, beta):
        if game.terminal_test(s):
            return (end_value(s), None)
        if depth == 0:
            return (evaluate(s, player), None)
        v = infinity
        best = None
        for a in game.actions(s):
            v2, _ = max_value(game.result(s, a), depth - 1, alpha, beta)
            if v2 < v:
                v, best = v2, a
                beta = min(beta, v)
        return (v, best)

    return max_value(state, depth, -infinity, infinity)
