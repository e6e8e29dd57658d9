"""B and D are given away by the same small trees.

Cell: which
Caught by: test_which_both
Weight: mistake
Frequent: no
"""

# %% which
which = {"X": "innocent", "Y": "E", "Z": "B"}
