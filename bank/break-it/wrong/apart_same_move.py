"""A large tree tells any two programs apart.

Cell: apart
Caught by: test_apart
Weight: void
Frequent: no
"""

# %% apart
# the reference solution
apart = [-3, -4, -5, -6, -7, -8]
