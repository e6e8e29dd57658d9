"""A is as good a guess as any.

Cell: which
Caught by: test_which_one
Weight: void
Frequent: no
"""

# %% which
which = {"X": "innocent", "Y": "A", "Z": "A"}
