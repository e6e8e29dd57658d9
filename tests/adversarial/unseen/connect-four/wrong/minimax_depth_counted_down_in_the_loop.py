"""Each sibling is searched one ply less deep

Cell: minimax
Named: depth_is_miscounted
"""


# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation, player: str | None = None
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""
    if player is None:
        player = game.to_move(state)

    if game.terminal_test(state):
        result = game.utility(state, player)
        if result > 0:
            return infinity, None
        if result < 0:
            return -infinity, None
        return 0, None
    if depth <= 0:
        return evaluate(state, player), None

    best_move = None
    if game.to_move(state) == player:
        best_value = -infinity
        for move in game.actions(state):
            depth -= 1
            value, _ = minimax(game, game.result(state, move), depth, evaluate, player)
            if value > best_value or best_move is None:
                best_value = value
                best_move = move
    else:
        best_value = infinity
        for move in game.actions(state):
            depth -= 1
            value, _ = minimax(game, game.result(state, move), depth, evaluate, player)
            if value < best_value or best_move is None:
                best_value = value
                best_move = move
    return best_value, best_move
