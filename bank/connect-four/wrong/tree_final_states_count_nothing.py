"""Where the game is over there is nothing to count.

Cell: tree_size
Caught by: test_every_kind_of_state
Weight: slip
Frequent: yes
"""


# %% tree_size
def tree_size(game: Game, state: State) -> int:
    """Return the number of states in the game tree from `state` on, `state` included."""
    if game.terminal_test(state):
        return 0
    return 1 + sum(tree_size(game, game.result(state, move)) for move in game.actions(state))
