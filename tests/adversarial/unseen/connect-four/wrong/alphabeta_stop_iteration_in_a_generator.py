"""A generator that is ended by StopIteration

Cell: alphabeta
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

    def mine(state):
        return game.to_move(state) == player

    def options(state, depth, alpha, beta):
        """Yield the pairs (value, move) of a state until alpha and beta meet."""
        for move in game.actions(state):
            value, _ = best(game.result(state, move), depth - 1, alpha, beta)
            yield value, move
            if mine(state):
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                raise StopIteration

    def best(state, depth, alpha, beta):
        if game.terminal_test(state):
            utility = game.utility(state, player)
            return (infinity if utility == 1 else -infinity if utility == -1 else 0), None
        if depth == 0:
            return evaluate(state, player), None
        choose = max if mine(state) else min
        return choose(options(state, depth, alpha, beta), key=lambda option: option[0])

    return best(state, depth, -infinity, infinity)
