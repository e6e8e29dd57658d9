"""A tree with one more leaf does as well.

Cell: told
Caught by: test_told_smallest
Weight: slip
Frequent: no
"""

# %% told
told = {"P": [-1, [0, [-1, 0]], -2], "Q": "innocent", "R": [-1, [[1, [0, -1]], -1]]}
