"""What a state is worth is one number, the same for both.

Cell: fig52
Caught by: test_fig52_values_for_min
Weight: mistake
Frequent: yes
"""

# %% fig52
fig52_values = {"A": 3, "B": 3, "C": 2, "D": 2}
fig52_values_for_min = {"A": 3, "B": 3, "C": 2, "D": 2}
fig52_alpha = {"C": 3, "D": 3}
fig52_leaves = 7
fig52_leaves_reversed = 5
