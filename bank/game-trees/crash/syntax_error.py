"""A bracket is missing in the numbers.

Cell: fig52
Caught by: test_fig52_values
"""

# %% fig52
fig52_values = {"A": 3, "B": 3, "C": 2, "D": 2
fig52_leaves = 7
