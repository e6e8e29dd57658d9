"""Leaves may be any numbers, so I write them with a point.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: no
"""

# %% told
told = {"P": [-1, [0, [-1.0, 0.0]]], "Q": "innocent", "R": [-1, [[1, [0, -1]], -1]]}
