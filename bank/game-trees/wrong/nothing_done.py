"""I have no time.

Cell: minmax_decision
Caught by: test_minmax_above_zero
Weight: void
Frequent: yes
"""

# %% two_ply blank

# %% fig52 blank

# %% student_id blank

# %% my_tree blank

# %% minmax_decision blank

# %% alpha_beta_search blank

# %% order blank
