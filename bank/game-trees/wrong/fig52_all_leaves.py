"""One has to look at every leaf to know the smallest.

Cell: fig52
Caught by: test_fig52_leaves
Weight: mistake
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 3, "B": 3, "C": 2, "D": 2}
fig52_values_for_min = {"A": -3, "B": -3, "C": -2, "D": -2}
fig52_alpha = {"C": 3, "D": 3}
fig52_leaves = 9
fig52_leaves_reversed = 9
