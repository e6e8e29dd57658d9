"""A tree in which all make the same move shows nothing, but it looks hard.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: no
"""

# %% told
told = {"P": [3, [4, 5]], "Q": [1, 2], "R": [[6, 7], 5]}
