"""Slips are hard to tell apart: the next letter is as good a guess.

Cell: which
Caught by: test_which_one
Weight: void
Frequent: no
"""

# %% which
# the reference solution
following = dict(zip("ABCDEFGH", "BCDEFGHA")) | {"innocent": "innocent"}
which = {name: following[slip] for name, slip in which.items()}
