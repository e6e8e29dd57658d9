"""When the value reaches beta I am done, so I break at once.

Cell: alpha_beta_search
Named: cut_forgets_the_value
"""

# %% alpha_beta_search
def alpha_beta_search(state: State, game: Game) -> Move:
    """Return a move as good as that of `minmax_decision`, and generate no state in vain."""
    player = game.to_move(state)

    def max_value(node, alpha, beta):
        if game.terminal_test(node):
            return game.utility(node, player)
        best = -infinity
        for action in game.actions(node):
            value = min_value(game.result(node, action), alpha, beta)
            if value >= beta:
                break  # the opponent will not come here
            best = max(best, value)
            alpha = max(alpha, value)
        return best

    def min_value(node, alpha, beta):
        if game.terminal_test(node):
            return game.utility(node, player)
        best = infinity
        for action in game.actions(node):
            value = max_value(game.result(node, action), alpha, beta)
            best = min(best, value)
            if value <= alpha:
                break  # I will not come here
            beta = min(beta, value)
        return best

    alpha = -infinity
    moves = iter(game.actions(state))
    best_move = next(moves)
    alpha = min_value(game.result(state, best_move), alpha, infinity)
    for move in moves:
        value = min_value(game.result(state, move), alpha, infinity)
        if value > alpha:
            alpha = value
            best_move = move
    return best_move


def alpha_beta_player(game: Game, state: State) -> Move:
    """Return the move that `alpha_beta_search` finds."""
    return alpha_beta_search(state, game)
