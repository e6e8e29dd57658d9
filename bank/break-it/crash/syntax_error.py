"""A bracket is missing.

Cell: told
Caught by: test_told_two
"""

# %% told
told = {"P": [0, [1, -1], "Q": "innocent"}
