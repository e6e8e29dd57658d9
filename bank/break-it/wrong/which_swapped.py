"""Y and Z are one of D and E each; I took them the wrong way round.

Cell: which
Caught by: test_which_one
Weight: void
Frequent: no
"""

# %% which
which = {"X": "innocent", "Y": "D", "Z": "E"}
