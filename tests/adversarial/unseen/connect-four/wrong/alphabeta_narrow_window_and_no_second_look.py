"""Later moves are only tested against a narrow window, and never searched again.

Cell: alphabeta
Named: narrow_window
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

    def leaf(state, sign):
        if game.terminal_test(state):
            utility = sign * game.utility(state, player)
            return infinity if utility > 0 else -infinity if utility < 0 else 0
        return sign * evaluate(state, player)

    def search(state, left, alpha, beta, sign):
        if left == 0 or game.terminal_test(state):
            return leaf(state, sign), None
        best_move, first = None, True
        for move in game.actions(state):
            child = game.result(state, move)
            low, high = (-beta, -alpha) if first else (-alpha - 1, -alpha)
            value = -search(child, left - 1, low, high, -sign)[0]
            if first or value > alpha:
                best_move = move
            first = False
            if value >= beta:
                return beta, move
            alpha = max(alpha, value)
        return alpha, best_move

    return search(state, depth, -infinity, infinity, 1)
