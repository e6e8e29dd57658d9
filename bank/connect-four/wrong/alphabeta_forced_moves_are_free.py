"""Where there is one legal move only the search goes on without counting a ply.

Cell: alphabeta; Caught by: test_alphabeta_values; Weight: mistake; Frequent: no
"""

# %% alphabeta
def alphabeta(
    game: Game,
    state: State,
    depth: int,
    evaluate: Evaluation,
) -> tuple[float, Move | None]:
    """Return (value, move) as `minimax` does, without looking at what cannot matter."""
    me = game.to_move(state)

    def finished(s):
        u = game.utility(s, me)
        return 0 if not u else infinity if u > 0 else -infinity

    def walk(s, d, low, high):
        if game.terminal_test(s):
            return finished(s), None
        if d <= 0:
            return evaluate(s, me), None
        moves = list(game.actions(s))
        if len(moves) == 1:
            return walk(game.result(s, moves[0]), d, low, high)[0], moves[0]
        if game.to_move(s) == me:
            top = None
            for m in moves:
                v = walk(game.result(s, m), d - 1, low, high)[0]
                if top is None or v > top[0]:
                    top = v, m
                low = max(low, v)
                if low >= high:
                    break
            return top
        bottom = None
        for m in moves:
            v = walk(game.result(s, m), d - 1, low, high)[0]
            if bottom is None or v < bottom[0]:
                bottom = v, m
            high = min(high, v)
            if low >= high:
                break
        return bottom

    return walk(state, depth, -infinity, infinity)
