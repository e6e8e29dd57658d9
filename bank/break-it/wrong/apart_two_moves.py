"""It is enough that the two differ.

Cell: apart
Caught by: test_apart_from_right
Weight: mistake
Frequent: no
"""

# %% apart
apart = [-5, [-3, [-8, -4]], -7, -9]
