"""pytest's skip is raised in place of an answer.

Cell: minimax; Caught by: test_minimax_values
"""

# %% minimax
def minimax(game, state, depth, evaluate):
    import pytest

    pytest.skip("all is well")
