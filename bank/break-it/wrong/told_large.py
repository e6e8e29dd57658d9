"""As long as it shows, the tree may be as large as it likes.

Cell: told
Caught by: test_told_small, test_told_smallest
Weight: mistake
Frequent: no
"""

# %% told
# the reference solution
told = {name: tree if tree == "innocent" else [*tree, -9, [-8, -9]] for name, tree in told.items()}
