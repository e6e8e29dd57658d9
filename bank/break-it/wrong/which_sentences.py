"""The slips are written as numbers.

Cell: which
Caught by: test_which_one
Weight: void
Frequent: yes
"""

# %% which
# the reference solution
which = {name: "ABCDEFGH".find(slip) for name, slip in which.items()}
