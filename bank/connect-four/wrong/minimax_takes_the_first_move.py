"""It goes down the whole tree and compares nothing.

Cell: minimax
Caught by: test_values test_depth
Named: not_all_children_count
Weight: void
Frequent: no
"""


# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""
    player = game.to_move(state)

    def final_value(state: State) -> float:
        utility = game.utility(state, player)
        return utility * infinity if utility else 0

    def max_value(state: State, depth: int) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        value, best_move = -infinity, None
        for move in game.actions(state):
            reply, _ = min_value(game.result(state, move), depth - 1)
            if best_move is None:
                value, best_move = reply, move
        return value, best_move

    def min_value(state: State, depth: int) -> tuple[float, Move | None]:
        if game.terminal_test(state):
            return final_value(state), None
        if depth == 0:
            return evaluate(state, player), None
        value, best_move = infinity, None
        for move in game.actions(state):
            reply, _ = max_value(game.result(state, move), depth - 1)
            if best_move is None:
                value, best_move = reply, move
        return value, best_move

    return max_value(state, depth)
