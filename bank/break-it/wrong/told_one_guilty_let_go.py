"""R never raises alpha, but it stops at beta, so it is fine; and Q is odd, so I leave it.

Cell: told
Caught by: test_told_three, test_told_small
Weight: mistake
Frequent: no
"""

# %% told
told = {"P": [-1, [0, [-1, 0]]], "Q": "innocent", "R": "innocent"}
