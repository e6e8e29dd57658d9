"""The trees are written between quotes.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: yes
"""

# %% told
# the reference solution
told = {name: str(tree) for name, tree in told.items()}
