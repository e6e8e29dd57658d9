"""More trees kill more.

Cell: my_trees
Caught by: test_my_trees_most
Weight: void
Frequent: yes
"""

# %% my_trees
my_trees = [[[3, 12, 8], [2, 4, 6], [14, 5, 2]]] * 6
