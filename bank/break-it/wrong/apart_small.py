"""Four leaves will do.

Cell: apart
Caught by: test_apart
Weight: void
Frequent: yes
"""

# %% apart
apart = [-1, [4, 3], [1, 2]]
