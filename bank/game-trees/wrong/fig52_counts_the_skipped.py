"""I counted the leaves that are skipped.

Cell: fig52
Caught by: test_fig52_leaves
Weight: slip
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 3, "B": 3, "C": 2, "D": 2}
fig52_values_for_min = {"A": -3, "B": -3, "C": -2, "D": -2}
fig52_alpha = {"C": 3, "D": 3}
fig52_leaves = 2
fig52_leaves_reversed = 4
