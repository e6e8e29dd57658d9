"""The last of them stops where it should, so it is fine; and another one is odd, so I leave it.

Cell: told
Caught by: test_told_three, test_told_small
Weight: mistake
Frequent: no
"""

# %% told
# the reference solution
guilty = [name for name, tree in told.items() if tree != "innocent"]
told[guilty[-1]] = "innocent"
