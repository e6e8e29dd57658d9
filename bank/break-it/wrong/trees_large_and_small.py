"""One tree for the depth, and a small one for leaves that are equal.

Cell: my_trees
Caught by: test_trees_33
Weight: mistake
Frequent: no
"""

# %% my_trees
a, b, c, d, e, f = sorted(numbers(student_id))[3:9]
my_trees = [[[[d, [[[d, b], e], f]], [e, e]], d], [f, [e, f], [f, b]]]
