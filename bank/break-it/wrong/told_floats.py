"""Leaves may be any numbers, so I write them with a point.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: no
"""

# %% told
# the reference solution
told = {name: tree if tree == "innocent" else [*tree, -9.0] for name, tree in told.items()}
