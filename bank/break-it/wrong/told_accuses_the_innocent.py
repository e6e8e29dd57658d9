"""Whoever does something else than alpha-beta is wrong.

Cell: told
Caught by: test_told_two, test_told_three
Weight: mistake
Frequent: no
"""

# %% told
# the reference solution
told = {name: [0, [0, -1]] if tree == "innocent" else tree for name, tree in told.items()}
