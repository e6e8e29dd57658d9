"""A tree with one more leaf does as well.

Cell: told
Caught by: test_told_smallest
Weight: slip
Frequent: no
"""

# %% told
# the reference solution
told = {name: tree if tree == "innocent" else [*tree, -9] for name, tree in told.items()}
