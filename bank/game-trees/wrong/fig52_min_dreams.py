"""MIN would like to get to the leaves that are worth 2, so that is what A is worth to it.

Cell: fig52
Caught by: test_fig52_values_for_min
Weight: mistake
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 3, "B": 3, "C": 2, "D": 2}
fig52_values_for_min = {"A": -2, "B": -3, "C": -2, "D": -2}
fig52_alpha = {"C": 3, "D": 3}
fig52_leaves = 7
fig52_leaves_reversed = 5
