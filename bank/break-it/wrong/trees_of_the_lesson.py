"""Figure 5.2 is what one tests a search with.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: yes
"""

# %% my_trees
my_trees = [[[3, 12, 8], [2, 4, 6], [14, 5, 2]]]
