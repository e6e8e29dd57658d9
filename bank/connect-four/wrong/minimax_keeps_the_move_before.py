"""A move is kept if it is no worse than the one before it.

Cell: minimax; Caught by: test_minimax_moves; Weight: slip; Frequent: no
"""

# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""
    player = game.to_move(state)

    def search(state: State, depth: int) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(game, state, player), None
        if depth == 0:
            return evaluate(state, player), None
        best_value, best_move = None, None
        last = -infinity
        for move in game.actions(state):
            value, _ = search(game.result(state, move), depth - 1)
            if game.to_move(state) == player:
                better = best_move is None or value >= last
            last = value
            if game.to_move(state) == player:
                pass
            else:
                better = best_move is None or value < best_value
            if better:
                best_value, best_move = value, move
        return best_value, best_move

    return search(state, depth)


def final_value(game: Game, state: State, player: str) -> float:
    """Return what a game that is over is worth to `player`: infinity, 0 or -infinity."""
    utility = game.utility(state, player)
    if utility == 0:
        return 0
    return infinity if utility > 0 else -infinity
