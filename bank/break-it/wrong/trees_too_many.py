"""More trees kill more.

Cell: my_trees
Caught by: test_trees_30
Weight: void
Frequent: yes
"""

# %% my_trees
a, b, c, d, e, f = sorted(numbers(student_id))[3:9]
my_trees = [[[[d, [[[d, b], e], f]], [e, e]], d], [[b, [a, [f, [c, f]]]], f], [f, [e, f], [f, b]]]
my_trees += [[d, e]]
