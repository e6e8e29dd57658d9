"""I have no trees.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: yes
"""

# %% my_trees
my_trees = []
