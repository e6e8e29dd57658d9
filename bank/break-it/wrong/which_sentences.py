"""The slips are written as numbers.

Cell: which
Caught by: test_which_one
Weight: void
Frequent: yes
"""

# %% which
which = {"X": 0, "Y": 5, "Z": 4}
