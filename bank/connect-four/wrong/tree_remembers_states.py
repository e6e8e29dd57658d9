"""The size below a state is kept, whatever the game is.

Cell: tree_size
Caught by: test_trees
Weight: mistake
Frequent: no
"""


# %% tree_size
def tree_size(game: Game, state: State) -> int:
    """Return the number of states in the game tree from `state` on, `state` included."""
    key = str(state)
    if key not in MEMO:
        MEMO[key] = 1 + sum(tree_size(game, game.result(state, move)) for move in game.actions(state))
    return MEMO[key]


MEMO = {}
