"""I have two trees, and no idea for a third.

Cell: my_trees
Caught by: test_trees_36
Weight: mistake
Frequent: no
"""

# %% my_trees
a, b, c, d, e, f = sorted(numbers(student_id))[3:9]
my_trees = [[[[d, [[[d, b], e], f]], [e, e]], d], [[b, [a, [f, [c, f]]]], f]]
