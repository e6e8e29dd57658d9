"""Four leaves will do.

Cell: apart
Caught by: test_apart
Weight: void
Frequent: yes
"""

# %% apart
# the reference solution
apart = [-9, [4, 3], 5]
