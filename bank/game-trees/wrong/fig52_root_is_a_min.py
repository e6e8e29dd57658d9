"""MIN has the last word, so A is worth the smallest of 3, 2 and 2.

Cell: fig52
Caught by: test_fig52_values
Weight: slip
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 2, "B": 3, "C": 2, "D": 2}
fig52_values_for_min = {"A": -3, "B": -3, "C": -2, "D": -2}
fig52_alpha = {"C": 3, "D": 3}
fig52_leaves = 7
fig52_leaves_reversed = 5
