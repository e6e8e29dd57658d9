"""No tree of mine has two leaves alike.

Cell: my_trees
Caught by: test_my_trees_all
Weight: slip
Frequent: no
"""

# %% my_trees
my_trees = [[[-2, [1, -7]], -4], [[[7, [-2, -5]], 2], 6], [6, [6, 1]]]
