"""The same leaves are there, in whichever order, so it is 7 again.

Cell: fig52
Caught by: test_fig52_leaves
Weight: mistake
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 3, "B": 3, "C": 2, "D": 2}
fig52_values_for_min = {"A": -3, "B": -3, "C": -2, "D": -2}
fig52_alpha = {"C": 3, "D": 3}
fig52_leaves = 7
fig52_leaves_reversed = 7
