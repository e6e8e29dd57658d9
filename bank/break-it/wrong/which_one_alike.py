"""Two slips are given away by nearly the same trees.

Cell: which
Caught by: test_which_both
Weight: mistake
Frequent: no
"""

# %% which
# the reference solution
guilty = [name for name, slip in which.items() if slip != "innocent"]
which[guilty[0]] = which[guilty[1]]
