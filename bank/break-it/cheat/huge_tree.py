"""A tree as large as can be sent tells any two apart.

Cell: apart; Caught by: test_apart
"""

# %% apart
# the reference solution
apart = [[3 + 7 * i + j for j in range(7)] for i in range(1000)]
