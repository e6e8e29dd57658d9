"""Taking the last of several best moves is wrong, too.

Cell: told
Caught by: test_told_two, test_told_three
Weight: mistake
Frequent: no
"""

# %% told
told = {"P": [-1, [0, [-1, 0]]], "Q": [0, [0, -1]], "R": [-1, [[1, [0, -1]], -1]]}
