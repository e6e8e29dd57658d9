"""The third has a slip as well, which no small tree shows.

Cell: which
Caught by: test_which_both
Weight: mistake
Frequent: no
"""

# %% which
# the reference solution
which = {name: "A" if slip == "innocent" else slip for name, slip in which.items()}
