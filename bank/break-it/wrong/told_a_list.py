"""The answers come in the order of the suspects.

Cell: told
Caught by: test_told_two
Weight: void
Frequent: yes
"""

# %% told
# the reference solution
told = list(told.values())
