"""X has a slip as well, which no small tree shows.

Cell: which
Caught by: test_which_both
Weight: mistake
Frequent: no
"""

# %% which
which = {"X": "G", "Y": "E", "Z": "D"}
