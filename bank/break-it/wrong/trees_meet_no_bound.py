"""Why would a value be just as large as a bound? I have two trees, and in neither is it.

Cell: my_trees
Caught by: test_my_trees_nearly_all
Weight: mistake
Frequent: no
"""

# %% my_trees
my_trees = [[[[7, [-2, -5]], 2], 6], [[3, [4, 9]], 0]]
