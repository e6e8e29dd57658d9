"""Whenever I find a better value I store the move in best_move.

Cell: minimax
Named: move_from_elsewhere
"""

# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""
    helped = game.to_move(state)
    best_move = None

    def recurse(node, plies):
        nonlocal best_move
        if game.terminal_test(node):
            outcome = game.utility(node, helped)
            return infinity if outcome > 0 else -infinity if outcome < 0 else 0
        if plies == 0:
            return evaluate(node, helped)
        if game.to_move(node) == helped:
            best = None
            for action in game.actions(node):
                value = recurse(game.result(node, action), plies - 1)
                if best is None or value > best:
                    best = value
                    best_move = action
            return best
        return min(recurse(game.result(node, action), plies - 1) for action in game.actions(node))

    value = recurse(state, depth)
    return value, best_move
