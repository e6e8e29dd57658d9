"""It works with leaves from -1 to 1.

Cell: apart
Caught by: test_apart
Weight: void
Frequent: yes
"""

# %% apart
# the reference solution
apart = [0, [1, [[-1, -1], 1]], [1, [-1, 1]]]
