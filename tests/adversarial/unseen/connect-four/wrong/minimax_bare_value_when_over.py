"""If the game is over I return its value.

Cell: minimax
Named: wrong_kind_of_answer
"""

# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""

    def go(state, depth, player):
        if game.terminal_test(state):
            u = game.utility(state, player)
            return infinity if u > 0 else -infinity if u < 0 else 0
        if depth == 0:
            return evaluate(state, player), None
        options = [
            (go(game.result(state, move), depth - 1, player)[0], move)
            for move in game.actions(state)
        ]
        choose = max if game.to_move(state) == player else min
        return choose(options, key=lambda option: option[0])

    return go(state, depth, game.to_move(state))
