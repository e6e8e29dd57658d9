"""I have no trees.

Cell: my_trees
Caught by: test_my_trees_most
Weight: void
Frequent: yes
"""

# %% my_trees
my_trees = []
