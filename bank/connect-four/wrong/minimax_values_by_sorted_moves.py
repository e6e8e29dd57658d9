"""It values the moves in ascending order, and takes the place of the best in the game's own order.

Cell: minimax
Caught by: test_moves
Weight: slip
Frequent: yes
Named: order_of_moves
"""


# %% minimax
def minimax(
    game: Game, state: State, depth: int, evaluate: Evaluation
) -> tuple[float, Move | None]:
    """Return (value, move) for the player to move in `state`, looking `depth` plies ahead."""
    return at_ply(game, state, depth, evaluate, game.to_move(state))


def at_ply(game, state, left, evaluate, mine):
    """Return the value of a state, and the move that leads to it."""
    if game.terminal_test(state):
        worth = game.utility(state, mine)
        return (worth * infinity if worth else 0), None
    if left == 0:
        return evaluate(state, mine), None
    listed = list(game.actions(state))
    below = [
        at_ply(game, game.result(state, one), left - 1, evaluate, mine) for one in sorted(listed)
    ]
    values = [value for value, _ in below]
    value = max(values) if game.to_move(state) == mine else min(values)
    return value, listed[values.index(value)]
