"""It searches until the best move does not change, and that never is.

Cell: my_search
Caught by: test_my_search
Needed by: my_trees
"""

# %% my_search
def alpha_beta_search(state, game):
    moves = list(game.actions(state))
    while moves:
        moves = moves[1:] + moves[:1]
