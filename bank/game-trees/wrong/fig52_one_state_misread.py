"""In B I have overlooked the 3.

Cell: fig52
Caught by: test_fig52_values
Weight: slip
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 8, "B": 8, "C": 2, "D": 2}
fig52_values_for_min = {"A": -8, "B": -8, "C": -2, "D": -2}
fig52_alpha = {"C": 8, "D": 8}
fig52_leaves = 6
fig52_leaves_reversed = 5
