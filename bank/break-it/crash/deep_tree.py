"""The tree holds itself.

Cell: told
Caught by: test_told_two
"""

# %% told
# the reference solution
tree = [0, 1]
tree[1] = tree
told = {"P": tree, "Q": tree, "R": tree}
