"""It stops when alpha and beta are the same number.

Cell: alphabeta
Caught by: test_cuts_of_the_opponent
Named: never_cuts
Weight: mistake
Frequent: no
"""


# %% alphabeta
def alphabeta(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) as `minimax` does, without looking at what cannot matter."""
    player = game.to_move(state)

    def final_value(state: State) -> float:
        utility = game.utility(state, player)
        return utility * infinity if utility else 0

    def max_value(state: State, depth: int, alpha: float, beta: float) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        value, best_move = -infinity, None
        for move in game.actions(state):
            reply, _ = min_value(game.result(state, move), depth - 1, alpha, beta)
            if best_move is None or reply > value:
                value, best_move = reply, move
            if value == beta:
                return value, best_move
            alpha = max(alpha, value)
        return value, best_move

    def min_value(state: State, depth: int, alpha: float, beta: float) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        value, best_move = infinity, None
        for move in game.actions(state):
            reply, _ = max_value(game.result(state, move), depth - 1, alpha, beta)
            if best_move is None or reply < value:
                value, best_move = reply, move
            if value == alpha:
                return value, best_move
            beta = min(beta, value)
        return value, best_move

    return max_value(state, depth, -infinity, infinity)
