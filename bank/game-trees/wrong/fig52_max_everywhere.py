"""I take the largest number at every level.

Cell: fig52
Caught by: test_fig52_values, test_fig52_values_for_min
Weight: mistake
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 14, "B": 12, "C": 6, "D": 14}
fig52_values_for_min = {"A": -14, "B": -12, "C": -6, "D": -14}
fig52_alpha = {"C": 3, "D": 3}
fig52_leaves = 7
fig52_leaves_reversed = 5
