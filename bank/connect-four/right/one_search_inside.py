"""One function for both players, inside the one that is asked for."""

# %% alphabeta
def alphabeta(
    game: Game,
    state: State,
    depth: int,
    evaluate: Evaluation,
) -> tuple[float, Move | None]:
    """Return (value, move) as `minimax` does, without looking at what cannot matter."""
    player = game.to_move(state)

    def final_value(state: State) -> float:
        utility = game.utility(state, player)
        if utility == 0:
            return 0
        return infinity if utility > 0 else -infinity

    def search(state: State, depth: int, alpha: float, beta: float) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        maximizing = game.to_move(state) == player
        best_value, best_move = None, None
        for move in game.actions(state):
            value, _ = search(game.result(state, move), depth - 1, alpha, beta)
            if maximizing:
                if best_move is None or value > best_value:
                    best_value, best_move = value, move
                alpha = max(alpha, best_value)
            else:
                if best_move is None or value < best_value:
                    best_value, best_move = value, move
                beta = min(beta, best_value)
            if alpha >= beta:
                break
        return best_value, best_move

    return search(state, depth, -infinity, infinity)
