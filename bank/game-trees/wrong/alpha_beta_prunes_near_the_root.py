"""Five plies down there is little left to save, so nothing is cut there.

Cell: alpha_beta_search; Caught by: test_alpha_beta_tree_pruning; Weight: slip; Frequent: no
"""

# %% alpha_beta_search
def alpha_beta_search(state: State, game: Game) -> Move:
    """Return a move as good as that of `minmax_decision`, and generate no state in vain."""
    player = game.to_move(state)

    def max_value(state: State, alpha: float, beta: float, ply: int = 1) -> float:
        if game.terminal_test(state):
            return game.utility(state, player)
        value = -infinity
        for move in game.actions(state):
            value = max(value, min_value(game.result(state, move), alpha, beta, ply + 1))
            if value >= beta and ply < 5:
                return value
            alpha = max(alpha, value)
        return value

    def min_value(state: State, alpha: float, beta: float, ply: int = 1) -> float:
        if game.terminal_test(state):
            return game.utility(state, player)
        value = infinity
        for move in game.actions(state):
            value = min(value, max_value(game.result(state, move), alpha, beta, ply + 1))
            if value <= alpha and ply < 5:
                return value
            beta = min(beta, value)
        return value

    best_move, alpha = None, -infinity
    for move in game.actions(state):
        value = min_value(game.result(state, move), alpha, infinity)
        if best_move is None or value > alpha:
            best_move, alpha = move, value
    return best_move


def alpha_beta_player(game: Game, state: State) -> Move:
    """Return the move that `alpha_beta_search` finds."""
    return alpha_beta_search(state, game)
