"""The search of the other notebook is not in this one.

Cell: my_trees
Caught by: test_trees_30
"""

# %% my_trees
my_trees = [[numbers(student_id)[0], numbers(student_id)[7:9]]]
alpha_beta_search((), NestedTree(my_trees[0]))
my_trees += [numbers(student_id)[2:4]]
