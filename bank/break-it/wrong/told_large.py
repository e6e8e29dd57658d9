"""As long as it shows, the tree may be as large as it likes.

Cell: told
Caught by: test_told_small, test_told_smallest
Weight: mistake
Frequent: no
"""

# %% told
told = {"P": [-1, [0, [-1, 0]], [-2, -3]], "Q": "innocent", "R": [-1, [[1, [0, -1]], -1]]}
