"""Alpha is the value of the state that was done last.

Cell: fig52
Caught by: test_fig52_alpha
Weight: mistake
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 3, "B": 3, "C": 2, "D": 2}
fig52_values_for_min = {"A": -3, "B": -3, "C": -2, "D": -2}
fig52_alpha = {"C": 3, "D": 2}
fig52_leaves = 7
fig52_leaves_reversed = 5
