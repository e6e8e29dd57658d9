"""The answers come in the order of the suspects.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: yes
"""

# %% told
told = [[-1, [0, [-1, 0]]], "innocent", [-1, [[1, [0, -1]], -1]]]
