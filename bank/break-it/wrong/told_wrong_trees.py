"""A tree in which all make the same move shows nothing, but it looks hard.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: no
"""

# %% told
# the reference solution
told = {"P": [4, [3, 5]], "Q": [1, 2], "R": [[6, 7], 5]}
