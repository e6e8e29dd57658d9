"""The trees are written between quotes.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: yes
"""

# %% told
told = {"P": "[-1, [0, [-1, 0]]]", "Q": "innocent", "R": "[-1, [[1, [0, -1]], -1]]"}
