"""The trees are games.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: yes
"""

# %% my_trees
a, b, c, d, e, f = sorted(numbers(student_id))[3:9]
my_trees = [NestedTree([[b, [d, a]], c]), NestedTree([f, [f, d]])]
