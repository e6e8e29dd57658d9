"""The trees are games.

Cell: my_trees
Caught by: test_my_trees_most
Weight: void
Frequent: yes
"""

# %% my_trees
my_trees = [NestedTree([[-2, [1, -7]], -4]), NestedTree([6, [6, 1]])]
