"""I have taken all trees from the lesson.

Cell: my_trees
Caught by: test_my_trees_most
Weight: void
Frequent: no
"""

# %% my_trees
my_trees = [[[3, 6], [2, 4]], [[5, 1], [8, 2]], [[4, 7], [9, 1]]]
