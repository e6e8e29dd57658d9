"""Both are one of two slips each; I took them the wrong way round.

Cell: which
Caught by: test_which_one
Weight: void
Frequent: no
"""

# %% which
# the reference solution
first, second = (name for name, slip in which.items() if slip != "innocent")
which |= {first: which[second], second: which[first]}
